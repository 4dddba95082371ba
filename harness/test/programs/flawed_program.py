# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""The starter with copy_, clamp_ and memory and with one flaw, which its argument names: `assay check` must report this
flaw and nothing else. Without an argument there is no flaw."""

import copy
import json
import math
import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "adapters"))
import starter  # noqa: E402 (its folder is named above)
from starter import HELLO, OPERATORS, Rejected, Unsupported, View  # noqa: E402

FLAW = sys.argv[1] if len(sys.argv) > 1 else ""
sgn, add_, vector_norm, honest_write = OPERATORS["sgn"], OPERATORS["add_"], OPERATORS["vector_norm"], View.write
KNOWN = {}  # what state keeps


# --- operators

def refuse(x, other):
    where = other.broadcast(x.shape)
    if len(set(x.places)) < len(x.places):
        raise Rejected("the written tensor names an element twice")
    if x.storage is other.storage and where != x.places and set(where) & set(x.places):
        raise Rejected("the operands share part of their memory")
    if x.dtype != other.dtype:
        raise Unsupported("operands of two dtypes")
    return where


def copy_(a, x, y):
    where, size = refuse(x, y), x.size
    if FLAW == "quiets":
        return x.write([math.nan if v != v else v for v in y.read(where)]) or []
    if FLAW == "flushes":
        return x.write([math.copysign(0, v) if abs(v) < 2.0 ** -126 else v for v in y.read(where)]) or []
    for to, at in zip(x.places, where):  # bytes, so that a NaN keeps its payload
        x.storage[to * size:(to + 1) * size] = y.storage[at * size:(at + 1) * size]
    return []


def clamp_(a, x, low=None, high=None):
    if FLAW == "no-null" and (low is None or high is None):
        raise TypeError("clamp_ needs two limits")
    refuse(x, x)
    values = x.read()
    for limit, name, choose in ((low, "min", max), (high, "max", min)):
        if limit is not None:
            bounds = limit.read(refuse(x, limit))
        elif a.get(name) is not None:
            bounds = [a[name]] * len(values)
        else:
            continue
        values = [math.nan if v != v or b != b else choose(v, b) for v, b in zip(values, bounds)]
    if low is None and high is None and a.get("min") is None and a.get("max") is None:
        raise Rejected("no limit at all")
    x.write(values)
    return []


def flawed_sgn(a, x):
    results = sgn(a, x)
    (dtype, shape, values), = results
    if FLAW == "wrong-values":
        values[:] = [2 * v for v in values]
    if FLAW == "flicker" and KNOWN.setdefault("calls", []).append(1) is None and len(KNOWN["calls"]) % 2:
        values[0] += 2.0 ** -20
    if FLAW == "stale":
        values[:] = KNOWN.setdefault(tuple(shape), list(values))
    if FLAW == "leftover-nan":
        KNOWN["nan"] = KNOWN.get("nan") or any(v != v for v in values)
        values[0] = math.nan if KNOWN["nan"] else values[0]
    if FLAW == "leftover-tail" and values:  # it reads one element further than the call has written
        tail = KNOWN.setdefault("buffer", [0.0] * 100000)
        tail[:len(values)] = values
        values[-1] += tail[len(values)]
    if FLAW == "large" and len(values) > 16384:
        values[16384:] = [0.0] * (len(values) - 16384)
    if FLAW == "other-shape":
        shape = [len(values)]
    if FLAW == "refuses-empty" and not values:
        raise ValueError("nothing to do")
    if FLAW == "leaks":
        KNOWN["held"] = KNOWN.get("held", 0) + 4 * len(values)
    return [(dtype, shape, values)]


def flawed_add(a, x, y):
    if FLAW == "takes-all":
        try:
            return add_(a, x, y)
        except Rejected:
            return []
    if FLAW == "error-for-rejected":
        try:
            return add_(a, x, y)
        except Rejected as fault:
            raise ValueError(str(fault)) from fault
    if FLAW == "default-0":
        a = {"alpha": 0, **a}
    if FLAW == "default-missing":
        a = {"alpha": a["alpha"]}
    if FLAW == "ignores-alpha":
        a = {}
    if FLAW == "unwritten":
        return []
    if FLAW == "storage-of-its-own":
        return add_(a, x, y) if x.storage is not y.storage else []
    return add_(a, x, y)


def flawed_norm(a, x):
    return vector_norm({**a, "ord": 2} if FLAW == "ignores-ord" else a, x)


def repeated(operator):
    """The operator, run as often as the request says; KNOWN["took"] is the time of one run."""
    def call(a, *x):
        request, results = KNOWN["request"], None
        runs = request.get("repeats", 1)
        for _ in range(request.get("warm_up", 0)):
            results = operator(a, *x)
        elapsed = []
        for _ in range(request.get("rounds", 1)):
            start = time.perf_counter_ns()
            for run in range(runs):
                results = operator(a, *x)
                if FLAW == "repeats-chain" and run:  # from the result of the run before
                    results = [(dtype, shape, [v + 1 for v in values]) for dtype, shape, values in results]
            elapsed.append(time.perf_counter_ns() - start)
        KNOWN["took"] = sorted(elapsed)[len(elapsed) // 2] // (1 if FLAW == "repeats-all-ns" else runs)
        return results
    return call


OPERATORS.update({"sgn": flawed_sgn, "add_": flawed_add, "vector_norm": flawed_norm, "copy_": copy_, "clamp_": clamp_})
for name in "sgn", "vector_norm":  # the others write to an operand: no request repeats them
    OPERATORS[name] = repeated(OPERATORS[name])
HELLO["operators"].update({"copy_": ["float32"], "clamp_": ["float32"]})
HELLO["memory"] = HELLO["repeats"] = True

if FLAW == "any-dtype":  # of float32's kernel, whatever it is
    starter.FORMATS["int32"] = "<f"


class Flawed(View):
    def __init__(self, storages, given):
        given = dict(given)
        if FLAW == "ignores-strides":
            step, given["strides"] = 1, [0] * len(given["shape"])
            for d in reversed(range(len(given["shape"]))):
                given["strides"][d], step = step, step * given["shape"][d]
        if FLAW == "ignores-offset":
            given["offset"] = 0
        if FLAW == "stride-0" and 0 in given["strides"] and max(given["shape"], default=0) > 1:
            raise ValueError("a stride of 0")
        super().__init__(storages, given)

    def write(self, values):
        honest_write(self, values)
        if FLAW == "gaps" and len(set(self.places)) > 1 and self.places[1] - self.places[0] > 1:
            self.storage[(self.places[0] + 1) * self.size] ^= 0x55


starter.View = Flawed


# --- the conversation

def greeting():
    hello = copy.deepcopy(HELLO)
    changes = {"version-2": {"hello": 2}, "no-name": {"name": None}, "memory-word": {"memory": "yes"},
               "misspelt-member": {"proflie": {}}, "misspelt-twice": {"proflie": {}, "devise": "x"}, "misspelt-dtype": {"dtypes": ["float32", "float64", "flaot16"]},
               "dtypes-lack": {"dtypes": ["float32"]}, "only-strangers": {"operators": ["fft", "warp7"]},
               "misspelt-operator": {"operators": {**hello["operators"], "vector_nrom": ["float32"]}},
               "profile-word": {"profile": {"rounding": "nearest"}}, "profile-member": {"profile": {"roundign": "rte"}},
               "profile-operator": {"profile": {"nondeterministic": ["vector_nom"]}},
               "profile-range": {"profile": {"range": ["sofmax"]}}}
    hello.update(changes.get(FLAW, {}))
    if FLAW == "no-name":
        del hello["name"]
    if FLAW == "late-greeting":
        time.sleep(100)
    if FLAW == "banner":
        return b"Welcome to mylib 2.1\n" + json.dumps(hello).encode()
    if FLAW == "greeting-cut":
        return json.dumps(hello).encode()[:-1]
    return json.dumps(hello).encode()


def memory(request):
    if "memory" in request:
        held = 4096 + KNOWN.get("held", 0)
        reply = {"allocated": held, "reserved": held, "peak": held, "limit": 1 << 30, "process": os.getpid()}
        reply.update({"negative-memory": {"allocated": -1}, "peak-below": {"peak": 1},
                      "no-process": {"process": 4194305}}.get(FLAW, {}))
        return reply
    if "empty_cache" in request and FLAW == "no-empty-cache":
        return {"status": "error", "message": "what is that?"}
    return {"status": "ok"}


def respond(request):
    """The answer's line and bytes."""
    if FLAW == "unread-storages" and request.get("run") not in OPERATORS and "run" in request:
        return {"id": request["id"], "status": "unsupported", "reason": "no such operator"}, b""
    if any(word in request for word in ("memory", "empty_cache", "memory_limit")):
        return {"id": request["id"], **memory(request)}, b""
    KNOWN["request"] = request
    reply, blobs = starter.answer(request)
    data, run = b"".join(blobs), request.get("run")
    if "repeats" in request and reply["status"] == "ok":
        reply["device_ns"] = KNOWN["took"]
        if FLAW == "repeats-no-ns":
            del reply["device_ns"]
        if FLAW == "repeats-refused":
            reply, data = {"id": reply["id"], "status": "error", "message": "what is repeats?"}, b""
    if FLAW == "takes-unknown" and reply["status"] == "unsupported" and run not in OPERATORS:
        reply = {"id": reply["id"], "status": "ok", "outputs": [], "mutated": []}
    if FLAW == "unsupported" and run == "sgn":
        reply, data = {"id": reply["id"], "status": "unsupported", "reason": "not today"}, b""
    if FLAW == "no-reason" and "reason" in reply:
        del reply["reason"]
    if FLAW == "wrong-id":
        reply["id"] += 1
    if FLAW == "no-id":
        del reply["id"]
    if reply["status"] == "ok" and run in OPERATORS:
        if FLAW == "status-okay":
            reply["status"] = "okay"
        reply.update({"no-mutated": {"mutated": []}, "misspelt-answer": {"device_nS": 1}, "negative-ns": {"device_ns": -5},
                      "real-ns": {"device_ns": 0.25}, "long-ns": {"device_ns": 10 ** 12}}.get(FLAW, {}))
        data = data[:-4] if FLAW == "short" else data + b"\0\0\0\0" if FLAW == "long" else data
    return reply, data


def send(reply, data):
    text = json.dumps(reply)
    if FLAW == "nan-in-json" and "run" != "" and "outputs" in reply:
        text = text.replace('"device_ns": ', '"device_ns": NaN, "device_ns": ', 1)
    if FLAW == "no-json":
        text = "status ok"
    line = text.encode() + b"\n"
    if "outputs" in reply:
        line = b"computing...\n" + line if FLAW == "print-before" else line
        line = line + b"computing...\n" if FLAW == "print-between" else line
        data = data + b"done with it\n" if FLAW == "print-behind" else data
    if FLAW == "nobody-listens":
        while True:  # until it can be written
            try:
                return os.write(starter.ANSWERS.fileno(), line + data)
            except OSError:
                time.sleep(0.05)
    starter.ANSWERS.write(line + data)
    return starter.ANSWERS.flush()


def main():
    requests = 0
    for line in starter.REQUESTS:
        request = json.loads(line)
        if "hello" in request:
            starter.ANSWERS.write(greeting() + b"\n")
            starter.ANSWERS.flush()
            continue
        requests += "run" in request
        if FLAW == "dies" and requests == 3:
            print("segmentation imminent", file=sys.stderr)
            os.kill(os.getpid(), 9)
        if FLAW == "hangs" and requests == 3:
            time.sleep(100)
        send(*respond(request))
    if FLAW == "goes-on":
        time.sleep(100)


print("the library's own banner, which stdout does not see")
main()

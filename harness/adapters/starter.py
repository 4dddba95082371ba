# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""A backend of assay to start from, in Python without any package: sgn, add_ and vector_norm. (In C: example.c.)

    assay check 'exec:python3 starter.py'                       does it keep the protocol?
    assay run --level smoke --backend 'exec:python3 starter.py'     are its numbers right?

Copy it, and change in this order: HELLO (its name, what it offers and promises), OPERATORS (call your library), View (upload the
operands if your library has arrays of its own). The rest is the conversation of exec-protocol.md and stays as it is; assay_exec.py
offers it as a base class for adapters of libraries.
"""

import itertools
import json
import math
import os
import struct
import time

# Answers go to a copy of stdout; stdout itself becomes stderr, so that no print() and no library breaks the conversation.
REQUESTS, ANSWERS = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

# 1. The greeting. A profile is a promise: leave out what you are not sure of. exec-protocol.md has all its members; each is optional.
HELLO = {"hello": 1, "name": "starter", "version": "1", "device": "the host", "dtypes": ["float32", "float64"],
         "return_storages": True,  # run() sends every storage back if a request asks for that
         "operators": {"sgn": ["float32", "float64"], "add_": ["float32", "float64"], "vector_norm": ["float32"]},
         "profile": {"rounding": "rte", "subnormals": "kept", "primitives": "libm", "accumulate": {"float32": "float64"}}}

FORMATS = {"float32": "<f", "float64": "<d"}  # of the struct module: little-endian

class Rejected(Exception):
    """Operands that PyTorch refuses as well."""

class Unsupported(Exception):
    """A dtype or a form of the call that this backend lacks."""

def places(offset, strides, shape):  # places of the elements in the storage, row-major, counted in elements
    return [offset + sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*map(range, shape))]

def pack(form, value):
    """Returns the bytes of a number. A float32 that overflows becomes an infinity, as IEEE 754 requires; struct would raise."""
    try:
        return struct.pack(form, value)
    except OverflowError:
        return struct.pack(form, math.copysign(math.inf, value))

# 2. Operands: a view of the request's bytes. Strides may be 0, and two views may share a storage.
class View:
    def __init__(self, storages, given):
        if given["dtype"] not in FORMATS:
            raise Unsupported("no " + given["dtype"])
        self.storage, self.shape, self.dtype = storages[given["storage"]], given["shape"], given["dtype"]
        self.offset, self.strides = given["offset"], given["strides"]
        self.places, self.format = places(self.offset, self.strides, self.shape), FORMATS[self.dtype]
        self.size = struct.calcsize(self.format)

    def read(self, where=None):
        return [struct.unpack_from(self.format, self.storage, place * self.size)[0] for place in where or self.places]

    def write(self, values):  # the gaps between the elements stay as they were sent
        for place, value in zip(self.places, values):
            self.storage[place * self.size:(place + 1) * self.size] = pack(self.format, value)

    def broadcast(self, shape):  # places of the elements when broadcast to a larger shape
        lead = len(shape) - len(self.shape)
        if lead < 0 or any(n not in (1, m) for n, m in zip(self.shape, shape[lead:])):
            raise Rejected("a tensor of shape %s does not broadcast to %s" % (self.shape, shape))
        return places(self.offset, [0] * lead + [s if n > 1 else 0 for n, s in zip(self.shape, self.strides)], shape)

# 3. Operators: function(attributes, view, …). An absent operand is None; an absent attribute has PyTorch's default. Each returns
# its outputs as [(dtype, shape, values in row-major order), …]; an in-place operator writes to the view.
def sgn(attributes, x):
    return [(x.dtype, x.shape, [v if v != v or v == 0 else math.copysign(1, v) for v in x.read()])]

def add_(attributes, x, y):
    where = y.broadcast(x.shape)
    if x.dtype != y.dtype:
        raise Unsupported("operands of two dtypes")
    if len(set(x.places)) < len(x.places):
        raise Rejected("the written tensor names an element twice")
    if x.storage is y.storage and where != x.places and set(where) & set(x.places):
        raise Rejected("the operands share part of their memory")
    x.write([a + attributes.get("alpha", 1) * b for a, b in zip(x.read(), y.read(where))])
    return []

def norm(values, p):
    sizes = [abs(v) for v in values]
    if not sizes and (p < 0 or p == math.inf):
        raise Rejected("nothing to reduce, and order %g has no identity" % p)
    if p == 0 or any(v != v for v in sizes):
        return math.nan if p else float(sum(v != 0 for v in sizes))
    scale = (max if p > 0 else min)(sizes, default=0.0)  # scaled, so that no power leaves the range
    if abs(p) == math.inf or scale in (0, math.inf):
        return scale
    try:
        return scale * math.fsum((v / scale) ** p for v in sizes) ** (1 / p)
    except OverflowError:
        return math.inf

def vector_norm(attributes, x):
    rank, given = len(x.shape), attributes.get("dim")
    dims = list(range(rank)) if given is None else [d + rank if d < 0 else d for d in given]
    if len(set(dims)) < len(dims) or any(d not in range(rank) for d in dims):
        raise Rejected("a dimension out of range, or named twice")
    sums = {index: [] for index in itertools.product(*(range(1 if d in dims else n) for d, n in enumerate(x.shape)))}
    for index, value in zip(itertools.product(*map(range, x.shape)), x.read()):
        sums[tuple(0 if d in dims else i for d, i in enumerate(index))].append(value)
    shape = [1 if d in dims else n for d, n in enumerate(x.shape) if attributes.get("keepdim") or d not in dims]
    return [(x.dtype, shape, [norm(values, attributes.get("ord", 2)) for values in sums.values()])]

OPERATORS = {"sgn": sgn, "add_": add_, "vector_norm": vector_norm}

# --- the conversation
def run(request, storages):
    if request["run"] not in OPERATORS:
        raise Unsupported("no operator " + request["run"])
    special = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}  # JSON lacks these numbers
    attributes = {name: special.get(x, x) if isinstance(x, str) else x for name, x in request["attributes"].items()}
    views = [x and View(storages, x) for x in request["inputs"]]
    start = time.perf_counter_ns()
    results = OPERATORS[request["run"]](attributes, *views)  # a device must have finished before the clock is read
    took = time.perf_counter_ns() - start
    mutated = dict.fromkeys(request["inputs"][i]["storage"] for i in request["mutates"])
    every = request.get("return_storages", False)  # also operands that are only read, from the device
    blobs = [storages[s] for s in (range(len(storages)) if every else mutated)]  # whole storages, each once
    blobs += [b"".join(pack(FORMATS[dtype], v) for v in values) for dtype, _, values in results]
    return {"status": "ok", "device_ns": took, "mutated": request["mutates"], **({"return_storages": True} if every else {}),
            "outputs": [{"dtype": dtype, "shape": shape} for dtype, shape, _ in results]}, blobs

def answer(request):
    if "hello" in request:
        return HELLO, []
    storages = [bytearray(REQUESTS.read(size)) for size in request.get("storages", [])]  # read first, for every request
    try:
        if "run" not in request:
            raise Unsupported("no request of protocol 1")
        reply, blobs = run(request, storages)
    except Exception as fault:  # any exception costs only this request
        words = {Unsupported: ("unsupported", "reason"), Rejected: ("rejected", "message")}
        status, why = words.get(type(fault), ("error", "message"))
        reply, blobs = {"status": status, why: "%s: %s" % (type(fault).__name__, fault)}, []
    return {"id": request["id"], **reply}, blobs

def serve():
    for line in REQUESTS:  # until stdin ends; if nobody reads the answers, the write raises, which ends the program too
        reply, blobs = answer(json.loads(line))
        ANSWERS.write(json.dumps(reply).encode() + b"\n" + b"".join(blobs))
        ANSWERS.flush()

if __name__ == "__main__":
    serve()

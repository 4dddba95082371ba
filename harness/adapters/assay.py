# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Judges a result in a Python test: against the certified truth, under error bounds computed from the operands.

    import assay
    assay.assert_right("softmax", [x], y, dim=-1)
    verdict = assay.judge("layer_norm", [x, weight, None], y, normalized_shape=[768], profile="torch:cuda")

Operands and results are numpy arrays or torch tensors (of any device, with any strides, bfloat16 too). They stand in the order of
PyTorch's arguments, None for one that is left out; attributes are keywords with PyTorch's names. `assay help operator NAME` lists
both. Operands that an in-place operator overwrites are given as they were before the call, and its results as they are behind it.

A process `assay judge` is kept between calls. It needs the standard library and the program assay: the one that ASSAY_PROGRAM
names, or one beside this file's installation or source tree, or the one on PATH.
"""

import atexit
import ctypes
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings

import assay_bundle

__all__ = ["AssayWarning", "Error", "Verdict", "assert_right", "judge"]


class Error(Exception):
    """A call that cannot be judged: an unknown operator, operands that it does not take, or no program assay."""


class AssayWarning(UserWarning):
    """A result that may be right or wrong: for these operands a wrong answer would pass as well."""


class Verdict:
    """What assay says about one result.

    right             False: the result is wrong. True: nothing is known to be wrong
    cannot_tell       True if a wrong answer would pass too, or the verdict depends on something that the profile leaves open
    status            "pass", "fail", "vacuous", … as in a results file
    rule, reason      the rule that the result violates, and how; None if it violates none
    diagnosis         a sentence: the defect that explains every element, an ill-conditioned problem, or "not explained"
    hypothesis        the name of that defect, or None
    error_over_bound  the greatest error, in error bounds: above 1 it is wrong
    ulp               the greatest error in units in the last place
    implausible       the error relative to independent rounding, where it is above 1; else None
    resolution        the least relative error of a whole result that would have been noticed; None if none would
    worst             the element with the greatest error: a dict with where, inputs, truth, got, bound
    bundle            the file that holds this call if it is kept (only of results that are not right), else None
    replay            the command that judges the call again, or None
    """

    def __init__(self, operator, answer):
        self.operator, self.answer = operator, answer
        self.status, self.rule, self.reason = answer.get("status"), answer.get("rule"), answer.get("reason")
        self.right = self.status in ("pass", "vacuous") and not answer.get("fails")
        self.cannot_tell = bool(answer.get("cannot_tell"))
        self.diagnosis, self.hypothesis = answer.get("diagnosis"), answer.get("hypothesis")
        self.error_over_bound, self.ulp = real(answer.get("max_nu")), real(answer.get("max_ulp"))
        self.implausible, self.resolution = real(answer.get("implausible")), real(answer.get("resolution"))
        self.worst = answer.get("worst") or {}
        self.bundle = self.replay = None

    def __bool__(self):
        return self.right

    def __repr__(self):
        word = "right" if self.right and not self.cannot_tell else "cannot tell" if self.right else "wrong"
        return "<assay: %s is %s: %s>" % (self.operator, word, self.diagnosis or self.reason or self.status)

    def __str__(self):
        """The report: what is wrong, the worst element, and the command that replays the call."""
        word = "is wrong" if not self.right else "may be right or wrong" if self.cannot_tell else "is right"
        lines = ["%s %s" % (self.operator, word)]
        rows = [("status", self.status), ("reason", self.reason), ("diagnosis", self.diagnosis)]
        rows += [(name, self.worst.get(key)) for name, key in (("worst element", "where"), ("", "inputs"), ("truth", "truth"),
                                                              ("got", "got"), ("bound", "bound"))]
        rows += [("error / bound", self.error_over_bound), ("ulp", self.ulp), ("implausible", self.implausible),
                 ("resolution", self.resolution), ("replay", self.replay)]
        return "\n".join(lines + ["  %-14s %s" % (name, text) for name, text in rows if text is not None])


def real(value):
    """Returns a number of an answer as a float; None where it is unknown."""
    number = float(value) if isinstance(value, (int, float, str)) and value != "" else None
    return None if number is None or number != number else number


# --- tensors

def is_torch(x):
    return type(x).__module__.split(".")[0] == "torch" or any(t.__module__.split(".")[0] == "torch" for t in type(x).__mro__)


def described(x, what):
    """Returns dtype, shape, strides in elements, and the bytes of the elements in row-major order."""
    if is_torch(x):
        dtype, strides = str(x.dtype).split(".")[-1], list(x.stride())
        host = x.detach().to("cpu").resolve_conj().resolve_neg().contiguous()
        data = ctypes.string_at(host.data_ptr(), host.numel() * host.element_size()) if host.numel() else b""
    elif hasattr(x, "__array_interface__"):
        dtype = x.dtype.name
        if dtype in assay_bundle.DESCR and x.dtype.byteorder == ">":
            x = x.astype(x.dtype.newbyteorder("<"))
        strides = [s // x.dtype.itemsize for s in x.strides]
        data = x.tobytes()
    else:
        raise Error("%s is a %s; give a numpy array or a torch tensor" % (what, type(x).__name__))
    if dtype not in assay_bundle.DESCR:
        raise Error("%s is of dtype %s; assay has %s" % (what, dtype, ", ".join(assay_bundle.DESCR)))
    return dtype, list(x.shape), strides, data


def operand(x, i):
    if x is None:
        return None
    dtype, shape, strides, data = described(x, "operand %d" % i)
    return {"dtype": dtype, "shape": shape, **assay_bundle.layout(i, shape, strides, assay_bundle.itemsize(dtype)), "data": data}


def plain(key, value):
    """Returns an attribute as JSON has it."""
    if hasattr(value, "tolist") and not isinstance(value, (bool, int, float, str)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        value = [plain(key, one) for one in value]
    if not isinstance(value, (bool, int, float, str, list)):
        raise Error("the attribute %s is a %s; give a number, True or False, a word, or a list of integers"
                    % (key, type(value).__name__))
    return value


# --- the process

class Judge:
    """The process `assay judge`, started when it is first needed; one for each process of Python."""

    def __init__(self):
        self.lock, self.process, self.owner, self.folder = threading.Lock(), None, None, None

    @staticmethod
    def program():
        here = os.path.dirname(os.path.abspath(__file__))
        beside = [os.path.join(here, *path) for path in (("..", "..", "..", "bin", "assay"), ("..", "..", "build", "assay"))]
        for path in [os.environ.get("ASSAY_PROGRAM")] + beside + [shutil.which("assay")]:
            if path and os.access(path, os.X_OK):
                return path
        raise Error("there is no program assay: set ASSAY_PROGRAM, or put it on PATH")

    def start(self):
        try:
            self.process = subprocess.Popen([self.program(), "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as fault:
            raise Error("the program assay cannot be started: %s" % fault) from None
        self.owner = os.getpid()
        ram = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="assay-", dir=ram)
        if not self.process.stdout.readline().startswith(b'{"assay"'):
            self.stop()
            raise Error("%s does not know the command judge: it is another program, or an older assay" % self.program())

    def stop(self):
        process, self.process = self.process, None
        if process and self.owner == os.getpid():
            process.stdin.close()
            process.stdout.close()
            process.kill()
            process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, write, seconds):
        """Writes a bundle with write(path) and returns the answer about it, and the bundle's path."""
        if not self.process or self.owner != os.getpid() or self.process.poll() is not None:
            self.stop()
            self.start()
        path = os.path.join(self.folder, "call.zip")
        write(path)
        try:
            self.process.stdin.write(json.dumps({"bundle": path}).encode() + b"\n")
            self.process.stdin.flush()
            late = not select.select([self.process.stdout], [], [], seconds)[0]
            line = b"" if late else self.process.stdout.readline()
        except OSError:
            late, line = False, b""
        if not line:
            ended = None if late else self.process.wait()
            self.stop()
            raise Error("assay judge did not answer within %g s; give more with seconds=" % seconds if late
                        else "assay judge ended (exit status %d); its last words stand above" % ended)
        answer = json.loads(line)
        if "error" in answer:
            raise Error(answer["error"].replace(path + ": bundle.json: ", "").replace(path + ": ", ""))
        return answer, path


keeper = Judge()
atexit.register(keeper.stop)


def profile_of(word, operator):
    """Returns the members of a profile: a dict as it is, or that of a name of profiles.json."""
    if isinstance(word, dict):
        return word
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiles.json"), encoding="utf-8") as file:
        named = json.load(file)
    if word not in named:
        raise Error("there is no profile %r; give a dict, or one of %s" % (word, ", ".join(named)))
    return {key: [name for name in value if name == operator] if isinstance(value, list) else value
            for key, value in named[word].items()}


def keep(path, operator):
    """Copies the bundle of a result that is not right to where it can be replayed, and returns its place."""
    folder = os.environ.get("ASSAY_FAILURES") or os.path.join(tempfile.gettempdir(), "assay-failures-%d" % os.getuid())
    os.makedirs(folder, mode=0o700, exist_ok=True)
    handle, kept = tempfile.mkstemp(prefix=operator.replace("/", "_") + "-", suffix=".zip", dir=folder)
    os.close(handle)
    shutil.copyfile(path, kept)
    return kept


def judge(operator, operands, result, *, profile="opencl", seconds=600, **attributes):
    """Judges a result and returns a Verdict.

    operator    "softmax", "layer_norm", "add_" …; PyTorch's paths ("torch.softmax", "nn.LayerNorm") name the same operators
    operands    a list of arrays or tensors; None for one that is left out
    result      one array or tensor, or a tuple of them: the results in PyTorch's order; of an in-place operator the operands that
                it overwrites, as they are after the call
    profile     what the kernel promises: a name, or a dict with the members of docs/reference/profile.md. "opencl": OpenCL's
                precision, 16-bit sums in float32, subnormals may be flushed. "ieee", "torch:cpu", "torch:cuda", "torch:mps" and
                "numpy" promise more, "none" nothing. A promise tightens the error bounds
    seconds     how long assay may take

    Raises Error where the call cannot be judged.
    """
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    inputs = [operand(x, i) for i, x in enumerate(operands)]
    given = [described(x, "result %d" % o) for o, x in enumerate(results)]
    sent = {key: plain(key, value) for key, value in attributes.items() if value is not None}
    members = profile_of(profile, operator)

    def write(path):
        assay_bundle.write(path, operator, sent, inputs, [(dtype, shape, data) for dtype, shape, _, data in given], "recorded",
                           members, {"device": "Python %d.%d" % sys.version_info[:2]})

    with keeper.lock:
        answer, path = keeper.ask(write, seconds)
        verdict = Verdict(operator, answer)
        if answer.get("status") == "error":
            raise Error(answer.get("reason") or "assay could not judge this call")
        if not verdict.right or verdict.cannot_tell:
            verdict.bundle = keep(path, operator)
            verdict.replay = "assay repro %s" % verdict.bundle
    return verdict


def assert_right(operator, operands, result, *, profile="opencl", seconds=600, strict=False, **attributes):
    """Judges a result as judge() does and raises AssertionError, with the report, if it is wrong.

    A result of which assay cannot tell raises with strict=True; otherwise it warns with AssayWarning. Returns the Verdict.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    verdict = judge(operator, operands, result, profile=profile, seconds=seconds, **attributes)
    if not verdict.right or (strict and verdict.cannot_tell):
        raise AssertionError(str(verdict))
    if verdict.cannot_tell:
        warnings.warn(str(verdict), AssayWarning, stacklevel=2)
    return verdict

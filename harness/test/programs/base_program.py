# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""clamp_ and fill_ on harness/adapters/assay_exec.py with nothing but the standard library, and a few operators that
imitate what adapters meet: exceptions of each kind, a result on another device, a library that writes to stdout and
reads stdin."""

import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "adapters"))
import assay_exec  # noqa: E402 (its folder is named above)
from assay_exec import Rejected, Unsupported  # noqa: E402

print("a banner of the library's on stdout")
os.write(1, b"another one, past Python\n")
assert sys.stdin.read() == "", "a library reads no request"


def limit(a, name, operand, shape, dtype):
    """The limit of each element, from a tensor that broadcasts or an attribute; None: there is none."""
    count = math.prod(shape)
    if operand is not None:
        if operand.dtype != dtype and dtype == "int32":
            raise Rejected("result type %s can't be cast to int32" % operand.dtype)
        if operand.dtype != dtype:
            raise Unsupported("limits of another dtype")
        return broadcast(operand, shape)
    return [a[name]] * count if a.get(name) is not None else None


def broadcast(operand, shape):
    lead = len(shape) - len(operand.shape)
    if lead < 0 or any(n not in (1, m) for n, m in zip(operand.shape, shape[lead:])):
        raise Rejected("a limit of shape %s does not broadcast to %s" % (operand.shape, shape))
    values, found = operand.read(), []
    for i in range(math.prod(shape)):
        at, step = 0, 1
        for n, m in zip(reversed(operand.shape), reversed(shape)):
            at, step, i = at + (i % m if n > 1 else 0) * step, step * n, i // m
        found.append(values[at])
    return found


def overlaps(x, other):
    return other is not None and other.storage is x.storage and set(x.places) & set(other.places) and x.places != other.places


def clamp(a, x, low=None, high=None):
    if len(set(x.places)) < len(x.places) or overlaps(x, low) or overlaps(x, high):
        raise Rejected("the written operand overlaps itself or another one")
    values = x.read()
    least, greatest = (limit(a, name, operand, x.shape, x.dtype) for name, operand in (("min", low), ("max", high)))
    for i, value in enumerate(values):
        for bound, choose in ((least, max), (greatest, min)):
            value = value if bound is None else math.nan if value != value or bound[i] != bound[i] else choose(value, bound[i])
        values[i] = value
    print("clamped", len(values))
    os.write(1, b"on stdout in the middle of an answer\n")
    x.write(values)


def sign(a, x):
    """Nothing here knows more: the elements in row-major order, through any strides and offset."""
    return [(x.dtype, x.shape, [value if value != value else math.copysign(value != 0, value) for value in x.read()])]


def fill(a, x):
    x.write([a["value"]] * len(x.places))


LOST = []


def lose(a, x):
    """From here on nothing works in this process."""
    LOST.append(True)
    raise RuntimeError("the device is lost" if len(LOST) == 1 else "it was lost before")


def fails(kind, *words):
    def operator(a, *operands):
        raise kind(*words)
    return operator


class Base(assay_exec.Adapter):
    name, version, device = "base", "1", "the host"
    dtypes = ("float32", "float64", "int32")
    operators = {"clamp_": clamp, "sign": sign, "sgn": sign, "square": sign, "logdet": fails(RuntimeError, "broken"),
                 "slogdet": fails(NotImplementedError, "later"), "matrix_exp": fails(ValueError, "no kernel for this"),
                 "matmul": fails(ValueError, "shapes do not fit"), "linear": fails(MemoryError),
                 "vector_norm": lose, "fill_": fill}
    only = {"sign": "float32", "clamp_": "float32 int32", "fill_": "float32"}
    missing, refusals, fatal = ("no kernel",), ("do not fit",), ("device is lost",)
    profile = {"rounding": "rte", "subnormals": "kept", "invariance": "bits", "sgn_zero": "kept"}

    def elsewhere(self, results, caught):
        return "the CPU" if results and results[0][0] == "float64" else None


Base().serve()

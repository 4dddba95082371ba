# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Writes bundles as `assay repro --bundle` does, but without the truth: one call of an operator with its results in one file.

A bundle is a zip archive of uncompressed members: bundle.json, input-I.npy for each operand, got-O.npy for each judged result.
It needs only the standard library.
"""

import json
import math
import os
import zipfile

DESCR = {"float16": "<f2", "bfloat16": "<u2", "float32": "<f4", "float64": "<f8", "complex64": "<c8", "int8": "|i1",
         "uint8": "|u1", "int32": "<i4", "int64": "<i8", "bool": "|b1"}


def itemsize(dtype):
    return int(DESCR[dtype][2:])


def array(dtype, shape, data):
    """Returns a .npy file, byte for byte as numpy.save writes it; bfloat16 as its bits."""
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (DESCR[dtype], tuple(shape))
    length = -(-(10 + len(text) + 1) // 64) * 64 - 10
    return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + text.ljust(length - 1).encode() + b"\n" + data


def number(value):
    """Returns a number as JSON has it: infinities and NaN as words."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def layout(storage, shape, strides, size):
    """Returns the members of an operand in a storage of its own, as small as its strides (in elements) permit."""
    if 0 in shape:
        return {"storage": storage, "bytes": 0, "strides": list(strides), "offset": 0}
    ends = [(n - 1) * s for n, s in zip(shape, strides)]
    low, high = sum(e for e in ends if e < 0), sum(e for e in ends if e > 0)
    return {"storage": storage, "bytes": (high - low + 1) * size, "strides": list(strides), "offset": -low}


def rows(shape):
    """Returns the strides of a row-major tensor, in elements."""
    return [math.prod(max(n, 1) for n in shape[d + 1:]) for d in range(len(shape))]


def write(path, op, attributes, inputs, results, backend, profile, header):
    """Writes a bundle under a temporary name, then renames it.

    inputs: None for an operand that is left out, or its members (dtype, shape and those of layout()) with "data", the bytes of
    its elements in row-major order. results: (dtype, shape, bytes) of each judged tensor.
    """
    described = [one and {**{key: value for key, value in one.items() if key != "data"}, "origin": "undeclared", "filler": False}
                 for one in inputs]
    members = {
        "assay_bundle": 1, "replay": "assay repro FILE, with -b BACKEND on another backend", "id": None, "op": op,
        "attributes": {key: number(value) for key, value in attributes.items()}, "exact": False, "seed": 1, "repeat": 1,
        "inputs": described,
        "outputs": [{"dtype": dtype, "shape": list(shape), "answered": True, "truth": False} for dtype, shape, _ in results],
        "backend": backend, "profile": profile, "declared_order": False, "header": header,
        "verdict": {"status": "pass", "rule": None, "reason": None, "diagnosis": "", "hypothesis": None}, "shrunk": None}
    files = [("bundle.json", json.dumps(members, indent=1).encode())]
    files += [("input-%d.npy" % i, array(one["dtype"], one["shape"], one["data"])) for i, one in enumerate(inputs) if one]
    files += [("got-%d.npy" % o, array(*result)) for o, result in enumerate(results)]
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    os.replace(path + ".new", path)

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""The directory of a capture: a bundle of assay for each recorded call, and capture.json, which lists the calls in order.

A bundle is a zip archive of uncompressed members, as `assay repro --bundle` writes it, but without the truth: input-I.npy,
got-O.npy and bundle.json. Every file gets its name only once it is complete.
"""

import ctypes
import json
import os
import re

import torch

import assay_bundle
from capture_calls import Number, Unfit
from torch_profile import NAMES

OWN = re.compile(r"(capture\.json|\d{6,}-\w+\.zip)(\.new)?$")  # the names of a capture's files
ALIGNED = 64  # bytes; what operands' addresses are counted from
RANK_MOST = 8


class Refused(Exception):
    """The directory cannot hold a capture."""


def prepare(path):
    """Makes the directory, or empties it if it holds nothing but an older capture."""
    try:
        os.makedirs(path, exist_ok=True)
        names = os.listdir(path)
        strange = sorted(name for name in names if not OWN.match(name))
        if strange:
            raise Refused("%s holds other files than a capture (%s): name another directory with --output" % (path, strange[0]))
        for name in sorted(names):  # capture.json comes last: digits are before letters
            os.remove(os.path.join(path, name))
    except OSError as fault:
        raise Refused("%s cannot hold a capture: %s" % (path, fault.strerror)) from None


def write(path, data):
    """Writes a file under a temporary name, then renames it."""
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.replace(path + ".new", path)


def write_list(path, members):
    write(os.path.join(path, "capture.json"), (json.dumps(members, indent=1) + "\n").encode())


# --- arrays

def name_of(dtype):
    if dtype not in NAMES or dtype.is_complex:
        raise Unfit("an operand of dtype %s" % str(dtype).split(".")[-1])
    return NAMES[dtype]


def values(tensor):
    """Returns the bytes of a tensor's elements in row-major order."""
    host = tensor.detach().to("cpu").contiguous()
    if host.is_neg():
        host = host.resolve_neg()
    return ctypes.string_at(host.data_ptr(), host.numel() * host.element_size()) if host.numel() else b""


def extent(tensor):
    """Returns the addresses of a tensor's first byte and of the byte behind its last one."""
    start = tensor.data_ptr()
    return start, start + (sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride())) + 1) * tensor.element_size()


def layouts(operands):
    """Returns storage, bytes, strides and offset of each operand. Operands whose memory overlaps share a storage, which begins at a
    multiple of 64 bytes and ends behind the last element."""
    found, tensors = [], [x for x in operands if isinstance(x, torch.Tensor) and x.numel()]
    for i, x in enumerate(operands):
        if not isinstance(x, torch.Tensor):
            size = 0 if x is None else torch.tensor([], dtype=x.dtype).element_size()
            found.append({"storage": i, "bytes": size, "strides": [], "offset": 0})
            continue
        if not x.numel():
            found.append({"storage": i, "bytes": 0, "strides": list(x.stride()), "offset": 0})
            continue
        low, high = extent(x)
        for _ in tensors:  # until nothing more overlaps
            for y in tensors:
                first, last = extent(y)
                if y.device == x.device and first < high and low < last:
                    low, high = min(low, first), max(high, last)
        first, size = low - low % ALIGNED, x.element_size()
        shared = next(j for j, y in enumerate(operands) if isinstance(y, torch.Tensor) and y.numel() and y.device == x.device
                      and low <= y.data_ptr() < high)
        one = {"storage": shared, "bytes": high - first, "strides": list(x.stride()), "offset": (x.data_ptr() - first) // size}
        if high - first > max(64 * x.numel() * size, 1 << 20) or (high - first > 256 << 20 and (high - first) // 2 > x.numel() * size):
            if shared != i or sum(low <= y.data_ptr() < high for y in tensors if y.device == x.device) > 1:
                raise Unfit("operands that share memory far larger than they are")
            one = {"storage": i, "bytes": x.numel() * size, "strides": assay_bundle.rows(x.shape), "offset": 0}
        found.append(one)
    return found


def check(x):
    if isinstance(x, torch.Tensor):
        strange = type(x).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__
        if strange or x.layout != torch.strided or x.device.type == "meta" or x.is_quantized:
            raise Unfit("an operand that is no dense tensor in memory")
        if x.dim() > RANK_MOST:
            raise Unfit("an operand of more than %d dimensions" % RANK_MOST)
        name_of(x.dtype)


# --- bundles

def profile_for(op, profile):
    """Returns a profile with lists that name no other operator than `op`."""
    return {key: [name for name in value if name == op] if isinstance(value, list) else value for key, value in profile.items()}


class Bundle:
    """One call: its operands, copied before the call, and later its results."""

    def __init__(self, call):
        operands, self.call = call.operands, call
        for x in operands:
            check(x)
        self.inputs = [x and self.described(x, layout) for x, layout in zip(self.plain(operands), layouts(operands))]
        self.size = sum(one["size"] for one in self.inputs if one)
        self.results = []

    @staticmethod
    def plain(operands):
        return [x if isinstance(x, (Number, type(None))) else (x,) for x in operands]  # a tensor has no truth value

    @staticmethod
    def described(x, layout):
        if isinstance(x, Number):
            return {"dtype": name_of(x.dtype), "shape": [], "tensor": torch.tensor(x.value, dtype=x.dtype), "layout": layout,
                    "size": layout["bytes"]}
        x = x[0]
        return {"dtype": name_of(x.dtype), "shape": list(x.shape), "tensor": x, "layout": layout, "size": x.numel() * x.element_size()}

    def copy(self):
        """Copies the operands' values, before the call overwrites some of them."""
        for one in self.inputs:
            if one:
                one["data"] = values(one.pop("tensor"))

    def answer(self, results):
        """Takes the results that are judged."""
        call = self.call
        written = [results[call.copied] if call.copied is not None else call.operands[i] for i in call.written]
        self.results = [(name_of(x.dtype), list(x.shape), values(x)) for x in written + [self.result(results, i) for i in call.taken]]
        self.size += sum(len(data) for _, _, data in self.results)

    @staticmethod
    def result(results, taken):
        return taken if isinstance(taken, torch.Tensor) else results[taken]

    def write(self, path, backend, profile, header):
        call = self.call
        inputs = [one and {"dtype": one["dtype"], "shape": one["shape"], **one["layout"], "data": one["data"]} for one in self.inputs]
        assay_bundle.write(path, call.op, call.attributes, inputs, self.results, backend, profile_for(call.op, profile), header)

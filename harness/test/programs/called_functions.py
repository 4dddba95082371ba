# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Functions for `--backend call:`, right and wrong ones; most stand for softmax. CALLED_ON=torch: on tensors, else on numpy."""

import os

if os.environ.get("CALLED_ON") == "torch":
    import torch

    HALF = torch.float16
    copy, empty_like, exp, log = torch.clone, torch.empty_like, torch.exp, torch.log

    def amax(x, dim):
        return torch.amax(x, dim, keepdim=True)

    def total(x, dim):
        return torch.sum(x, dim, keepdim=True)

    def cast(x, dtype):
        return x.to(dtype)

    def address(x):
        return x.data_ptr()
else:
    import numpy

    HALF = numpy.float16
    copy, empty_like, exp, log = numpy.copy, numpy.empty_like, numpy.exp, numpy.log

    def amax(x, dim):
        return x.max(axis=dim, keepdims=True)

    def total(x, dim):
        return x.sum(axis=dim, keepdims=True)

    def cast(x, dtype):
        return x.astype(dtype)

    def address(x):
        return x.ctypes.data

ASSAY_DTYPES = ["float32", "float64"]
ASSAY_PROFILE = {"range": ["layer_norm"]}
remembered, buffers, calls = {}, {}, [0]


# --- right, in three forms

def softmax(x, dim):
    if x.shape[dim] == 0:
        return copy(x)
    e = exp(x - amax(x, dim))
    return e / total(e, dim)


def by_reciprocal(x, dim):
    if x.shape[dim] == 0:
        return copy(x)
    e = exp(x - amax(x, dim))
    return e * (1 / total(e, dim))


def by_logarithm(x, dim):
    if x.shape[dim] == 0:
        return copy(x)
    y = x - amax(x, dim)
    return exp(y - log(total(exp(y), dim)))


def add(x, y, alpha=1):
    return x + y if alpha == 1 else x + alpha * y


def add_(x, y):
    x += y


def matmul(x, y):
    return x @ y


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    centered = x - total(x, -1) / x.shape[-1]
    y = centered / (total(centered * centered, -1) / x.shape[-1] + eps) ** 0.5
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


# --- wrong numbers

def tiny_is_zero(x, dim):
    y = softmax(x, dim)
    y[y < 1e-12] = 0
    return y


def half_sums(x, dim):
    if x.shape[dim] == 0:
        return copy(x)
    e = exp(x - amax(x, dim))
    return e / cast(total(cast(e, HALF), dim), x.dtype)


# --- wrong with memory

def overwrites(x, dim):
    y = softmax(x, dim)
    x[...] = 0
    return y


def clone(x):
    return x


def returns_operand(x, dim):
    x[...] = softmax(x, dim)
    return x


def same_buffer(x, dim):
    key = (tuple(x.shape), x.dtype)
    buffers.setdefault(key, empty_like(x))[...] = softmax(x, dim)
    return buffers[key]


def changes_last(x, dim):
    y = softmax(x, dim)
    if "last" in buffers:
        buffers["last"][...] = 0
    buffers["last"] = y
    return y


def unwritten(x, dim):
    y = empty_like(x)
    right = softmax(x, dim)
    if y.shape[0] > 1:
        y[:-1] = right[:-1]
    else:
        y[...] = right
    return y


# --- wrong with state

def by_address(x, dim):
    key = (address(x), tuple(x.shape), x.dtype)
    if key not in remembered:
        remembered[key] = softmax(x, dim)
    return copy(remembered[key])


def by_shape(x, dim):
    key = (tuple(x.shape), x.dtype)
    if key not in remembered:
        remembered[key] = softmax(x, dim)
    return copy(remembered[key])


def first_sizes(x, dim):
    """Sums as many columns as the first call had."""
    n = remembered.setdefault("n", x.shape[dim])
    e = exp(x - amax(x, dim))
    return e / total(e[:, :n] if x.ndim == 2 else e, dim)


def first_buffer(x, dim):
    """Works in memory that the first call has made."""
    work = buffers.setdefault("work", empty_like(x))
    work[...] = x
    return softmax(work, dim)


def random_last_bit(x, dim):
    """Its results differ in the last bits from call to call."""
    calls[0] += 1
    return softmax(x, dim) * (1 + calls[0] % 2 * 2.0**-23)


# --- wrong results and exceptions

def nothing(x, dim):
    softmax(x, dim)


def short(x, dim):
    return softmax(x, dim)[:1]


def half_result(x, dim):
    return cast(softmax(x, dim), HALF)


def two(x, dim):
    return softmax(x, dim), softmax(x, dim)


def a_number(x, dim):
    return 1.5


def raises(x, dim):
    raise ValueError("no such luck")


def only_matrices(x, dim):
    if x.ndim != 2:
        raise NotImplementedError("only matrices")
    return softmax(x, dim)

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's attention as calls of PyTorch, for torch_operators.py.

PyTorch computes attention in one of several ways, which round differently. ASSAY_TORCH_ATTENTION names the way: math (the default,
which takes every call), flash, efficient, cudnn, or all, PyTorch's own choice for each call.
"""

import contextlib
import os

import torch

WAYS = {"math": "MATH", "flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "cudnn": "CUDNN_ATTENTION"}
WAY = os.environ.get("ASSAY_TORCH_ATTENTION", "math")
OFFERED = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
GROUPS = "enable_gqa" in (getattr(OFFERED, "__doc__", None) or "")  # from 2.5 on
# Since 2.5 the way math computes 16-bit operands in float32 unless this is set, before it in their own dtype.
REDUCED = "allow_fp16_bf16_reduction_math_sdp"
IN_FLOAT32 = WAY == "math" and hasattr(torch.backends.cuda, REDUCED)


def way():
    """Returns a context in which PyTorch computes attention in the way that was asked for and in no other."""
    if WAY == "all":
        return contextlib.nullcontext()
    attention = getattr(torch.nn, "attention", None)
    if hasattr(attention, "sdpa_kernel"):  # from 2.3 on
        if not hasattr(attention.SDPBackend, WAYS[WAY]):
            raise NotImplementedError("PyTorch has no %s attention here" % WAY)
        return attention.sdpa_kernel(getattr(attention.SDPBackend, WAYS[WAY]))
    if WAY == "cudnn":
        raise NotImplementedError("PyTorch has no cudnn attention here")
    return torch.backends.cuda.sdp_kernel(enable_math=WAY == "math", enable_flash=WAY == "flash",
                                          enable_mem_efficient=WAY == "efficient")


def heads(query, x):
    """Returns the keys or values of as many heads as the query has, each of which consecutive heads of the query share."""
    if x.dim() < 3 or query.dim() < 3 or not x.shape[-3] or query.shape[-3] % x.shape[-3]:
        raise RuntimeError("Number of heads in key and value must divide the number of heads in query")
    return x.repeat_interleave(query.shape[-3] // x.shape[-3], -3)


def attention(a, query, key, value, mask=None):
    if OFFERED is None:
        raise NotImplementedError("scaled_dot_product_attention: PyTorch has it from 2.0 on")
    words = {"is_causal": bool(a.get("is_causal", False))}
    if "scale" in a:
        words["scale"] = a["scale"]
    if a.get("enable_gqa") and GROUPS:
        words["enable_gqa"] = True
    elif a.get("enable_gqa"):
        key, value = heads(query, key), heads(query, value)
    try:
        with way():
            return OFFERED(query, key, value, mask, 0.0, **words)
    except TypeError as fault:
        if "scale" in words and "scale" in str(fault):
            raise NotImplementedError("scaled_dot_product_attention: PyTorch has `scale` from 2.1 on") from None
        raise


def attention_gradient(a, grad, query, key, value, mask=None):
    """Autograd's gradients of query, key and value, and of a mask of numbers."""
    query, key, value = inputs = [x.detach().requires_grad_() for x in (query, key, value)]
    if mask is not None and mask.is_floating_point():
        mask = mask.detach().requires_grad_()
        inputs.append(mask)
    return torch.autograd.grad(attention(a, query, key, value, mask), inputs, grad)


def empty_row(device):
    """Finds out what the chosen way gives for a query for which no key takes part: 0, NaN, or not known."""
    try:
        x = torch.ones(1, 1, 1, 8, device=device)
        y = attention({}, x, x, x, torch.zeros(1, 1, dtype=torch.bool, device=device))
        return "nan" if y.isnan().all() else "zero" if not y.any() else "open"
    except (NotImplementedError, RuntimeError):
        return "open"


def set_math():
    """Forbids the way math to compute 16-bit operands in their own dtype."""
    if hasattr(torch.backends.cuda, REDUCED):
        torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(False)


OPERATORS = {"scaled_dot_product_attention": attention, "scaled_dot_product_attention_backward": attention_gradient} if OFFERED else {}

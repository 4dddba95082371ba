# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's quantization operators as calls of PyTorch, for torch_operators.py."""

import torch


def channel_of(a, x):
    """Returns the channel axis counted from the front, as PyTorch needs it."""
    axis = a["axis"]
    return axis + x.dim() if -x.dim() <= axis < 0 else axis


def quantized(a, x, scales=None, zero_points=None):
    """Returns the integers of a quantized tensor. PyTorch always uses the interval of the dtype."""
    if "quant_min" in a or "quant_max" in a:
        raise NotImplementedError("quantize_per_tensor and quantize_per_channel have the dtype's interval")
    dtype = {"int8": torch.qint8, "uint8": torch.quint8, "int32": torch.qint32}[a["dtype"]]
    if scales is None:
        return torch.quantize_per_tensor(x, a["scale"], a["zero_point"], dtype).int_repr()
    return torch.quantize_per_channel(x, scales, zero_points, channel_of(a, x), dtype).int_repr()


def dequantized(a, x, scales=None, zero_points=None):
    if a.get("out_dtype", "float32") != "float32":
        raise NotImplementedError("quantized tensors become float32")
    if scales is None:
        return torch._make_per_tensor_quantized_tensor(x, a["scale"], a["zero_point"]).dequantize()
    return torch._make_per_channel_quantized_tensor(x, scales, zero_points, channel_of(a, x)).dequantize()


def fake_quantized(a, x, scale=None, zero_point=None):
    if scale is None:
        return torch.fake_quantize_per_tensor_affine(x, a["scale"], a["zero_point"], a["quant_min"], a["quant_max"])
    return torch.fake_quantize_per_channel_affine(x, scale, zero_point, channel_of(a, x), a["quant_min"], a["quant_max"])


def fake_quantized_backward(a, grad, x, *parameters):
    x = x.detach().requires_grad_(True)
    return torch.autograd.grad(fake_quantized(a, x, *parameters), x, grad)[0]


OPERATORS = {
    "quantize_per_tensor": quantized,
    "quantize_per_channel": quantized,
    "dequantize_per_tensor": dequantized,
    "dequantize_per_channel": dequantized,
    "fake_quantize_per_tensor_affine": fake_quantized,
    "fake_quantize_per_channel_affine": fake_quantized,
    "fake_quantize_per_tensor_affine_backward": fake_quantized_backward,
    "fake_quantize_per_channel_affine_backward": fake_quantized_backward,
    **({"int_mm": lambda a, x, y: torch._int_mm(x, y)} if hasattr(torch, "_int_mm") else {}),
}

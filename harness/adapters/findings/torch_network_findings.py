# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Wrong results of PyTorch's convolutions, pooling, embedding and attention, in plain calls; torch_findings.py runs them."""

import sys

import torch
from finding import apart, raised

DEVICE = next((word for word in sys.argv[1:] if not word.startswith("-")), "cpu")
F = torch.nn.functional


def tensor(values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, device=DEVICE)


def transposed_convolution_of_bfloat16():
    """conv_transpose1d of bfloat16, of 5 ones and 3 taps (1, 2, 3), is conv1d: 3 numbers, and 7 are right. Channels that differ raise."""
    x, weight = torch.ones(1, 1, 5, dtype=torch.bfloat16, device=DEVICE), tensor([[[1, 2, 3]]], torch.bfloat16)
    got = raised(lambda: F.conv_transpose1d(x, weight).flatten().tolist())
    return [1, 3, 6, 6, 6, 5, 3], got, got == [1, 3, 6, 6, 6, 5, 3]


def attention_of_no_heads():
    """scaled_dot_product_attention of [2, 0, 5, 8], in a process of its own: on the CPU an integer is divided by 0."""
    code = apart("import torch; q = torch.ones(2, 0, 5, 8); torch.nn.functional.scaled_dot_product_attention(q, q, q)")
    return "exit status 0", "signal %d" % -code if code < 0 else "exit status %d" % code, code == 0


def attention_of_fewer_values_than_keys():
    """scaled_dot_product_attention of 5 keys and 4 values on the CPU has a result; the way math refuses them."""
    x = torch.ones(1, 1, 5, 8)
    got = raised(lambda: tuple(F.scaled_dot_product_attention(x, x, x[:, :, :4]).shape))
    return "RuntimeError", got, isinstance(got, str)


def convolution_rounds_before_the_bias():
    """conv1d of float16: 2048 + 1, then the bias 1. The sum is rounded to float16 before the bias is added to it."""
    x, weight = tensor([[[2048, 1]]], torch.float16), tensor([[[1, 1]]], torch.float16)
    got = F.conv1d(x, weight, tensor([1], torch.float16)).item()
    return 2050.0, got, got == 2050


def gradient_of_an_embedding_without_width():
    """The gradient of an embedding of width 0, in a process of its own: on CUDA an illegal memory access."""
    code = apart("import torch; torch.ops.aten.embedding_dense_backward(torch.ones(3, 0, device='cuda'), torch.tensor([0, 1, 1],"
                 " device='cuda'), 4, -1, False); torch.cuda.synchronize()")
    return "exit status 0", "exit status %d" % code, code == 0


def gradient_of_the_average_of_channels_last():
    """The gradient of avg_pool2d by 2 × 2 with padding 1: of an image without gaps, and of the same with its channels innermost."""
    got = []
    for form in (torch.contiguous_format, torch.channels_last):
        x = torch.zeros(1, 2, 4, 4, device=DEVICE).to(memory_format=form).requires_grad_()
        grad = torch.arange(9.0, device=DEVICE).reshape(1, 1, 3, 3).expand(1, 2, 3, 3)
        got.append(torch.autograd.grad(F.avg_pool2d(x, 2, padding=1), x, grad)[0][0, 0].flatten().tolist())
    return got[0], got[1], got[0] == got[1]


def gradient_of_a_depthwise_volume():
    """The gradient of the weight of conv3d with as many groups as channels, in float16: 2048 + 1 + 1 over three samples."""
    x = tensor([2048, 1, 1], torch.float16).reshape(3, 1, 1, 1, 1).expand(3, 2, 1, 1, 1).contiguous()
    weight = torch.ones(2, 1, 1, 1, 1, dtype=torch.float16, device=DEVICE, requires_grad=True)
    F.conv3d(x, weight, groups=2).sum().backward()
    return [2050.0] * 2, weight.grad.flatten().tolist(), weight.grad.flatten().tolist() == [2050.0] * 2


def average_of_a_padded_volume():
    """avg_pool3d of a volume that is smaller than the kernel without its padding; avg_pool2d takes such an image."""
    x = torch.ones(1, 1, 2, 1, 4, device=DEVICE)
    got = raised(lambda: tuple(F.avg_pool3d(x, 2, padding=1).shape))
    return (1, 1, 2, 1, 3), got, got == (1, 1, 2, 1, 3)

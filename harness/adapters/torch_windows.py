# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's convolutions and pooling as calls of PyTorch, for torch_operators.py. The names end in the number of spatial
dimensions."""

import functools
import json
import math

import torch

DIMENSIONS = (1, 2, 3)


def each(a, name, rank, otherwise):
    """Returns the list `name` with one number for each spatial dimension."""
    numbers = a.get(name, [otherwise])
    return list(numbers) * rank if len(numbers) == 1 else list(numbers)


def attributes(a, rank, transposed=False):
    """Returns stride, padding, dilation and output_padding as PyTorch takes them. The fifth is None, or pairs begin, end of padding for
    each dimension, which PyTorch does not take."""
    stride, padding, dilation = each(a, "stride", rank, 1), each(a, "padding", rank, 0), each(a, "dilation", rank, 1)
    if a.get("same") and "padding" in a:
        raise RuntimeError("same and padding exclude each other")
    if transposed or len(padding) != 2 * rank:
        return stride, padding, dilation, each(a, "output_padding", rank, 0), None
    if min(padding) < 0:  # torch.nn.functional.pad would crop the input
        raise RuntimeError("negative padding is not supported")
    return stride, *alike([tuple(padding[2 * d: 2 * d + 2]) for d in range(rank)], dilation)


def alike(pairs, dilation):
    """Returns padding, dilation, output_padding, and the pairs if they are not what PyTorch takes: the same number at both ends."""
    if all(begin == end for begin, end in pairs):
        return [begin for begin, _ in pairs], dilation, [0] * len(pairs), None
    return [0] * len(pairs), dilation, [0] * len(pairs), pairs


def padded(x, pairs):
    """Returns x with zeros around it; torch.nn.functional.pad begins with the last dimension."""
    return x if pairs is None else torch.nn.functional.pad(x, [n for pair in reversed(pairs) for n in pair])


def cropped(x, pairs):
    """Undoes padded()."""
    for d, (begin, end) in enumerate(pairs or (), x.dim() - len(pairs or ())):
        x = x.narrow(d, begin, x.shape[d] - begin - end)
    return x


def convolution(rank):
    function = getattr(torch.nn.functional, "conv%dd" % rank)

    def call(a, x, weight, bias=None):
        stride, padding, dilation, _, pairs = attributes(a, rank)
        return function(padded(x, pairs), weight, bias, stride, "same" if a.get("same") else padding, dilation, a.get("groups", 1))
    return call


def transposed_convolution(rank):
    function = getattr(torch.nn.functional, "conv_transpose%dd" % rank)

    def call(a, x, weight, bias=None):
        stride, padding, dilation, more, _ = attributes(a, rank, True)
        return function(x, weight, bias, stride, padding, more, a.get("groups", 1), dilation)
    return call


def same_pairs(weight, dilation):
    """Returns the pairs of padding that make the result as large as the input; PyTorch has an odd rest at the end."""
    sums = [d * (kernel - 1) for d, kernel in zip(dilation, weight.shape[2:])]
    return [(total // 2, total - total // 2) for total in sums]


@functools.lru_cache(maxsize=64)
def result_shape(forward, words, shape, weight_shape, dtypes, device):
    """Returns the shape of the result, or raises what PyTorch's convolution of an empty batch raises. The gradient, which is called
    directly, checks less: in 1.13 groups of 0 end the process."""
    x, weight = (torch.empty(size, dtype=dtype, device=device) for size, dtype in zip(((0, *shape[1:]), weight_shape), dtypes))
    return (shape[0], *forward(json.loads(words), x, weight).shape[1:])


def convolution_gradient(rank, transposed):
    """aten::convolution_backward, which knows neither "same" nor pairs of padding, nor operands without a batch."""
    forward = (transposed_convolution if transposed else convolution)(rank)

    def call(a, grad, x, weight):
        if x.dim() not in (rank + 1, rank + 2) or weight.dim() != rank + 2 or grad.dim() != x.dim():
            raise RuntimeError("Mismatch in shape: the dimensions of grad_output, input and weight")
        alone, groups = x.dim() == rank + 1, a.get("groups", 1)
        if alone:
            grad, x = grad.unsqueeze(0), x.unsqueeze(0)
        shape = result_shape(forward, json.dumps(a), tuple(x.shape), tuple(weight.shape), (x.dtype, weight.dtype),
                             x.device)
        if grad.shape != shape:
            raise RuntimeError("Mismatch in shape: grad_output %s, result %s" % (tuple(grad.shape), shape))
        stride, padding, dilation, more, pairs = attributes(a, rank, transposed)
        if a.get("same"):
            padding, dilation, more, pairs = alike(same_pairs(weight, dilation), dilation)
        x = padded(x, pairs)
        by_input, by_weight, by_bias = torch.ops.aten.convolution_backward(
            grad, x, weight, [grad.shape[1]], stride, padding, dilation, transposed, more, groups, [True, True, True])
        by_input = cropped(by_input, pairs)
        return by_input.squeeze(0) if alone else by_input, by_weight, by_bias
    return call


def pooling(a, rank):
    """Returns kernel_size, stride, padding of a pooling; a stride that is left out is the kernel's size."""
    kernel = each(a, "kernel_size", rank, 1)
    return kernel, each(a, "stride", rank, 1) if a.get("stride") else kernel, each(a, "padding", rank, 0)


def max_pool(rank):
    function = getattr(torch.nn.functional, "max_pool%dd" % rank)

    def call(a, x):
        kernel, stride, padding = pooling(a, rank)
        return function(x, kernel, stride, padding, each(a, "dilation", rank, 1), bool(a.get("ceil_mode", False)),
                        return_indices=True)
    return call


def max_pool_gradient(rank):
    """aten's gradient of two or three dimensions; PyTorch pools one dimension as two, of which the first has size 1. The host looks
    at the indices first: on CUDA a wrong one writes out of bounds. They are handed over without gaps, as autograd does: in three
    dimensions the CPU reads them so however they lie. The gradient, which is called directly, checks no window; the forward does."""
    forward = max_pool(rank)

    def call(a, grad, x, indices):
        if grad.shape != indices.shape or grad.shape != forward(a, x)[0].shape:
            raise RuntimeError("Mismatch in shape: grad_output, input and indices")
        host, plane = indices.cpu(), math.prod(x.shape[-rank:])
        if host.numel() and not (0 <= host.min() and host.max() < plane):
            raise IndexError("an index is out of bounds of %d" % plane)
        kernel, stride, padding = pooling(a, rank)
        dilation, ceil, indices = each(a, "dilation", rank, 1), bool(a.get("ceil_mode", False)), indices.contiguous()
        if rank == 1:
            return torch.ops.aten.max_pool2d_with_indices_backward(
                grad.unsqueeze(-2), x.unsqueeze(-2), [1] + kernel, [1] + stride, [0] + padding, [1] + dilation, ceil,
                indices.unsqueeze(-2)).squeeze(-2)
        backward = getattr(torch.ops.aten, "max_pool%dd_with_indices_backward" % rank)
        return backward(grad, x, kernel, stride, padding, dilation, ceil, indices)
    return call


def avg_pool(rank):
    function = getattr(torch.nn.functional, "avg_pool%dd" % rank)

    def call(a, x):
        kernel, stride, padding = pooling(a, rank)
        modes = [bool(a.get("ceil_mode", False)), bool(a.get("count_include_pad", True))]
        if rank > 1:
            return function(x, kernel, stride, padding, *modes, a.get("divisor_override"))
        if a.get("divisor_override") is not None:
            raise NotImplementedError("avg_pool1d has no divisor_override")
        return function(x, kernel, stride, padding, *modes)
    return call


def avg_pool_gradient(rank):
    forward = avg_pool(rank)

    def call(a, grad, x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(forward(a, x), x, grad)[0]
    return call


CONVOLUTIONS = {
    **{"conv%dd" % rank: convolution(rank) for rank in DIMENSIONS},
    **{"conv_transpose%dd" % rank: transposed_convolution(rank) for rank in DIMENSIONS},
    **{"conv%dd_backward" % rank: convolution_gradient(rank, False) for rank in DIMENSIONS},
    **{"conv_transpose%dd_backward" % rank: convolution_gradient(rank, True) for rank in DIMENSIONS},
}
OPERATORS = {
    **CONVOLUTIONS,
    **{"max_pool%dd" % rank: max_pool(rank) for rank in DIMENSIONS},
    **{"max_pool%dd_backward" % rank: max_pool_gradient(rank) for rank in DIMENSIONS},
    **{"avg_pool%dd" % rank: avg_pool(rank) for rank in DIMENSIONS},
    **{"avg_pool%dd_backward" % rank: avg_pool_gradient(rank) for rank in DIMENSIONS},
}

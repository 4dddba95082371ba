# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Embeddings and the gradient of linear as calls of PyTorch, for torch_operators.py."""

import torch


def linear_gradient(a, grad, x, weight):
    """Autograd's gradients of input, weight and bias."""
    x, weight = x.detach().requires_grad_(), weight.detach().requires_grad_()
    bias = torch.zeros(weight.shape[0], dtype=weight.dtype, device=weight.device, requires_grad=True)
    return torch.autograd.grad(torch.nn.functional.linear(x, weight, bias), (x, weight, bias), grad)


def check_indices(indices, rows, padding):
    """Raises where an index is out of bounds, which on CUDA ends in an assertion that destroys the whole context."""
    host = indices.cpu()
    if host.numel() and not (0 <= host.min() and host.max() < rows):
        raise IndexError("an index is out of bounds of %d" % rows)
    if padding is not None and not -rows <= padding < rows:
        raise IndexError("padding_idx is out of bounds of %d" % rows)


def embedding(a, weight, indices):
    check_indices(indices, weight.shape[0], a.get("padding_idx"))
    return torch.nn.functional.embedding(indices, weight, a.get("padding_idx"))


def embedding_gradient(a, grad, indices):
    """aten's gradient, for which −1 means no padding_idx."""
    rows, padding = a["num_weights"], a.get("padding_idx")
    check_indices(indices, rows, padding)
    if grad.shape[:-1] != indices.shape:
        raise RuntimeError("Mismatch in shape: grad_output has a row for each index")
    padding = -1 if padding is None else padding + rows if padding < 0 else padding
    return torch.ops.aten.embedding_dense_backward(grad, indices, rows, padding, False)


OPERATORS = {"linear_backward": linear_gradient, "embedding": embedding, "embedding_backward": embedding_gradient}

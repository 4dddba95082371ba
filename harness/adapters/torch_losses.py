# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""PyTorch's losses, and their gradients by autograd, as functions of the attributes `a` and of tensors."""

import torch

ATTRIBUTES = {  # attributes other than the reduction, with their defaults
    "mse_loss": {}, "l1_loss": {}, "smooth_l1_loss": {"beta": 1.0}, "huber_loss": {"delta": 1.0}, "kl_div": {"log_target": False},
    "binary_cross_entropy": {}, "binary_cross_entropy_with_logits": {},
}


def loss(name):
    """Returns the loss. Its weights, which torch.nn.functional takes by name, come in the order weight, pos_weight."""
    function = getattr(torch.nn.functional, name)

    def call(a, x, y, *weights):
        given = {key: a.get(key, value) for key, value in ATTRIBUTES[name].items()}
        given.update({key: w for key, w in zip(("weight", "pos_weight"), weights) if w is not None})
        return function(x, y, reduction=a.get("reduction", "mean"), **given)
    return call


def gradient(forward):
    def call(a, grad, x, y, *weights):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(forward(a, x, y, *weights), x, grad)[0]
    return call


def nll_loss(a, x, target, weight=None):
    return torch.nn.functional.nll_loss(x, target, weight, ignore_index=a.get("ignore_index", -100),
                                        reduction=a.get("reduction", "mean"))


def cross_entropy(a, x, target, weight=None):
    return torch.nn.functional.cross_entropy(x, target, weight, ignore_index=a.get("ignore_index", -100),
                                             reduction=a.get("reduction", "mean"),
                                             label_smoothing=a.get("label_smoothing", 0.0))


LOSSES = {
    "cross_entropy": cross_entropy,
    "nll_loss": nll_loss,
    **{name: loss(name) for name in ATTRIBUTES},
}
LOSSES.update({name + "_backward": gradient(forward) for name, forward in LOSSES.items()})

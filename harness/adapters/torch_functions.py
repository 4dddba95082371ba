# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""PyTorch's element-wise functions."""

import torch


def function(name):
    """Returns an element-wise function without attributes, from torch or torch.nn.functional."""
    found = getattr(torch, name, None) or getattr(torch.nn.functional, name)
    return lambda a, *operands: found(*operands)


def own_name(name):
    """Returns PyTorch's public function of this name with the attributes as its keywords, or None: for operators that no table
    mentions. A name that begins or ends with an underscore is no function of operands alone."""
    homes = (torch, torch.special, torch.nn.functional)
    found = next((getattr(home, name) for home in homes if hasattr(home, name)), None)
    if not callable(found) or isinstance(found, type) or name.startswith("_") or name.endswith("_"):
        return None
    return lambda a, *operands: found(*operands, **{k: tuple(v) if isinstance(v, list) else v for k, v in a.items()})


ACTIVATIONS = {  # attributes in PyTorch's order, with their defaults
    "gelu": {"approximate": "none"}, "elu": {"alpha": 1.0}, "celu": {"alpha": 1.0}, "leaky_relu": {"negative_slope": 0.01},
    "softplus": {"beta": 1.0, "threshold": 20.0}, "hardtanh": {"min_val": -1.0, "max_val": 1.0},
}


def activation(name):
    """Returns the function of torch.nn.functional, called with its attributes."""
    function = getattr(torch.nn.functional, name)
    return lambda a, x: function(x, **{key: a.get(key, value) for key, value in ACTIVATIONS.get(name, {}).items()})


def activation_gradient(name):
    forward = activation(name)

    def call(a, grad, x):
        grad, x = torch.broadcast_tensors(grad, x)
        x = x.detach().requires_grad_()
        return torch.autograd.grad(forward(a, x), x, grad)[0]
    return call


def ldexp(a, x, y):
    """input · torch.pow(2, other), as documented: two functions of 16-bit tensors, each rounded, and no single one."""
    if x.dtype in (torch.float16, torch.bfloat16):
        raise NotImplementedError("PyTorch rounds 2^other to 16 bits on the way")
    return torch.ldexp(x, y)


def divide(a, x, y):
    mode = a.get("rounding_mode", "none")
    return torch.div(x, y, rounding_mode=None if mode == "none" else mode)


def scaled(name):
    """add and sub, whose second operand is multiplied by alpha."""
    call = getattr(torch, name)
    return lambda a, x, y: call(x, y, alpha=a.get("alpha", 1))


def prelu_gradient(a, grad, x, weight):
    """Returns the gradient with respect to the input."""
    x = x.detach().requires_grad_()
    return torch.autograd.grad(torch.nn.functional.prelu(x, weight), x, grad)[0]


def prelu_weight_gradient(a, grad, x, weight):
    weight = weight.detach().requires_grad_()
    return torch.autograd.grad(torch.nn.functional.prelu(x, weight), weight, grad)[0]


def swiglu(a, x):
    """silu of the first half times the second: PyTorch has the two, and no function that is both."""
    if x.dtype in (torch.float16, torch.bfloat16):
        raise NotImplementedError("PyTorch rounds silu to 16 bits on the way")
    first, second = x.chunk(2, a.get("dim", -1))
    return torch.nn.functional.silu(first) * second


VIEWS = {
    "prelu": lambda a, x, weight: torch.nn.functional.prelu(x, weight),
    "prelu_backward": prelu_gradient,
    "prelu_backward_weight": prelu_weight_gradient,
    "glu": lambda a, x: torch.nn.functional.glu(x, a.get("dim", -1)),
    "glu_backward": lambda a, grad, x: torch.ops.aten.glu_backward(grad, x, a.get("dim", -1)),
    "swiglu": swiglu,
}

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's operators as calls of PyTorch: functions of the attributes `a` and of tensors, which are views with any strides."""

import torch

import torch_amp
import torch_attention
import torch_layers
import torch_quantization
import torch_windows
from torch_functions import ACTIVATIONS, VIEWS, activation, activation_gradient, divide, function, ldexp, scaled
from torch_losses import LOSSES


def slogdet(a):
    return tuple(torch.linalg.slogdet(a))


def vector_norm(a, x):
    return torch.linalg.vector_norm(x, ord=a.get("ord", 2), dim=a.get("dim"), keepdim=bool(a.get("keepdim", False)))


def matrix_norm(a, x):
    return torch.linalg.matrix_norm(x, ord=a.get("ord", "fro"), keepdim=bool(a.get("keepdim", False)))


def place(function):
    def call(a, x):
        return function(x, dim=a.get("dim"), keepdim=bool(a.get("keepdim", False)))
    return call


def rows(function):
    """A reduction over a list of dimensions; over all if the list is empty or left out."""
    def call(a, x):
        return function(x, dim=tuple(a.get("dim", ())), keepdim=bool(a.get("keepdim", False)))
    return call


def product(a, x):
    """torch.prod takes one dimension or all. Several dimensions are merged, because separate products would round in between."""
    dims, rank = a.get("dim") or range(x.dim()), x.dim()
    gone = {d % max(rank, 1) for d in dims}
    if len(gone) < len(dims):
        raise RuntimeError("dim appears multiple times in the list of dims")
    for d in dims:  # raises where there is no such dimension
        x.size(d) if rank else torch.prod(x, dim=d)
    kept = [d for d in range(rank) if d not in gone]
    y = torch.prod(x.permute(kept + sorted(gone)).flatten(len(kept)), dim=-1) if rank else torch.prod(x)
    return y.reshape([1 if d in gone else n for d, n in enumerate(x.shape)]) if a.get("keepdim") else y


def several(function):
    """As rows(), for functions that take a list of dimensions only since PyTorch 2.2; some have no `keepdim`."""
    def call(a, x):
        keep = {"keepdim": True} if a.get("keepdim") else {}
        dims = a.get("dim")
        if dims is None and not keep and function is not torch.logsumexp:
            return function(x)
        try:
            return function(x, dim=tuple(range(x.dim()) if dims is None else dims), **keep)
        except TypeError as error:
            if dims is None or len(dims) != 1:
                raise NotImplementedError("PyTorch has lists of dimensions from 2.2 on") from error
        return function(x, dim=dims[0], **keep)
    return call


def deviation(name):
    """With a correction, which before PyTorch 2.0 is `unbiased` and can only be 0 or 1."""
    def call(a, x):
        function, keep = getattr(torch, name), bool(a.get("keepdim", False))
        dims = tuple(a.get("dim", ()))
        try:
            return function(x, dim=dims or None, correction=a.get("correction", 1), keepdim=keep)
        except TypeError as error:
            raise NotImplementedError(f"{name}: PyTorch has `correction` from 2.0 on") from error
    return call


def row_gradient(forward):
    """Returns the gradient of `forward` by autograd, from the gradient of its result."""
    def call(a, grad, x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(forward(a, x), x, grad)[0]
    return call


def mapped(function):
    return lambda a, x: function(x, dim=a["dim"])


def coo(a, indices, values):
    """PyTorch keeps COO indices in int64 and casts others, as it documents. That is correct, since no index is returned."""
    if indices.dtype not in (torch.int32, torch.int64):
        raise NotImplementedError("PyTorch casts indices of any dtype to int64")
    return checked(torch.sparse_coo_tensor, indices, values, a["size"])


def csr(a, crow, columns, values):
    # A single element in steps of two is contiguous to is_contiguous, and not to the constructor.
    if not all(piece.is_contiguous() and piece.stride(-1) == 1 for piece in (crow, columns, values)):
        raise NotImplementedError("PyTorch's CSR tensors are made of contiguous pieces")
    return checked(torch.sparse_csr_tensor, crow, columns, values, a["size"])


def checked(constructor, *operands):
    """Since PyTorch 2.0 indices are checked against the size only on request. On CUDA such a check of wrong CSR indices ends
    in an assertion on the device, which destroys the whole context; therefore the host checks them first."""
    try:
        host = [x.cpu() if isinstance(x, torch.Tensor) else x for x in operands]
        constructor(*host, check_invariants=True)
        return constructor(*operands, check_invariants=False)
    except TypeError:
        return constructor(*operands)


def with_indices(operator):
    """An operator that returns indices. PyTorch returns them as int64, so other dtypes of indices are unsupported."""
    def call(a, indices, values):
        matrix = coo(a, indices, values)
        if indices.dtype != torch.int64:
            raise NotImplementedError("PyTorch returns COO indices as int64")
        return operator(matrix)
    return call


def transposed(matrix):
    turned = matrix.t()
    return turned._indices(), turned._values()


def coalesced(matrix):
    matrix = matrix.coalesce()
    return matrix.indices(), matrix.values()


def gradient_of_values(a, grad, indices, dense):
    """sparse.mm's backward pass gives one gradient per place, in the order of a coalesced matrix."""
    coo(a, indices, torch.ones(indices.shape[1], dtype=grad.dtype, device=grad.device))
    place = indices[0].long() * a["size"][1] + indices[1].long()
    order = torch.argsort(place)
    if torch.unique(place).numel() != place.numel():
        raise NotImplementedError("PyTorch has no gradient for each of several entries in one place")
    values = torch.ones(place.numel(), dtype=grad.dtype, device=grad.device)
    matrix = coo(a, indices[:, order], values).coalesce().requires_grad_()
    torch.sparse.mm(matrix, dense).backward(grad)
    result = torch.empty_like(values)
    result[order] = matrix.grad.coalesce().values()
    return result


def gradient_of_dense(a, grad, indices, values):
    matrix = coo(a, indices, values)
    dense = torch.zeros((a["size"][1], grad.shape[1]), dtype=grad.dtype, device=grad.device, requires_grad=True)
    torch.sparse.mm(matrix, dense).backward(grad)
    return dense.grad


def sparse_addmm(a, x, indices, values, dense):
    return torch.sparse.addmm(x, coo(a, indices, values), dense, beta=a.get("beta", 1), alpha=a.get("alpha", 1))


def sampled_addmm(a, crow, columns, values, mat1, mat2):
    return torch.sparse.sampled_addmm(csr(a, crow, columns, values), mat1, mat2, beta=a.get("beta", 1),
                                      alpha=a.get("alpha", 1)).values()


def rms_norm(x, shape, weight, eps):
    if not hasattr(torch.nn.functional, "rms_norm"):
        raise NotImplementedError("rms_norm: PyTorch has it from 2.4 on")
    return torch.nn.functional.rms_norm(x, shape, weight, eps)


def gradient(forward, grad, x, weight, bias):
    """PyTorch's own gradients of forward(x, weight, bias); those of the parameters only if there is a weight."""
    x = x.detach().requires_grad_()
    inputs = [x]
    if weight is not None:
        weight = weight.detach().requires_grad_()
        inputs.append(weight)
        if bias:
            bias = torch.zeros_like(weight, requires_grad=True)
            inputs.append(bias)
    y = forward(x, weight, bias if torch.is_tensor(bias) else None)
    return torch.autograd.grad(y, inputs, grad)


def layer_norm(a, x, weight=None, bias=None):
    return torch.nn.functional.layer_norm(x, a["normalized_shape"], weight, bias, a.get("eps", 1e-5))


def layer_norm_backward(a, grad, x, weight=None):
    return gradient(lambda x, w, b: layer_norm(a, x, w, b), grad, x, weight, True)


def group_norm(a, x, weight=None, bias=None):
    return torch.nn.functional.group_norm(x, a["num_groups"], weight, bias, a.get("eps", 1e-5))


def instance_norm(a, x, mean=None, variance=None, weight=None, bias=None):
    """Refuses one running statistic without the other everywhere; PyTorch does so on CUDA and MPS, but not on the CPU."""
    if (mean is None) != (variance is None):
        raise ValueError("expected both running statistics or neither")
    return torch.nn.functional.instance_norm(x, mean, variance, weight, bias, bool(a.get("use_input_stats", True)),
                                             a.get("momentum", 0.1), a.get("eps", 1e-5))


def batch_norm(a, x, mean=None, variance=None, weight=None, bias=None):
    return torch.nn.functional.batch_norm(x, mean, variance, weight, bias, bool(a.get("training", False)),
                                          a.get("momentum", 0.1), a.get("eps", 1e-5))


def batch_norm_backward(a, grad, x, mean=None, variance=None, weight=None):
    if a.get("training", False):  # the running statistics are not used, and must not be updated
        mean = variance = None
    return gradient(lambda x, w, b: batch_norm(a, x, mean, variance, w, b), grad, x, weight, True)


def rms_norm_backward(a, grad, x, weight=None):
    return gradient(lambda x, w, b: rms_norm(x, a["normalized_shape"], w, a.get("eps")), grad, x, weight, False)


def lerp_in_place(a, x, end, weight=None):
    return x.lerp_(end, a["weight"] if weight is None else weight)


def clamp_in_place(a, x, low=None, high=None):
    """The limits must both be tensors or both be numbers."""
    if low is None and high is None:
        return x.clamp_(min=a.get("min"), max=a.get("max"))
    return x.clamp_(min=low, max=high)


# assay's name of the operator → the call of PyTorch; in-place operators change their first operand.
OPERATORS = {
    "sgn": lambda a, x: torch.sgn(x),
    "sign": lambda a, x: torch.sign(x),
    "square": lambda a, x: torch.square(x),
    **{name: function(name) for name in (
        "abs neg floor ceil trunc round reciprocal sqrt rsqrt exp exp2 expm1 log log2 log10 log1p tanh erf erfc erfinv lgamma digamma "
        "sin cos tan asin acos atan sinh cosh asinh acosh atanh logit "
        "sigmoid relu silu softsign logsigmoid mish selu hardswish hardsigmoid frac "
        "mul fmod remainder floor_divide pow hypot atan2 logaddexp lerp eq ne lt le gt ge maximum minimum fmax fmin "
        "clamp where copysign nextafter bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift "
        "bitwise_right_shift isnan isinf isfinite signbit").split()},
    "add": scaled("add"),
    "sub": scaled("sub"),
    "div": divide,
    "ldexp": ldexp,
    "addcmul": lambda a, x, y, z: torch.addcmul(x, y, z, value=a.get("value", 1)),
    "addcdiv": lambda a, x, y, z: torch.addcdiv(x, y, z, value=a.get("value", 1)),
    **{name: activation(name) for name in ACTIVATIONS},
    **VIEWS,
    **{name + "_backward": activation_gradient(name) for name in (
        "gelu elu celu leaky_relu softplus hardtanh relu silu logsigmoid mish selu softsign hardsigmoid hardswish").split()},
    "sigmoid_backward": lambda a, grad, y: torch.ops.aten.sigmoid_backward(grad, y),
    "tanh_backward": lambda a, grad, y: torch.ops.aten.tanh_backward(grad, y),
    "logdet": lambda a, x: torch.logdet(x),
    "slogdet": lambda a, x: slogdet(x),
    "vector_norm": vector_norm,
    "matrix_norm": matrix_norm,
    "argmax": place(torch.argmax),
    "argmin": place(torch.argmin),
    **{name: rows(getattr(torch, name)) for name in "amax amin sum mean".split()},
    **{name: several(getattr(torch, name)) for name in "any all count_nonzero logsumexp".split()},
    **{name: deviation(name) for name in ("var", "std")},
    **{name + "_backward": row_gradient(rows(getattr(torch, name))) for name in "sum mean amax amin".split()},
    **{name + "_backward": row_gradient(deviation(name)) for name in ("var", "std")},
    "prod": product,
    "logsumexp_backward": row_gradient(several(torch.logsumexp)),
    **{name: mapped(getattr(torch.nn.functional, name)) for name in "softmax softmin log_softmax".split()},
    **LOSSES,
    "softmax_backward": lambda a, grad, y: torch._softmax_backward_data(grad, y, a["dim"], y.dtype),
    "log_softmax_backward": lambda a, grad, y: torch._log_softmax_backward_data(grad, y, a["dim"], y.dtype),
    "layer_norm": layer_norm,
    "layer_norm_backward": layer_norm_backward,
    "rms_norm": lambda a, x, weight=None: rms_norm(x, a["normalized_shape"], weight, a.get("eps")),
    "rms_norm_backward": rms_norm_backward,
    "group_norm": group_norm,
    "group_norm_backward": lambda a, grad, x, weight=None: gradient(
        lambda x, w, b: group_norm(a, x, w, b), grad, x, weight, True),
    "instance_norm": instance_norm,
    "instance_norm_backward": lambda a, grad, x, weight=None: gradient(
        lambda x, w, b: instance_norm(a, x, None, None, w, b), grad, x, weight, True),
    "batch_norm": batch_norm,
    "batch_norm_backward": batch_norm_backward,
    "matrix_exp": lambda a, x: torch.matrix_exp(x),
    "add_": lambda a, x, y: x.add_(y, alpha=a.get("alpha", 1)),
    "sub_": lambda a, x, y: x.sub_(y, alpha=a.get("alpha", 1)),
    "mul_": lambda a, x, y: x.mul_(y),
    "div_": lambda a, x, y: x.div_(y),
    "add_out": lambda a, x, y, out: torch.add(x, y, alpha=a.get("alpha", 1), out=out),
    "sub_out": lambda a, x, y, out: torch.sub(x, y, alpha=a.get("alpha", 1), out=out),
    "mul_out": lambda a, x, y, out: torch.mul(x, y, out=out),
    "div_out": lambda a, x, y, out: torch.div(x, y, out=out),
    "addcmul_": lambda a, x, t1, t2: x.addcmul_(t1, t2, value=a.get("value", 1)),
    "addcdiv_": lambda a, x, t1, t2: x.addcdiv_(t1, t2, value=a.get("value", 1)),
    "lerp_": lerp_in_place,
    "clamp_": clamp_in_place,
    "copy_": lambda a, x, y: x.copy_(y),
    "to": lambda a, x: x.to(getattr(torch, a["dtype"])),
    "clone": lambda a, x: x.clone(),
    **torch_quantization.OPERATORS,
    **torch_windows.OPERATORS,
    **torch_attention.OPERATORS,
    **torch_layers.OPERATORS,
    "fill_": lambda a, x: x.fill_(a["value"]),
    "masked_fill_": lambda a, x, mask: x.masked_fill_(mask, a["value"]),
    "matmul": lambda a, x, y: torch.matmul(x, y),
    "mv": lambda a, x, y: torch.mv(x, y),
    "linear": lambda a, x, w, b=None: torch.nn.functional.linear(x, w, b),
    **torch_amp.OPERATORS,
    "coalesce": with_indices(coalesced),
    "sparse_transpose": with_indices(transposed),
    "to_dense": lambda a, i, v: coo(a, i, v).to_dense(),
    "sparse_mm": lambda a, i, v, d: torch.sparse.mm(coo(a, i, v), d),
    "sparse_mv": lambda a, i, v, d: torch.mv(coo(a, i, v), d),
    "sparse_addmm": sparse_addmm,
    "sparse_mm_backward_sparse": gradient_of_values,
    "sparse_mm_backward_dense": gradient_of_dense,
    "csr_mm": lambda a, r, c, v, d: torch.sparse.mm(csr(a, r, c, v), d),
    "csr_mv": lambda a, r, c, v, d: torch.mv(csr(a, r, c, v), d),
    "sampled_addmm": sampled_addmm,
}

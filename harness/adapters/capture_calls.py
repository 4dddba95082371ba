# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""ATen's calls as calls of assay's operators: which operands, in which order, with which attributes, and what is judged.

CALLS has a function for each overload, which takes the call's arguments by name and returns a Call or raises Unfit. A Call says
which operator of assay the same numbers go into, not how PyTorch computes them: addmm(bias, x, w.t()) is linear(x, w, bias), and
a function that returns a changed copy may be the in-place operator, if assay has no other.
"""

import math
import struct

import torch

from torch_functions import ACTIVATIONS
from torch_profile import NAMES

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
NARROW = (torch.float16, torch.bfloat16)
WHOLE = (torch.int32, torch.int64)
REDUCTIONS = ("none", "mean", "sum")

# Operators whose operands may be int32 and int64 as well; those of "bitwise" must be.
INTEGERS = set("""add sub mul div fmod remainder floor_divide eq ne lt le gt ge maximum minimum where amax amin sum prod any all
    count_nonzero argmax argmin sign sgn add_ sub_ mul_ div_ addcmul_ clamp_ copy_ masked_fill_ to""".split())
PREDICATES = set("eq ne lt le gt ge isnan isinf isfinite signbit any all".split())
PLACES = {"argmax", "argmin", "count_nonzero"}  # their results are int64


class Unfit(Exception):
    """The call is not recorded, for the reason of the message."""


class Number:
    """A number where assay has an operand: a tensor without dimensions."""

    def __init__(self, value, dtype):
        self.value, self.dtype = value, dtype


class Call:
    """One call of an operator of assay. `written`: the indices of the operands that the call overwrites, in assay's order.
    `taken`: the indices of PyTorch's results that are judged behind them, or these tensors themselves. `copied`: the result that
    has a written operand's new value, if PyTorch returns a changed copy instead of overwriting it. `after`: called with the
    results."""

    def __init__(self, op, operands, attributes=None, written=(), taken=(0,), copied=None, after=None):
        self.op, self.operands, self.attributes = op, list(operands), dict(attributes or {})
        self.written, self.taken, self.copied, self.after = tuple(written), tuple(taken), copied, after
        while self.operands and self.operands[-1] is None:
            self.operands.pop()


# --- operands and attributes

def leading(*operands):
    """Returns the dtype of the operands, or raises Unfit if they differ: PyTorch converts some of them first."""
    dtypes = {x.dtype for x in operands if isinstance(x, torch.Tensor)}
    if len(dtypes) != 1:
        raise Unfit("operands of different dtypes, of which PyTorch converts some")
    return dtypes.pop()


def rounded(value, dtype, device):
    """Returns a number as PyTorch's kernels hold it beside tensors of a dtype: in float32 for float32, and for 16 bits on CUDA."""
    if dtype in WHOLE:
        if isinstance(value, float) and not value.is_integer():
            raise Unfit("a fractional number beside operands of %s" % NAMES[dtype])
        return int(value)
    value = float(value)
    if dtype == torch.float64 or math.isinf(value) or math.isnan(value):
        return value
    if dtype in NARROW and device != "cuda" and torch.tensor(value, dtype=dtype).item() != value:
        raise Unfit("the number %g, which %s does not hold" % (value, NAMES[dtype]))
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def beside(x, tensor):
    """Returns an operand beside `tensor`: a tensor of its dtype as it is, a number or a tensor without dimensions as a Number."""
    dtype = tensor.dtype
    if isinstance(x, torch.Tensor):
        if x.dtype == dtype or x.dim():
            return x
        x = x.item()
    if isinstance(x, complex):
        raise Unfit("a complex number")
    value = rounded(x, dtype, tensor.device.type)
    if dtype in NARROW and torch.tensor(value, dtype=dtype).item() != value:
        raise Unfit("the number %g, which %s does not hold" % (value, NAMES[dtype]))
    return Number(value, dtype)


def numbers(a, tensor, *names):
    """Returns attributes of these names as the kernel holds them."""
    return {name: rounded(a[name], tensor.dtype, tensor.device.type) for name in names if a.get(name) is not None}


def unchanged_dtype(a, tensor):
    """Raises Unfit if a reduction was given a dtype to convert to."""
    if a.get("dtype") not in (None, tensor.dtype):
        raise Unfit("a reduction in another dtype")


def dims_of(a):
    """Returns the attribute `dim` of a reduction; an empty list and None are all dimensions."""
    dim = a.get("dim")
    dim = [dim] if isinstance(dim, int) else dim
    return {"dim": list(dim)} if dim else {}


# --- element-wise

def plain(op, *names):
    return lambda a: Call(op, [a[name] for name in names])


def refuse_quotient():
    """CUDA multiplies by the reciprocal of a number, whose rounding is not documented: no operator of assay is that."""
    raise Unfit("a quotient by a number, which CUDA computes as a product with its reciprocal")


def binary(op, *attributes, inverts=True):
    """`inverts`: CUDA divides by a number through its reciprocal."""
    def call(a):
        if a.get("rounding_mode"):
            raise Unfit("div with a rounding mode")
        x, y = a["self"], a["other"]
        if not isinstance(x, torch.Tensor):
            x = beside(x, y)
        elif x.dim() == 0 and isinstance(y, torch.Tensor) and y.dim() and x.dtype != y.dtype:
            x = beside(x, y)
        else:
            y = beside(y, x)
        tensor = x if isinstance(x, torch.Tensor) else y
        if inverts and op == "div" and isinstance(y, Number) and tensor.device.type == "cuda":
            refuse_quotient()
        leading(x, y)
        return Call(op, [x, y], numbers(a, tensor, *attributes))
    return call


def in_place(op, *attributes, inverts=True):
    def call(a):
        if a.get("rounding_mode"):
            raise Unfit("div with a rounding mode")
        x, others = a["self"], [a[name] for name in ("other", "tensor1", "tensor2", "end") if name in a]
        others = [beside(y, x) for y in others]
        leading(x, *others)
        if inverts and op == "div_" and isinstance(others[0], Number) and x.device.type == "cuda":
            refuse_quotient()
        return Call(op, [x, *others], numbers(a, x, *attributes), written=(0,), taken=())
    return call


def reversed_difference(a):
    """rsub: other − alpha·self."""
    x, y = a["self"], beside(a["other"], a["self"])
    return Call("sub", [y, x], numbers(a, x, "alpha"))


def power(a):
    x, y = a["self"], a["exponent"]
    x, y = (beside(x, y), y) if not isinstance(x, torch.Tensor) else (x, beside(y, x))
    return Call("pow", [x, y])


def activation(op):
    def call(a):
        attributes = {key: a[key] for key in ACTIVATIONS.get(op, {}) if key in a}
        if any(a.get(name, 1) != 1 for name in ("scale", "input_scale")):
            raise Unfit("an elu with scales, which is selu or celu")
        return Call(op, [a["self"]], attributes)
    return call


def activation_gradient(op, *names):
    def call(a):
        if a.get("is_result") or a.get("self_is_result"):
            raise Unfit("a gradient from the result of an in-place activation")
        if any(a.get(name, 1) != 1 for name in ("scale", "input_scale")):
            raise Unfit("an elu with scales, which is selu or celu")
        attributes = {key: a[key] for key in ACTIVATIONS.get(op[:-9], {}) if key in a}
        return Call(op, [a[name] for name in names or ("grad_output", "self")], attributes)
    return call


def threshold_gradient(a):
    if a["threshold"] != 0:
        raise Unfit("a threshold other than 0")
    return Call("relu_backward", [a["grad_output"], a["self"]])


def clamped(written):
    """clamp and clamp_ with numbers or tensors; the function is the in-place operator on a copy."""
    def call(a):
        x, low, high = a["self"], a.get("min"), a.get("max")
        place = {"written": (0,), "taken": (), "copied": None if written else 0}
        if isinstance(low, torch.Tensor) or isinstance(high, torch.Tensor):
            leading(x, *(y for y in (low, high) if y is not None))
            return Call("clamp_", [x, low, high], **place)
        return Call("clamp_", [x], numbers(a, x, "min", "max"), **place)
    return call


def masked(written):
    def call(a):
        x, value = a["self"], a["value"]
        value = value.item() if isinstance(value, torch.Tensor) else value
        return Call("masked_fill_", [x, a["mask"]], {"value": rounded(value, x.dtype, "cpu")}, written=(0,), taken=(),
                    copied=None if written else 0)
    return call


def chosen(a):
    x, y = a["self"], a["other"]
    x, y = (beside(x, y), y) if not isinstance(x, torch.Tensor) else (x, beside(y, x))
    leading(x, y)
    return Call("where", [a["condition"], x, y])


def converted(a):
    x, dtype = a["self"], a.get("dtype")
    if dtype not in NAMES or dtype.is_complex:
        raise Unfit("a conversion to %s" % dtype)
    return Call("to", [x], {"dtype": NAMES[dtype]})


# --- products, reductions, losses

def linear(a):
    bias, x, weight = a["self"], a["mat1"], a["mat2"]
    if a["alpha"] != 1 or a["beta"] != 1 or bias.dim() != 1:
        raise Unfit("an addmm that is no linear layer")
    leading(bias, x, weight)
    return Call("linear", [x, weight.t(), bias])


def product(first, second, op="matmul"):
    def call(a):
        leading(a[first], a[second])
        return Call(op, [a[first], a[second]])
    return call


def rows(op):
    def call(a):
        x = a["self"]
        unchanged_dtype(a, x)
        if op in ("var", "std"):
            correction = 1 if a.get("correction") is None else a["correction"]
            if "unbiased" in a:
                correction = int(a["unbiased"])
            if correction != int(correction):
                raise Unfit("a fractional correction")
            return Call(op, [x], {**dims_of(a), "correction": int(correction), "keepdim": bool(a.get("keepdim"))})
        keep = {} if op == "count_nonzero" else {"keepdim": bool(a.get("keepdim"))}
        return Call(op, [x], {**dims_of(a), **keep})
    return call


def vector_norm(a):
    x = a["self"]
    unchanged_dtype(a, x)
    ord = a["ord"] if "ord" in a else 2 if a["p"] is None else a["p"]
    return Call("vector_norm", [x], {"ord": float(ord), **dims_of(a), "keepdim": bool(a.get("keepdim"))})


def place(op):
    def call(a):
        dim = {} if a.get("dim") is None else {"dim": a["dim"]}
        return Call(op, [a["self"]], {**dim, "keepdim": bool(a.get("keepdim"))})
    return call


def softmax(op):
    def call(a):
        if a["half_to_float"]:
            raise Unfit("a softmax that converts float16 to float32")
        return Call(op, [a["self"]], {"dim": a["dim"]})
    return call


def safe_softmax(a):
    x = a["self"]
    unchanged_dtype(a, x)
    if (x == -math.inf).all(a["dim"]).any():
        raise Unfit("a softmax of nothing but −infinities, which attention makes 0")
    return Call("softmax", [x], {"dim": a["dim"]})


def softmax_gradient(op):
    def call(a):
        if a["input_dtype"] != a["grad_output"].dtype:
            raise Unfit("a softmax that converts float16 to float32")
        return Call(op, [a["grad_output"], a["output"]], {"dim": a["dim"]})
    return call


def loss(op, *names):
    """A loss or its gradient, with PyTorch's number of the reduction."""
    def call(a):
        found = {key: a[key] for key in ("ignore_index", "beta", "delta", "log_target") if key in a}
        return Call(op, [a[name] for name in names], {"reduction": REDUCTIONS[a["reduction"]], **found})
    return call


UNARY = """abs neg floor ceil trunc round reciprocal sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh
    cosh asinh acosh atanh tanh erf erfc erfinv lgamma digamma sigmoid silu mish hardswish hardsigmoid frac sinc sgn sign relu isnan
    isinf signbit bitwise_not""".split()
BINARY = "mul div eq ne lt le gt ge fmod remainder maximum minimum fmax fmin atan2 hypot copysign nextafter logaddexp".split()

CALLS = {
    **{name: plain(name, "self") for name in UNARY},
    **{name + "_": plain(name, "self") for name in UNARY},
    **{name + overload: binary(name) for name in BINARY for overload in ("", ".Tensor", ".Scalar")},
    **{name + overload: binary(name, "alpha") for name in ("add", "sub") for overload in (".Tensor", ".Scalar")},
    **{name + overload: in_place(name) for name in ("mul_", "div_") for overload in (".Tensor", ".Scalar")},
    **{name + overload: in_place(name, "alpha") for name in ("add_", "sub_") for overload in (".Tensor", ".Scalar")},
    **{name: in_place(name, "value") for name in ("addcmul_", "addcdiv_")},
    **{name: lambda a, op=name: Call(op, [a["self"], a["tensor1"], a["tensor2"]], numbers(a, a["self"], "value"))
       for name in ("addcmul", "addcdiv")},
    "lerp_.Scalar": in_place("lerp_", "weight"),
    "rsub.Scalar": reversed_difference, "rsub.Tensor": reversed_difference,
    "pow.Tensor_Scalar": power, "pow.Tensor_Tensor": power, "pow.Scalar": power,
    **{name: activation(name) for name in "gelu elu celu leaky_relu softplus hardtanh selu".split()},
    **{name + "_backward": activation_gradient(name + "_backward") for name in
       "gelu leaky_relu softplus hardtanh silu mish hardsigmoid hardswish".split()},
    "elu_backward": activation_gradient("elu_backward", "grad_output", "self_or_result"),
    "log_sigmoid_forward": plain("logsigmoid", "self"),
    "log_sigmoid_backward": plain("logsigmoid_backward", "grad_output", "self"),
    "sigmoid_backward": plain("sigmoid_backward", "grad_output", "output"),
    "tanh_backward": plain("tanh_backward", "grad_output", "output"),
    "threshold_backward": threshold_gradient,
    "glu": lambda a: Call("glu", [a["self"]], {"dim": a["dim"]}),
    "glu_backward": lambda a: Call("glu_backward", [a["grad_output"], a["self"]], {"dim": a["dim"]}),
    "clamp": clamped(False), "clamp.Tensor": clamped(False), "clamp_": clamped(True), "clamp_.Tensor": clamped(True),
    "clamp_min": clamped(False), "clamp_max": clamped(False),
    **{"masked_fill" + overload: masked(False) for overload in (".Scalar", ".Tensor")},
    **{"masked_fill_" + overload: masked(True) for overload in (".Scalar", ".Tensor")},
    **{"where" + overload: chosen for overload in (".self", ".ScalarOther", ".ScalarSelf")},
    "_to_copy": converted,
    "addmm": linear, "linear": lambda a: Call("linear", [a["input"], a["weight"], a["bias"]]),
    "mm": product("self", "mat2"), "bmm": product("self", "mat2"), "dot": product("self", "tensor"),
    "mv": product("self", "vec", "mv"),
    "linalg_matrix_exp": plain("matrix_exp", "self"),
    **{name: rows(name.split(".")[0]) for name in """sum sum.dim_IntList mean mean.dim nansum prod prod.dim_int amax amin any any.dim
       any.dims all all.dim all.dims logsumexp var.correction std.correction var var.dim std std.dim count_nonzero
       count_nonzero.dim_IntList""".split()},
    "linalg_vector_norm": vector_norm, "norm.ScalarOpt_dim": vector_norm,
    "argmax": place("argmax"), "argmin": place("argmin"),
    "_softmax": softmax("softmax"), "_safe_softmax": safe_softmax, "_log_softmax": softmax("log_softmax"),
    "_softmax_backward_data": softmax_gradient("softmax_backward"),
    "_log_softmax_backward_data": softmax_gradient("log_softmax_backward"),
    **{name: loss(name, "self", "target") for name in ("mse_loss", "smooth_l1_loss", "huber_loss")},
    **{name + "_backward": loss(name + "_backward", "grad_output", "self", "target")
       for name in ("mse_loss", "smooth_l1_loss", "huber_loss")},
    "binary_cross_entropy": loss("binary_cross_entropy", "self", "target", "weight"),
    "binary_cross_entropy_backward": loss("binary_cross_entropy_backward", "grad_output", "self", "target", "weight"),
    "binary_cross_entropy_with_logits": loss("binary_cross_entropy_with_logits", "self", "target", "weight", "pos_weight"),
    **{"nll_loss%s_forward" % d: loss("nll_loss", "self", "target", "weight") for d in ("", "2d")},
    **{"nll_loss%s_backward" % d: loss("nll_loss_backward", "grad_output", "self", "target", "weight") for d in ("", "2d")},
}

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""JAX as a backend of assay: jax.numpy, jax.nn, jax.scipy and jax.experimental.sparse, called as a user calls them.

    assay run --backend jax        (JAX's default device; or jax:cpu, jax:gpu, jax:tpu)

JAX's arrays are immutable, so in-place operators are not offered.
"""

import sys

import assay_exec
from assay_exec import Rejected, Unsupported

jax = assay_exec.need("jax", 'pip install "jax[cpu]"')
import jax.numpy as jnp  # noqa: E402 (behind the module that may be absent)
import jax.scipy.linalg
import jax_networks
from jax.experimental import sparse

jax.config.update("jax_enable_x64", True)  # else float64 is silently float32 (JAX: "Sharp bits", double precision)
# Without this, products of float32 use bfloat16 or TF32 on accelerators (jax.default_matmul_precision).
jax.config.update("jax_default_matmul_precision", "highest")


def vector_norm(a, x):
    dim = a.get("dim")
    return jnp.linalg.vector_norm(x, axis=tuple(dim) if isinstance(dim, list) else dim, keepdims=bool(a.get("keepdim", False)),
                                  ord=a.get("ord", 2))


def place(function):
    """The dtype of the result is that of JAX's indices, int64 with jax_enable_x64."""
    def call(a, x):
        axis = assay_exec.axis(a["dim"], x.ndim) if "dim" in a else None
        return function(x, axis=axis, keepdims=bool(a.get("keepdim", False)))
    return call


def reduction(function, empty=None, **words):
    """`empty`: what an empty list of axes stands for; `words`: attributes that have JAX's name, and their defaults."""
    def call(a, x):
        more = {word: a.get(word, default) for word, default in words.items()}
        return function(x, axis=assay_exec.axes(a, x.ndim, empty), keepdims=bool(a.get("keepdim", False)), **more)
    return call


def along(function):
    return lambda a, x: function(x, axis=assay_exec.axis(a["dim"], x.ndim))


def layer_norm(a, x, weight=None, bias=None):
    """jax.nn.standardize, whose default algorithm is "fast": mean(x²) − mean(x)², as it documents."""
    if weight is not None or bias is not None:
        raise Unsupported("jax.nn.standardize neither scales nor shifts")
    shape = a["normalized_shape"]
    if list(x.shape[x.ndim - len(shape):]) != list(shape):
        raise Rejected("normalized_shape is no tail of the input's shape")
    return jax.nn.standardize(x, axis=tuple(range(-len(shape), 0)), epsilon=a.get("eps", 1e-5))


def layer_norm_backward(a, grad, x, weight=None):
    if weight is not None:
        raise Unsupported("jax.nn.standardize does not scale")
    return jax.vjp(lambda value: layer_norm(a, value), x)[1](grad)[0]


def int_mm(a, x, y):
    if x.ndim != 2 or y.ndim != 2 or x.dtype != jnp.int8 or y.dtype != jnp.int8:
        raise Rejected("int_mm multiplies matrices of int8")
    return jnp.matmul(x, y, preferred_element_type=jnp.int32)


def coo(a, indices, values):
    return sparse.BCOO((values, indices.T), shape=tuple(a["size"]))


def coalesce(a, indices, values):
    matrix = coo(a, indices, values).sum_duplicates(remove_zeros=False)  # PyTorch keeps explicit zeros
    return matrix.indices.T, matrix.data


def transpose(a, indices, values):
    matrix = coo(a, indices, values).T
    return matrix.indices.T, matrix.data


def gradient_of_values(a, grad, indices, dense):
    ones = jnp.ones(indices.shape[1], grad.dtype)
    return jax.vjp(lambda values: coo(a, indices, values) @ dense, ones)[1](grad)[0]


def gradient_of_dense(a, grad, indices, values):
    matrix = coo(a, indices, values)
    zeros = jnp.zeros((matrix.shape[-1], grad.shape[1]), grad.dtype)
    return jax.vjp(lambda dense: matrix @ dense, zeros)[1](grad)[0]


def csr(a, crow, columns, values):
    return sparse.CSR((values, columns, crow), shape=tuple(a["size"]))


def gelu(a, x):
    return jax.nn.gelu(x, approximate=a.get("approximate", "none") == "tanh")


def softplus(a, x):
    """Beyond PyTorch's threshold of 20, softplus differs from x by 2e-9, which only float64 resolves."""
    if x.dtype == jnp.float64 or (a.get("beta", 1), a.get("threshold", 20)) != (1, 20):
        raise Unsupported("jax.nn.softplus has neither beta nor threshold")
    return jax.nn.softplus(x)


def hardtanh(a, x):
    if (a.get("min_val", -1), a.get("max_val", 1)) != (-1, 1):
        raise Unsupported("jax.nn.hard_tanh is between -1 and 1")
    return jax.nn.hard_tanh(x)


# At 0 the slope of jax.nn.leaky_relu is 1, and those of hard_sigmoid and hard_swish have their kinks where x + 3 rounds to 0
# and 6, and half the slope there: other functions than PyTorch's.
OTHER_SLOPES = ("leaky_relu", "hardsigmoid", "hardswish")


def activation_gradient(forward):
    def call(a, grad, x):
        grad, x = jnp.broadcast_arrays(grad, x)
        return jax.vjp(lambda value: forward(a, value), x)[1](grad)[0]
    return call


def halves(a, x):
    axis = assay_exec.axis(a.get("dim", -1), x.ndim)
    if x.shape[axis] % 2:
        raise Rejected("the dimension has no halves")
    return axis, jnp.split(x, 2, axis)


def glu(a, x):
    """jax.nn.glu is a product of two functions, each of which is rounded to the operands' dtype."""
    axis, _ = halves(a, x)
    if x.dtype in (jnp.float16, jnp.bfloat16):
        raise Unsupported("jax.nn.glu rounds sigmoid to 16 bits on the way")
    return jax.nn.glu(x, axis)


def glu_backward(a, grad, x):
    shape = list(x.shape)
    axis, _ = halves(a, x)
    shape[axis] //= 2
    if list(grad.shape) != shape:
        raise Rejected("grad_output is not of the shape of glu's result")
    return jax.vjp(lambda value: glu(a, value), x)[1](grad)[0]


def swiglu(a, x):
    """silu of the first half times the second: JAX has the two, and no function that is both."""
    _, (first, second) = halves(a, x)
    if x.dtype in (jnp.float16, jnp.bfloat16):
        raise Unsupported("jax.nn.silu is rounded to 16 bits on the way")
    return jax.nn.silu(first) * second


ACTIVATIONS = {
    **{name: lambda a, x, function=function: function(x) for name, function in {
        "relu": jax.nn.relu, "silu": jax.nn.silu, "logsigmoid": jax.nn.log_sigmoid, "mish": jax.nn.mish, "selu": jax.nn.selu,
        "softsign": jax.nn.soft_sign, "hardsigmoid": jax.nn.hard_sigmoid, "hardswish": jax.nn.hard_swish}.items()},
    "gelu": gelu, "softplus": softplus, "hardtanh": hardtanh,
    "elu": lambda a, x: jax.nn.elu(x, a.get("alpha", 1.0)),
    "celu": lambda a, x: jax.nn.celu(x, a.get("alpha", 1.0)),
    "leaky_relu": lambda a, x: jax.nn.leaky_relu(x, a.get("negative_slope", 0.01)),
}

def divide(a, x, y):
    mode = a.get("rounding_mode", "none")
    if mode == "trunc" and not jnp.issubdtype(x.dtype, jnp.integer):
        raise Unsupported("JAX cuts no quotients of real numbers off")
    if mode == "trunc":  # "any fractional part is discarded" (jax.lax.div)
        return jax.lax.div(*jnp.broadcast_arrays(x, y))
    return jnp.floor_divide(x, y) if mode == "floor" else jnp.divide(x, y)


def scaled(function):
    def call(a, x, y):
        if a.get("alpha", 1) != 1:
            raise Unsupported("JAX has no alpha")
        return function(x, y)
    return call


OPERATORS = {
    "add": scaled(jnp.add), "sub": scaled(jnp.subtract), "div": divide,
    "glu": glu, "glu_backward": glu_backward, "swiglu": swiglu,
    "sgn": lambda a, x: jnp.sign(x),
    "to": lambda a, x: x.astype(jnp.dtype(a["dtype"])),
    "clone": lambda a, x: jnp.array(x, copy=True),
    "sign": lambda a, x: jnp.sign(x),
    "square": lambda a, x: jnp.square(x),
    **{name: lambda a, *operands, function=function: function(*operands) for name, function in {
        "abs": jnp.abs, "neg": jnp.negative, "floor": jnp.floor, "ceil": jnp.ceil, "trunc": jnp.trunc, "round": jnp.round,
        "reciprocal": jnp.reciprocal, "sqrt": jnp.sqrt, "rsqrt": jax.lax.rsqrt, "exp": jnp.exp,
        "exp2": jnp.exp2, "expm1": jnp.expm1, "log": jnp.log, "log2": jnp.log2, "log10": jnp.log10, "log1p": jnp.log1p,
        "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos,
        "atan": jnp.arctan, "atan2": jnp.arctan2, "sinh": jnp.sinh, "cosh": jnp.cosh, "asinh": jnp.arcsinh,
        "acosh": jnp.arccosh, "atanh": jnp.arctanh, "logit": jax.scipy.special.logit,
        "tanh": jnp.tanh, "erf": jax.scipy.special.erf, "erfc": jax.scipy.special.erfc,
        "erfinv": jax.scipy.special.erfinv, "lgamma": jax.scipy.special.gammaln,  # JAX's digamma is another function: NaN at 0
        "sigmoid": jax.nn.sigmoid,
        "mul": jnp.multiply, "pow": jnp.power, "clamp": jnp.clip,
        "eq": jnp.equal, "ne": jnp.not_equal, "lt": jnp.less, "le": jnp.less_equal, "gt": jnp.greater,
        "ge": jnp.greater_equal}.items()},
    **{name: lambda a, *operands, function=getattr(jnp, name, None): function(*operands) for name in (
        "fmod remainder floor_divide hypot logaddexp maximum minimum fmax fmin where copysign nextafter bitwise_and bitwise_or "
        "bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift isnan isinf isfinite signbit").split() if hasattr(jnp, name)},
    **ACTIVATIONS,
    **{name + "_backward": activation_gradient(forward) for name, forward in ACTIVATIONS.items() if name not in OTHER_SLOPES},
    "matmul": lambda a, x, y: jnp.matmul(x, y),
    "mv": lambda a, x, y: jnp.matmul(*assay_exec.matrix_and_vector(x, y)),
    "int_mm": int_mm,
    "slogdet": lambda a, x: tuple(jnp.linalg.slogdet(x)),
    "matrix_exp": lambda a, x: jax.scipy.linalg.expm(x),
    "vector_norm": vector_norm,
    "matrix_norm": lambda a, x: jnp.linalg.matrix_norm(x, ord=a.get("ord", "fro"), keepdims=bool(a.get("keepdim", False))),
    "argmax": place(jnp.argmax),
    "argmin": place(jnp.argmin),
    **{name: reduction(function) for name, function in {
        "sum": jnp.sum, "prod": jnp.prod, "mean": jnp.mean, "amax": jnp.max, "amin": jnp.min, "count_nonzero": jnp.count_nonzero,
        "logsumexp": jax.nn.logsumexp}.items()},
    **{name: reduction(function, correction=1) for name, function in {"var": jnp.var, "std": jnp.std}.items()},
    **{name: reduction(function, empty=()) for name, function in {"any": jnp.any, "all": jnp.all}.items()},
    "softmax": along(jax.nn.softmax),
    "log_softmax": along(jax.nn.log_softmax),
    "layer_norm": layer_norm,
    "layer_norm_backward": layer_norm_backward,
    "coalesce": coalesce,
    "sparse_transpose": transpose,
    "to_dense": lambda a, i, v: coo(a, i, v).todense(),
    "sparse_mm": lambda a, i, v, d: coo(a, i, v) @ d,
    "sparse_mv": lambda a, i, v, d: coo(a, i, v) @ d,
    "sparse_mm_backward_sparse": gradient_of_values,
    "sparse_mm_backward_dense": gradient_of_dense,
    "csr_mm": lambda a, r, c, v, d: csr(a, r, c, v) @ d,
    "csr_mv": lambda a, r, c, v, d: csr(a, r, c, v) @ d,
    **jax_networks.OPERATORS,
}
# Operators that add scattered values to one place; on a GPU these sums are atomic (jax.numpy.ndarray.at: "in an undefined order"), and
# cuDNN may add up the parts of a gradient of a convolution in any order.
SCATTERS = [name for name in OPERATORS if "sparse_m" in name or name in ("coalesce", "to_dense", "csr_mm", "csr_mv")
            or name.startswith("conv_transpose") or (name.startswith("conv") and name.endswith("_backward"))]


class JaxAdapter(assay_exec.HostAdapter):
    name, version, operators = "jax", jax.__version__, OPERATORS
    missing = ("Unsupported dtype", "not implemented", "does not accept dtype", "Only real", "must be float", "non-floating",
               "Invalid order", "Expected float", "must have floating point or complex")
    refusals = ("dot_general requires", "incompatible shapes", "must be square", "Incompatible shapes", "must have shape", "out of bounds",
                "zero-size array", "of an empty", "no identity", "mismatch", "shape", "duplicate value in 'axis'")
    refused = (Rejected, AssertionError)  # sparse arrays check their parts by assertions

    def __init__(self, platform):
        super().__init__()
        try:
            self.target = jax.devices(platform)[0]
        except RuntimeError as fault:
            sys.exit("JAX has no %s here; its default is %s (%s)" % (platform, jax.default_backend(), str(fault)[:60]))
        jax.config.update("jax_default_device", self.target)
        self.device = "%s %s" % (self.target.platform, self.target.device_kind)
        self.dtypes = tuple(self.formats)
        on_cpu = self.target.platform == "cpu"
        self.profile = {
            # XLA on the CPU is IEEE 754 arithmetic (xla_cpu_enable_fast_math is off); accelerators promise no direction.
            "rounding": "rte" if on_cpu else "open",
            # "In some environments flush-denormal-to-zero semantics is used" (jax.numpy.nextafter).
            "subnormals": "flushed",
            # jax.numpy.sign: "x / abs(x), x ≠ 0; 0, x = 0".
            "sgn_zero": "open",
            # jax.numpy.linalg.slogdet is numpy's, whose sign "is 1, 0, or -1".
            "slogdet_nan_sign": "number",
            # jax.numpy.linalg.norm has numpy's formulas, sign of a complex number is x / abs(x), jax.nn.standardize
            # "mean(x^2) - mean(x)^2". Gradients differentiate what jax.nn documents: x^3 of gelu by tanh, the square of
            # softsign's 1 + |x|, glu's product with the gradient.
            "range": ["vector_norm", "matrix_norm", "sgn", "layer_norm", "layer_norm_backward", "gelu_backward",
                      "softsign_backward", "glu_backward"],
            # Shapes are checked; nothing can be written to, and malformed sparse structures are not looked at.
            "refusals": "open",
            # Nothing is said of exp and its kin; on the CPU they are XLA's own vector code.
            "primitives": "vector" if on_cpu else "vulkan",
            "nondeterministic": [] if on_cpu else SCATTERS,
        }

    def view(self, *place):
        """Copies an operand to the device, because JAX owns the memory of its arrays. The host's bytes may be freed afterwards."""
        operand = super().view(*place)
        return self.receive(operand, jax.device_put(operand.copy(), self.target))

    def finish(self, results):
        jax.block_until_ready(results)

    def elsewhere(self, results, caught):
        places = {device for array in jax.tree_util.tree_leaves(results) for device in array.devices()}
        return ", ".join(map(str, places - {self.target}))


if __name__ == "__main__":
    JaxAdapter(sys.argv[1] if len(sys.argv) > 1 else None).serve()

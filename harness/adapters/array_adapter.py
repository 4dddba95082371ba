# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""A module that implements the array API (https://data-apis.org/array-api/latest/), such as numpy, as a backend of assay.

    assay run --backend array:numpy      (or array:array_api_strict, array:cupy, array:dask.array, array:jax.numpy, …)

It uses only the standard's functions and operators. Arrays share the operands' memory if the module can do that; otherwise the
operands that an operator writes are copied back.
"""

import contextlib
import operator
import sys

import assay_exec
from assay_exec import Rejected, Unsupported

# assay's name → the standard's name.
FUNCTIONS = {
    **{name: name for name in (
        "abs reciprocal floor ceil trunc round sqrt exp expm1 log log2 log10 log1p tanh sin cos tan "
        "asin acos atan sinh cosh asinh acosh atanh "
        "remainder floor_divide pow hypot atan2 logaddexp "
        "maximum minimum where copysign nextafter bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift "
        "isnan isinf isfinite signbit").split()},
    "neg": "negative", "mul": "multiply", "clamp": "clip", "eq": "equal",
    "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "bitwise_not": "bitwise_invert",
}
REDUCTIONS = {**{name: name for name in "sum prod mean var std any all count_nonzero".split()}, "amax": "max", "amin": "min"}


class ArrayAdapter(assay_exec.HostAdapter):
    # Words in the messages of numpy and array_api_strict; for other modules the kind of the exception decides.
    missing = ("is unsupported in linalg", "did not contain a loop", "not supported for the input types", "not allowed in",
               "Only floating-point", "Only numeric dtypes", "Only real", "does not support item assignment", "immutable",
               "promoted", "cannot promote", "type promotion",
               "min must be less than or equal")  # clip: else "behavior is unspecified"
    refusals = ("could not be broadcast", "broadcast", "do not match", "mismatch", "must be square", "out of bounds", "no identity", "of an empty",
                "must be at least", "Cannot cast ufunc", "zero-size array", "same kind", "incompatible shape", "core dimension",
                "repeated axis", "duplicate value", "to have the same shape")

    def __init__(self, module):
        super().__init__()
        self.module = module
        self.xp = assay_exec.need(module, "pip install " + module.split(".")[0].replace("_", "-"))
        self.name, self.device = module, "the host"
        self.version = str(getattr(self.xp, "__version__", None) or getattr(sys.modules[module.split(".")[0]], "__version__", ""))
        self.dtypes = tuple(name for name in self.formats if name != "bfloat16" and hasattr(self.xp, name))
        self.operators = {name: call for name, call in self.calls().items() if call}
        if module == "numpy" and self.version.startswith("1."):  # documented as the sign of the real part of a complex number
            self.only = {"sgn": " ".join(name for name in self.dtypes if name != "complex64")}
        self.profile = profile(module)
        with contextlib.suppress(AttributeError):
            self.device = str(self.xp.asarray(self.numpy.zeros(1, "float32")).device)

    def array(self, operand):
        return operand if self.xp is self.numpy else self.xp.asarray(operand)

    def host(self, array):
        """Converts an array to numpy by DLPack, which every implementation has."""
        if isinstance(array, self.numpy.ndarray | self.numpy.generic):
            return array
        try:
            return self.numpy.from_dlpack(array)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):  # bool, read-only, or on a device
            return self.numpy.asarray(array)

    def result(self, value):
        return super().result(self.host(value))

    def pure(self, function):
        def call(a, *operands):
            result = function(a, *(None if x is None else self.receive(x, self.array(x)) for x in operands))
            return tuple(result) if isinstance(result, tuple) else result
        return call

    def written(self, function, target=0):
        """An operator that writes: function(a, array, …) returns the new value of the target."""
        def call(a, *operands):
            result = self.host(function(a, *(None if x is None else self.receive(x, self.array(x)) for x in operands)))
            place = operands[target]
            if result.shape != place.shape:
                raise Rejected("the result has another shape than the operand")
            if result.ctypes.data != place.ctypes.data or result.strides != place.strides:
                place[...] = result
        return call

    def calls(self):
        xp, linalg = self.xp, getattr(self.xp, "linalg", None)
        found = {
            "sign": self.pure(lambda a, x: xp.sign(x)),
            "sgn": self.pure(lambda a, x: xp.sign(x)),
            "square": self.pure(lambda a, x: xp.square(x)),
            "div": self.pure(self.divide),
            "add": self.pure(self.scaled(xp.add)),
            "sub": self.pure(self.scaled(xp.subtract)),
            **{name: self.pure(lambda a, *operands, of=of: getattr(xp, of)(*operands)) for name, of in FUNCTIONS.items()
               if hasattr(xp, of)},
            **{name: self.pure(self.reduction(of)) for name, of in REDUCTIONS.items() if hasattr(xp, of)},
            "matmul": self.pure(lambda a, x, y: xp.matmul(x, y)),
            "mv": self.pure(lambda a, x, y: xp.matmul(*assay_exec.matrix_and_vector(x, y))),
            "argmax": self.pure(self.place(xp.argmax)),
            "argmin": self.pure(self.place(xp.argmin)),
            "add_": self.written(self.scaled(operator.iadd)),
            "sub_": self.written(self.scaled(operator.isub)),
            "mul_": self.written(lambda a, x, y: operator.imul(x, y)),
            "div_": self.written(lambda a, x, y: operator.itruediv(x, y)),
            "copy_": self.written(self.copy),
            "to": self.pure(self.convert),
            "clone": self.pure(lambda a, x: x.copy() if hasattr(x, "copy") else xp.asarray(x, copy=True)),  # numpy < 2
            "fill_": self.written(lambda a, x: self.put(x, ..., a["value"])),
            "masked_fill_": self.written(self.masked_fill) if hasattr(xp, "bool") else None,
        }
        norms = {
            "slogdet": self.pure(lambda a, x: linalg.slogdet(x)),
            "vector_norm": self.pure(self.vector_norm),
            "matrix_norm": self.pure(lambda a, x: linalg.matrix_norm(
                x, keepdims=bool(a.get("keepdim", False)), ord=a.get("ord", "fro"))),
        }
        found.update({name: call for name, call in norms.items() if hasattr(linalg, name)})  # numpy < 2 has one of them
        return found

    def divide(self, a, x, y):
        mode = a.get("rounding_mode", "none")
        if mode == "trunc":
            raise Unsupported("the array API cuts no quotient off")
        return self.xp.floor_divide(x, y) if mode == "floor" else self.xp.divide(x, y)

    @staticmethod
    def scaled(function):
        def call(a, x, y):
            if a.get("alpha", 1) != 1:
                raise Unsupported("the array API has no alpha")
            return function(x, y)
        return call

    @staticmethod
    def place(function):
        return lambda a, x: function(x, axis=a.get("dim"), keepdims=bool(a.get("keepdim", False)))

    def reduction(self, name):
        function = getattr(self.xp, name)
        empty = () if name in ("any", "all") else None  # for these an empty list of axes reduces nothing

        def call(a, x):
            word = "ddof" if self.module == "numpy" else "correction"  # the name that numpy has had since before 2.0
            words = {word: a.get("correction", 1)} if name in ("var", "std") else {}
            return function(x, axis=assay_exec.axes(a, x.ndim, empty), keepdims=bool(a.get("keepdim", False)), **words)
        return call

    def vector_norm(self, a, x):
        dim = a.get("dim")
        axis = tuple(dim) if isinstance(dim, list) else dim
        return self.xp.linalg.vector_norm(x, axis=axis, keepdims=bool(a.get("keepdim", False)), ord=a.get("ord", 2))

    @staticmethod
    def put(x, where, value):
        x[where] = value
        return x

    def convert(self, a, x):
        if a["dtype"] not in self.dtypes or not hasattr(self.xp, "astype"):
            raise Unsupported("this module has no astype into " + a["dtype"])
        return self.xp.astype(x, getattr(self.xp, a["dtype"]))

    def copy(self, a, x, y):
        if x.dtype != y.dtype and not hasattr(self.xp, "astype"):
            raise Unsupported("this module has no astype")
        return self.put(x, ..., y if x.dtype == y.dtype else self.xp.astype(y, x.dtype))

    def masked_fill(self, a, x, mask):
        if mask.shape != x.shape:
            raise Unsupported("a mask has the shape of the array that it indexes")
        return self.put(x, mask, a["value"])


def profile(module):
    """The profile that the standard, and for numpy its own documentation, promises."""
    promised = {
        # "Accuracy": +, −, ×, ÷ and sqrt "must be correctly rounded" by IEEE 754 (design_topics/accuracy.html); of
        # subnormals, "support is optional" (API_specification/data_types).
        "rounding": "rte",
        # sign: "if x_i is either −0 or +0, the result is 0", "if x_i is NaN, the result is NaN".
        "sgn_zero": "open",
        # argmax: of several, "only the indices corresponding to the first occurrence are returned".
        "ties": "first",
        # linalg.vector_norm gives the formula (Σ|x|^p)^(1/p), numpy.linalg.norm "sum(abs(x)**ord)**(1./ord)", sign of a
        # complex number x/|x|, and no word on intermediates. The order of sums is pairwise along numpy's fast axis alone (numpy.sum).
        "range": ["vector_norm", "matrix_norm", "sgn"],
        # linalg.slogdet: sign is "0, 1 or −1", also of a matrix that holds a NaN.
        "slogdet_nan_sign": "number",
        # Memory that operands share is the user's affair (design_topics/copies_views_and_mutation.html); numpy defines it.
        "refusals": "open",
    }
    if module == "numpy":
        # numpy.finfo has smallest_subnormal, and warns of a processor that was set to flush. Release notes: exp and log of
        # float32 err by 2.52 and 3.83 ulp (1.17), functions by SVML, where the processor has AVX-512, by up to 4 (1.22).
        promised.update({"subnormals": "kept", "primitives": "vector"})
    return promised


if __name__ == "__main__":
    ArrayAdapter(sys.argv[1] if len(sys.argv) > 1 else "numpy").serve()

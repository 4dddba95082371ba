# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""ONNX Runtime as a backend of assay: every case is a model of one node, in the form that the operator's page of
https://onnx.ai/onnx/operators/ defines, run by the requested execution provider and no other.

    assay run --backend onnx:cpu        (or onnx:cuda, onnx:tensorrt, onnx:openvino, …)

If ONNX requires a scale or a shift that the call leaves out, ones or zeros are passed. ONNX never writes to an operand: for an
in-place operator (add_, clamp_, copy_) the node's result is copied to the operand.
"""

import ctypes
import functools
import sys

import assay_exec
from assay_exec import Rejected, Unsupported

INSTALL = "pip install onnxruntime onnx"
ort = assay_exec.need("onnxruntime", INSTALL)
onnx = assay_exec.need("onnx", INSTALL)
np = assay_exec.need("numpy", INSTALL)
from onnx_networks import Networks  # noqa: E402 (behind the modules that may be absent)

OPSET, IR = 23, 10  # opset 23 has RMSNormalization
TYPES = {"float16": "FLOAT16", "bfloat16": "BFLOAT16", "float32": "FLOAT", "float64": "DOUBLE", "int8": "INT8",
         "uint8": "UINT8", "int32": "INT32", "int64": "INT64", "bool": "BOOL"}
TYPES = {name: getattr(onnx.TensorProto, word) for name, word in TYPES.items()}

# assay's name → the node that is the same function, without attributes; PREDICATES: those whose results are bool.
# HardSigmoid and HardSwish are defined by alpha·x + 0.5, which cancels near -3, where PyTorch's x + 3 does not.
FUNCTIONS = {
    "abs": "Abs", "neg": "Neg", "floor": "Floor", "ceil": "Ceil", "round": "Round", "relu": "Relu", "reciprocal": "Reciprocal",
    "sqrt": "Sqrt", "exp": "Exp", "log": "Log", "tanh": "Tanh", "erf": "Erf", "sigmoid": "Sigmoid", "softsign": "Softsign",
    "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan",
    "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh",
    "mish": "Mish", "selu": "Selu", "mul": "Mul", "pow": "Pow",
    "maximum": "Max", "minimum": "Min", "remainder": "Mod", "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor", "bitwise_not": "BitwiseNot",
}
PREDICATES = {"eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual", "isnan": "IsNaN",
              "isinf": "IsInf"}
ACTIVATIONS = {  # the node, its attribute, assay's attribute, the default
    "gelu": ("Gelu", "approximate", "approximate", "none"), "elu": ("Elu", "alpha", "alpha", 1.0),
    "celu": ("Celu", "alpha", "alpha", 1.0), "leaky_relu": ("LeakyRelu", "alpha", "negative_slope", 0.01),
}
REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "amax": "ReduceMax", "amin": "ReduceMin",
              "logsumexp": "ReduceLogSumExp"}
ALONG = {"softmax": "Softmax", "log_softmax": "LogSoftmax"}
LOSSES = {"nll_loss": "NegativeLogLikelihoodLoss", "cross_entropy": "SoftmaxCrossEntropyLoss"}  # of classes


class OnnxAdapter(Networks, assay_exec.HostAdapter):
    name, version = "onnxruntime", ort.__version__
    dtypes = tuple(TYPES)
    # Words in ONNX Runtime's messages about a missing kernel, a model that ONNX does not allow, or shapes that do not fit.
    missing = ("NOT_IMPLEMENTED", "Type Error: Type", "bound to different types")
    refusals = ("INVALID_ARGUMENT", "ShapeInferenceError", "Non-zero status code", "SHAPE_INFERENCE", "could not broadcast", "cannot be broadcast")
    profile = {
        # Nothing in ONNX or ONNX Runtime gives up IEEE 754 arithmetic on the CPU; session.set_denormal_as_zero, which
        # flushes, is off unless a session asks for it (onnxruntime_session_options_config_keys.h).
        "rounding": "rte", "subnormals": "kept",
        # "sign: if input > 0, output 1; if input < 0, output −1; if input == 0, output 0": nothing on the sign of a zero.
        "sgn_zero": "open",
        # ArgMax with select_last_index 0, its default: "the index of the first occurrence is selected".
        "ties": "first",
        # ReduceL2 is a function of ONNX: Sqrt(ReduceSum(Mul(x, x))); the bodies of LayerNormalization and its kin square
        # likewise. Sigmoid is "1 / (1 + exp(-x))".
        "range": ["vector_norm", "matrix_norm", "layer_norm", "rms_norm", "group_norm", "instance_norm", "batch_norm", "sigmoid"],
        # epsilon is an attribute of type FLOAT.
        "attributes": "float32",
        # Shapes broadcast, and a node knows of no memory that its operands share.
        "refusals": "open",
    }
    # LayerNormalization and its relatives compute in float32 for every dtype (stash_type 1, the only one that ONNX Runtime takes).
    # Selu's constants are attributes of type FLOAT. Mod of floating dtypes is fmod alone.
    only = {**dict.fromkeys(("layer_norm", "rms_norm", "group_norm", "selu", "softplus"), "float16 bfloat16 float32"),
            "remainder": "int32 int64",
            # For float64 Attention is made of other nodes, in which 1/√D passes through float32.
            "scaled_dot_product_attention": "float16 bfloat16 float32",
            # The scale has the type of what is quantized; zero points that of the integers.
            **{"quantize_per_" + grain: "float32" for grain in ("tensor", "channel", "block")},
            "sum": "float16 bfloat16 float32 float64 int64"}  # ReduceSum keeps int32

    def __init__(self, device):
        super().__init__()
        known = {name[: -len("ExecutionProvider")].lower(): name for name in ort.get_available_providers()}
        if device.lower() not in known:
            sys.exit("ONNX Runtime has no %s here: %s" % (device, ", ".join(known)))
        self.provider = self.device = known[device.lower()]
        if self.provider != "CPUExecutionProvider":  # devices promise no direction, and may flush
            # cuDNN may add up the parts of a transposed convolution in any order.
            self.profile = {**self.profile, "rounding": "open", "subnormals": "flushed",
                            "nondeterministic": ["conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]}
        # By default CUDA's provider takes float32 products in TF32.
        # With DEFAULT it takes cuDNN's CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM for convolutions, and searches none that is faster.
        self.providers = [(self.provider, {"use_tf32": "0", "cudnn_conv_algo_search": "DEFAULT"} if "CUDA" in self.provider else {})]
        self.operators = {name: getattr(self, name.rstrip("_")) for name in (
            "matmul", "linear", "vector_norm", "matrix_norm", "layer_norm", "rms_norm", "group_norm", "instance_norm", "batch_norm",
            "argmax", "argmin", "copy_", "clamp_", "masked_fill_")}
        self.operators.update(dict.fromkeys(("sign", "sgn"), lambda a, x: self.node("Sign", x)))
        for name in ("Add", "Sub", "Mul", "Div"):
            self.operators[name.lower() + "_"] = functools.partial(self.update, name)
        self.operators.update({name: functools.partial(self.function, kind) for name, kind in FUNCTIONS.items()})
        self.operators.update({"add": functools.partial(self.sum, "Add"), "sub": functools.partial(self.sum, "Sub")})
        self.operators["div"] = self.divide
        self.operators.update({name: functools.partial(self.predicate, kind) for name, kind in PREDICATES.items()})
        self.operators.update({name: functools.partial(self.activation, *row) for name, row in ACTIVATIONS.items()})
        self.operators.update({name: functools.partial(self.reduction, kind) for name, kind in REDUCTIONS.items()})
        self.operators.update({name: functools.partial(self.along, kind) for name, kind in ALONG.items()})
        self.operators.update({name: functools.partial(self.class_loss, kind) for name, kind in LOSSES.items()})
        self.operators.update({
            "softplus": self.softplus, "clamp": self.clip,
            "hardtanh": lambda a, x: self.clip({"min": a.get("min_val", -1), "max": a.get("max_val", 1)}, x),
            "prelu": self.prelu,
            "fmod": lambda a, x, y: self.node("Mod", x, y, fmod=1),
            "to": lambda a, x: self.node("Cast", x, result=TYPES[a["dtype"]], to=TYPES[a["dtype"]]),
            "clone": lambda a, x: self.node("Identity", x),
            "int_mm": self.int_mm,
            "mv": lambda a, x, y: self.matmul(a, *assay_exec.matrix_and_vector(x, y)),
            **{"quantize_per_" + grain: self.quantize for grain in ("tensor", "channel", "block")},
            **{"dequantize_per_" + grain: self.dequantize for grain in ("tensor", "channel", "block")},
            **self.network_operators(),
            "where": lambda a, condition, x, y: self.node("Where", condition, x, y, result=TYPES[self.names[x.dtype]]),
        })

    # --- a node

    def value(self, operand):
        """Passes an operand in host memory, because numpy has no bfloat16 that ONNX Runtime knows."""
        name, array = self.names[operand.dtype], operand.copy(order="C")
        if name == "bfloat16":
            return self.receive(operand, ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array.view(np.uint16), TYPES[name]))
        return self.receive(operand, ort.OrtValue.ortvalue_from_numpy(array))

    def host(self, value):
        if value.element_type() != TYPES["bfloat16"]:
            return value.numpy()
        size = 2 * int(np.prod(value.shape()))
        return np.frombuffer(ctypes.string_at(value.data_ptr(), size), self.formats["bfloat16"]).reshape(value.shape())

    @staticmethod
    def type_named(name):
        return TYPES[name]

    def type_of(self, operand):
        return TYPES[self.names[operand.dtype]]

    def node(self, kind, *operands, result=None, **attributes):
        """Returns the result of a model of one node. Operands that are None are left out."""
        return self.nodes(kind, *operands, results=[result or self.type_of(operands[0])], **attributes)[0]

    def nodes(self, kind, *operands, results, **attributes):
        """Returns all results of a model of one node, which have these types."""
        present = {"x%d" % i: operand for i, operand in enumerate(operands) if operand is not None}
        names = ["x%d" % i if operand is not None else "" for i, operand in enumerate(operands)]
        while not names[-1]:  # ONNX allows the name "" there, but ONNX Runtime's LayerNormalization crashes on it
            names.pop()
        inputs = [onnx.helper.make_tensor_value_info(name, self.type_of(operand), operand.shape)
                  for name, operand in present.items()]
        outputs = [onnx.helper.make_tensor_value_info("y%d" % i, result, None) for i, result in enumerate(results)]
        outside = [output.name for output in outputs]
        graph = onnx.helper.make_graph([onnx.helper.make_node(kind, names, outside, **attributes)], "case", inputs, outputs)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=IR)
        options = ort.SessionOptions()
        options.log_severity_level = 4  # it raises what it has to say
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        if self.provider != "CPUExecutionProvider":
            options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        try:
            session = ort.InferenceSession(model.SerializeToString(), options, providers=self.providers)
        except Exception as fault:
            if "fallback to CPU EP has been explicitly" in str(fault):
                raise Unsupported("ONNX Runtime fell back to the CPU") from None
            raise
        if session.get_providers()[0] != self.provider:
            raise Unsupported("ONNX Runtime fell back to %s" % session.get_providers()[0])
        feeds = {name: self.value(operand) for name, operand in present.items()}
        return [self.host(value) for value in session.run_with_ort_values(outside, feeds)]

    # --- assay's operators

    def function(self, kind, a, *operands):
        return self.node(kind, *operands)

    def sum(self, kind, a, x, y):
        if a.get("alpha", 1) != 1:
            raise Unsupported("%s has no alpha" % kind)
        return self.node(kind, x, y)

    def divide(self, a, x, y):
        """Div: "for integer inputs, the result is computed using truncating division"."""
        if a.get("rounding_mode", "none") != ("trunc" if np.issubdtype(x.dtype, np.integer) else "none"):
            raise Unsupported("Div rounds no quotient to a whole number but of integers, which it cuts off")
        return self.node("Div", x, y)

    def predicate(self, kind, a, *operands):
        return self.node(kind, *operands, result=TYPES["bool"])

    def activation(self, kind, name, attribute, default, a, x):
        return self.node(kind, x, **{name: a.get(attribute, default)})

    def prelu(self, a, x, weight):
        """The slope broadcasts to the input as numpy does: a weight for each channel takes a shape behind it."""
        channels = x.shape[1] if x.ndim > 1 else 1
        if weight.ndim > 1 or weight.size not in ({1} if x.ndim == 0 else {1, channels}):
            raise assay_exec.Rejected("the weight has one number, or one for each channel")
        if weight.size == 1:
            return self.node("PRelu", x, weight.reshape((1,) * min(1, x.ndim)))
        return self.node("PRelu", x, weight.reshape(weight.shape + (1,) * (x.ndim - 2)))

    def softplus(self, a, x):
        """Beyond PyTorch's threshold of 20 it differs from x by 2e-9: float64 alone tells that, and is not offered."""
        if (a.get("beta", 1), a.get("threshold", 20)) != (1, 20):
            raise Unsupported("Softplus has neither beta nor threshold")
        return self.node("Softplus", x)

    def clip(self, a, x, low=None, high=None):
        limits = [limit if limit is not None or name not in a else np.array(a[name]).astype(x.dtype)
                  for name, limit in (("min", low), ("max", high))]
        if any(limit is not None and limit.ndim for limit in limits):
            raise Unsupported("Clip's limits are scalars")
        return self.node("Clip", x, *limits)

    @staticmethod
    def parameters(a, x, dtype, scales, zeros):
        """Returns scale and zero point, and the attributes that say to what they apply."""
        if scales is None:
            return np.array(a["scale"], np.float32), np.array(a["zero_point"], dtype), {}
        if "block_size" not in a and not -x.ndim <= a["axis"] < x.ndim:
            raise Rejected("no such axis")
        if zeros.size and (zeros.min() < np.iinfo(dtype).min or zeros.max() > np.iinfo(dtype).max):
            raise Unsupported("zero points are of the integers' type")
        words = {"axis": -1, "block_size": a["block_size"]} if "block_size" in a else {"axis": a["axis"]}
        return scales, zeros.astype(dtype), words

    def quantize(self, a, x, scales=None, zeros=None):
        if "quant_min" in a or "quant_max" in a or a["dtype"] == "int32":
            raise Unsupported("QuantizeLinear has the interval of int8 or uint8")
        limits = np.iinfo(a["dtype"])
        if scales is None and not limits.min <= a["zero_point"] <= limits.max:
            raise Unsupported("the zero point is of the integers' type")
        scale, zero, words = self.parameters(a, x, np.dtype(a["dtype"]), scales, zeros)
        return self.node("QuantizeLinear", x, scale, zero, result=TYPES[a["dtype"]], **words)

    def dequantize(self, a, x, scales=None, zeros=None):
        if a.get("out_dtype", "float32") != "float32":
            raise Unsupported("the result has the type of the scale")
        scale, zero, words = self.parameters(a, x, x.dtype, scales, zeros)
        if x.dtype == np.int32 and zero.any():
            raise Unsupported("DequantizeLinear of int32 has no zero point")
        return self.node("DequantizeLinear", x, scale, zero, result=TYPES["float32"], **words)

    def int_mm(self, a, x, y):
        if x.ndim != 2 or y.ndim != 2 or y.dtype != np.int8:
            raise Rejected("int_mm multiplies matrices of int8")
        return self.node("MatMulInteger", x, y, result=TYPES["int32"])

    def matmul(self, a, x, y):
        return self.node("MatMul", x, y)

    def linear(self, a, x, w, b=None):
        if x.ndim != 2 or w.ndim != 2:
            raise Unsupported("Gemm multiplies matrices")
        return self.node("Gemm", x, w, b, transB=1)

    def vector_norm(self, a, x):
        kinds = {1: "ReduceL1", 2: "ReduceL2"}
        if a.get("ord", 2) not in kinds:
            raise Unsupported("ONNX has norms of order 1 and 2")
        dim = a.get("dim")
        axes = None if dim is None else np.array([dim] if isinstance(dim, int) else dim, np.int64)
        if axes is not None and any(not -x.ndim <= d < x.ndim for d in axes.tolist()):
            raise Rejected("no such axis")
        return self.node(kinds[a.get("ord", 2)], x, axes, keepdims=int(a.get("keepdims", a.get("keepdim", 0))))

    def matrix_norm(self, a, x):
        if a.get("ord", "fro") != "fro":
            raise Unsupported("ONNX has the Frobenius norm of a matrix, as ReduceL2")
        return self.node("ReduceL2", x, np.array([-2, -1], np.int64), keepdims=int(a.get("keepdim", 0)))

    def reduction(self, kind, a, x):
        dims = assay_exec.axes(a, x.ndim)
        axes = None if dims is None else np.array(dims, np.int64)
        if kind == "ReduceMean" and not np.prod([x.shape[d] for d in dims] if dims else x.shape):
            raise Unsupported("ONNX leaves a mean of nothing undefined")
        return self.node(kind, x, axes, keepdims=int(a.get("keepdim", 0)))

    def along(self, kind, a, x):
        return self.node(kind, x, axis=assay_exec.axis(a["dim"], x.ndim))

    def class_loss(self, kind, a, x, target, weight=None):
        if x.ndim < 2 or target.dtype != np.int64 or a.get("label_smoothing", 0):
            raise Unsupported("ONNX's losses take batches and classes, whose labels are not smoothed")
        if kind == "SoftmaxCrossEntropyLoss" and not x.size:
            raise Unsupported("ONNX defines it by a Reshape to -1 elements, which a batch of nothing has no number for")
        return self.node(kind, x, target, weight, reduction=a.get("reduction", "mean"), ignore_index=a.get("ignore_index", -100))

    def place(self, kind, a, x):
        keep = int(a.get("keepdim", 0))
        if "dim" in a:
            return self.node(kind, x, result=TYPES["int64"], axis=assay_exec.axis(a["dim"], x.ndim), keepdims=keep)
        if keep and x.ndim != 1:
            raise Unsupported("%s keeps the axis that it is given, and of all elements there is none" % kind)
        return self.node(kind, x.reshape(-1), result=TYPES["int64"], axis=0, keepdims=keep)

    def argmax(self, a, x):
        return self.place("ArgMax", a, x)

    def argmin(self, a, x):
        return self.place("ArgMin", a, x)

    def layer_norm(self, a, x, weight=None, bias=None):
        shape = a["normalized_shape"]
        return self.node("LayerNormalization", x, self.tail(x, weight, shape), bias, axis=-len(shape), epsilon=float(a.get("eps", 1e-5)))

    def rms_norm(self, a, x, weight=None):
        shape = a["normalized_shape"]
        eps = a.get("eps")
        if eps is None:  # of PyTorch's call, 2^(1 − digits) of the dtype; ONNX's own default is 1e-5
            eps = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23}[self.names[x.dtype]]
        return self.node("RMSNormalization", x, self.tail(x, weight, shape), axis=-len(shape), epsilon=float(eps))

    def group_norm(self, a, x, weight=None, bias=None):
        return self.node("GroupNormalization", x, *self.affine(x, weight, bias), num_groups=a["num_groups"],
                         epsilon=float(a.get("eps", 1e-5)))

    def instance_norm(self, a, x, mean=None, variance=None, weight=None, bias=None):
        if mean is not None or variance is not None or not a.get("use_input_stats", True):
            raise Unsupported("InstanceNormalization has no running statistics")
        return self.node("InstanceNormalization", x, *self.affine(x, weight, bias), epsilon=float(a.get("eps", 1e-5)))

    def batch_norm(self, a, x, mean=None, variance=None, weight=None, bias=None):
        if a.get("training", False):
            raise Unsupported("BatchNormalization moves running statistics by the population variance, PyTorch by the sample's")
        if mean is None or variance is None:
            raise Rejected("evaluation wants running statistics")
        return self.node("BatchNormalization", x, *self.affine(x, weight, bias), mean, variance, epsilon=float(a.get("eps", 1e-5)))

    @staticmethod
    def tail(x, weight, shape):
        if not shape or list(x.shape[-len(shape):]) != list(shape):
            raise Rejected("normalized_shape is no tail of the input's shape")
        return np.ones(shape, x.dtype) if weight is None else weight

    @staticmethod
    def affine(x, weight, bias):
        channels = x.shape[1:2]
        return (np.ones(channels, x.dtype) if weight is None else weight), (np.zeros(channels, x.dtype) if bias is None else bias)

    def assign(self, x, result):
        if result.shape != x.shape:
            raise Rejected("the result has another shape than the operand")
        x[...] = result

    def update(self, kind, a, x, y):
        if a.get("alpha", 1) != 1:
            raise Unsupported("%s has no alpha" % kind)
        if kind == "Div" and x.dtype.kind == "i":
            raise Rejected("Div of integers truncates")
        self.assign(x, self.node(kind, x, y))

    def copy(self, a, x, y):
        to = TYPES[self.names[x.dtype]]
        x[...] = self.node("Cast", y, result=to, to=to)

    def clamp(self, a, x, low=None, high=None):
        self.assign(x, self.clip(a, x, low, high))

    def masked_fill(self, a, x, mask):
        self.assign(x, self.node("Where", mask, np.array(a["value"]).astype(x.dtype), x, result=TYPES[self.names[x.dtype]]))


if __name__ == "__main__":
    OnnxAdapter(sys.argv[1] if len(sys.argv) > 1 else "cpu").serve()

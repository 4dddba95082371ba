# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Wrong results of ONNX Runtime on the CPU, in models of one node."""

import numpy as np
import onnx
import onnxruntime as ort
from finding import apart, raised, report
from onnx import helper


def node(kind, operands, names=None, result=None, **attributes):
    """The result of one node, without assay; of the first operand's type (of Where's last) unless `result` names one."""
    names = names or ["x%d" % i for i in range(len(operands))]
    given = dict(zip([name for name in names if name], operands))
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for name, x in given.items()]
    kind_of_y = result or helper.np_dtype_to_tensor_dtype(operands[-1].dtype if kind == "Where" else operands[0].dtype)
    graph = helper.make_graph([helper.make_node(kind, names, ["y"], **attributes)], "finding", inputs,
                              [helper.make_tensor_value_info("y", kind_of_y, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
    return ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, given)[0]


def sign_of_nan_depends_on_the_type():
    """Sign(NaN) is NaN in float32 and float64, 0 in float16 (and bfloat16)."""
    got = [float(node("Sign", [np.array([np.nan], dtype)])[0]) for dtype in ("float64", "float32", "float16")]
    return "one answer", got, len({str(value) for value in got}) == 1


def layer_norm_dies_of_an_absent_bias():
    """LayerNormalization with the name "" for its optional B, as ONNX allows, in a process of its own."""
    code = apart("""
import numpy as np, onnxruntime as ort
from onnx import TensorProto, helper
make = helper.make_tensor_value_info
graph = helper.make_graph([helper.make_node("LayerNormalization", ["x", "s", ""], ["y"])], "g",
    [make("x", TensorProto.FLOAT, [5, 2]), make("s", TensorProto.FLOAT, [2])], [make("y", TensorProto.FLOAT, None)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10).SerializeToString()
session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
session.run(None, {"x": np.ones((5, 2), "float32"), "s": np.ones(2, "float32")})""")
    return "exit status 0", "signal %d" % -code if code < 0 else "exit status %d" % code, code == 0


def group_norm_cancels():
    """GroupNormalization of float32 with mean 1e3 and deviation 1 takes the variance for E[x²] − E[x]²; with mean 1e4 it is NaN."""
    errors = []
    for mean in (1e3, 1e4):
        x = (mean + np.random.default_rng(1).standard_normal((2, 4, 64))).astype("float32")
        rows = x.astype("float64").reshape(2, 2, -1)
        right = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)
        got = node("GroupNormalization", [x, np.ones(4, "float32"), np.zeros(4, "float32")], num_groups=2, epsilon=1e-5)
        errors.append(float(np.abs(got - right.reshape(x.shape)).max()))
    return "within 1e-2", "off by %.2g and %.2g" % tuple(errors), max(errors) < 1e-2


def group_norm_of_an_empty_batch():
    """GroupNormalization of [0, 4, 3] is [0, 4, 3]."""
    got = raised(lambda: node("GroupNormalization", [np.ones((0, 4, 3), "float32"), np.ones(4, "float32"),
                                                     np.zeros(4, "float32")], num_groups=2).shape)
    return (0, 4, 3), got, got == (0, 4, 3)


def norms_over_nothing_keep_their_shape():
    """ReduceL2 of [0, 3, 4] over the last two axes with keepdims = 0 is [0], of [0, 4] a scalar 0."""
    got = [node("ReduceL2", [np.ones(shape, "float32"), np.array([-2, -1])], keepdims=0).shape for shape in ((0, 3, 4), (0, 4))]
    return [(0,), ()], got, got == [(0,), ()]


def where_changes_what_it_moves():
    """Where of float16 passes through float32: the signalling NaN 0x7c01 comes out quiet."""
    x = np.array([0x7C01], "uint16").view("float16")
    got = node("Where", [np.array([True]), x, np.zeros(1, "float16")]).view("uint16")[0]
    return "0x7c01", hex(got), got == 0x7C01


def where_loses_the_sign_of_zero():
    """Where(true, −0, −0) is −0; what comes is the sum of what was chosen and of zeros."""
    zeros = np.array([-0.0], "float32")
    got = node("Where", [np.array([True]), zeros, zeros])[0]
    return -0.0, got, bool(np.signbit(got))


def cast_rounds_twice():
    """Cast of 1 + 2^-11 + 2^-40 from float64 to float16: a little above the midpoint, which rounding to float32 first
    makes of it. ONNX does not say how Cast rounds; numpy's conversion gives the nearest."""
    x = np.array([1 + 2.0**-11 + 2.0**-40])
    got = node("Cast", [x], result=onnx.TensorProto.FLOAT16, to=onnx.TensorProto.FLOAT16)[0]
    return np.float64(x[0]).astype("float16"), got, got == x.astype("float16")[0]


def matmul_of_no_rows_and_a_vector():
    """MatMul of [0, 3] and [3] is [0], as numpy.matmul, which ONNX names for its definition."""
    got = raised(lambda: node("MatMul", [np.ones((0, 3), "float32"), np.ones(3, "float32")]).shape)
    return (0,), got, got == (0,)


def affine_products_leave_the_range():
    """InstanceNormalization of (0, 0, 0, 1) with scale 2.5e38 and shift −3e38: the last element is 1.33e38, its product 4.33e38."""
    x, scale, shift = np.array([[[0, 0, 0, 1]]], "float32"), np.array([2.5e38], "float32"), np.array([-3e38], "float32")
    right = 0.75 / np.sqrt(0.1875 + 1e-5) * 2.5e38 - 3e38
    got = float(node("InstanceNormalization", [x, scale, shift], epsilon=1e-5)[0, 0, 3])
    return right, got, abs(got - right) < 1e-4 * right


def norms_leave_the_range():
    """ReduceL2 of (3, 4)·2^63 in float32; ONNX defines it by Mul, ReduceSum and Sqrt."""
    got = float(node("ReduceL2", [np.array([3, 4], "float32") * np.float32(2.0**63)], keepdims=0))
    return 5 * 2.0**63, got, got == 5 * 2.0**63


def the_greatest_passes_over_nan():
    """ArgMax, ReduceMax and ReduceMin of (1, 2, NaN): ONNX does not say; its reference implementation is numpy's, NaN at place 2."""
    x = np.array([1, 2, np.nan], "float32")
    got = [int(node("ArgMax", [x], result=onnx.TensorProto.INT64, axis=0, keepdims=0))]
    got += [float(node(kind, [x], keepdims=0)) for kind in ("ReduceMax", "ReduceMin")]
    return [2, np.nan, np.nan], got, got[0] == 2 and all(map(np.isnan, got[1:]))


def log_softmax_of_float64_passes_over_nan():
    """LogSoftmax of (1, NaN, 2) is NaN everywhere, as Softmax is by its definition; in float32 it is."""
    got = node("LogSoftmax", [np.array([1, np.nan, 2])], axis=0)
    return [np.nan] * 3, got.tolist(), np.isnan(got).all()


def sums_of_int64_pass_through_float64():
    """ReduceSum of (2^53, 1) in int64."""
    got = int(node("ReduceSum", [np.array([2**53, 1], "int64")], keepdims=0))
    return 2**53 + 1, got, got == 2**53 + 1


def one_block_is_taken_for_a_tensor():
    """QuantizeLinear of a vector of 4 in one block: the scale [1] is one for each block."""
    x, scale, zero = np.arange(4, dtype="float32"), np.ones(1, "float32"), np.zeros(1, "int8")
    try:
        got = node("QuantizeLinear", [x, scale, zero], result=onnx.TensorProto.INT8, axis=-1, block_size=4).tolist()
    except Exception as error:
        got = "block_size refused" if "block_size must be 0" in str(error) else str(error)[:60]
    return [0, 1, 2, 3], got, got == [0, 1, 2, 3]


def off(kind, x, right, **attributes):
    """Returns the relative error of a function of one number."""
    return abs(float(node(kind, [x], **attributes)[0]) - right) / abs(right)


def elu_cancels():
    """Elu, Celu and Selu of -1e-10 in float32: exp(x) - 1 is 0."""
    x = np.array([-1e-10], "float32")
    got = [off("Elu", x, float(x[0])), off("Celu", x, float(x[0])), off("Selu", x, float(x[0]) * 1.0507009873554805 * 1.6732632423543772)]
    return "within 1e-6", "off by %.2g, %.2g, %.2g" % tuple(got), max(got) < 1e-6


def sigmoid_far_below_zero():
    """Sigmoid(-9.95788574) in float32 and Sigmoid(-9.8653686046600342) in float64, relatively."""
    got = [off("Sigmoid", x, 1 / (1 + np.exp(-x.astype("float64")))[0])
           for x in (np.array([-9.95788574], "float32"), np.array([-9.8653686046600342]))]
    return "within 1e-6 and 1e-15", "off by %.2g and %.2g" % tuple(got), got[0] < 1e-6 and got[1] < 1e-15


def tanh_of_small_numbers():
    """Tanh(2^-126) in float32 is 2^-126."""
    got = off("Tanh", np.array([2.0**-126], "float32"), 2.0**-126)
    return "within 1e-7", "off by %.2g" % got, got < 1e-7


def gelu_of_float64_by_tanh():
    """Gelu(-1) in float64, approximated by tanh: its constants are float32's."""
    right = -0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * -1.044715))
    got = off("Gelu", np.array([-1.0]), right, approximate="tanh")
    return "within 1e-15", "off by %.2g" % got, got < 1e-15


def abs_and_neg_change_nans():
    """Abs and Neg of float16 pass through float32: the signalling NaN 0x7c01 comes out quiet."""
    x = np.array([0x7C01], "uint16").view("float16")
    got = [hex(int(node(kind, [x]).view("uint16")[0])) for kind in ("Abs", "Neg")]
    return ["0x7c01", "0xfc01"], got, got == ["0x7c01", "0xfc01"]


def conv_transpose_of_much_output_padding():
    """ConvTranspose with stride 2, dilation 3 and output_padding 2, which is less than the dilation, has a result of 15 numbers."""
    got = raised(lambda: node("ConvTranspose", [np.ones((1, 1, 4), "float32"), np.ones((1, 1, 3), "float32")], strides=[2], dilations=[3],
                              output_padding=[2]).shape)
    return (1, 1, 15), got, got == (1, 1, 15)


def attention(mask=None, **attributes):
    x = np.ones((1, 1, 3, 8), "float32")
    return raised(lambda: node("Attention", [x, x, x] + ([] if mask is None else [mask]), **attributes).shape)


def attention_takes_no_mask_that_broadcasts():
    """Attention of 3 queries and 3 keys with a mask of [1, 3] and of [3, 1]."""
    got = [attention(np.zeros(shape, "float32")) for shape in ((1, 3), (3, 1))]
    return [(1, 1, 3, 8)] * 2, got, got == [(1, 1, 3, 8)] * 2


def attention_takes_no_scale_of_0():
    """Attention with a scale of 0 is the mean of the values."""
    got = attention(scale=0.0)
    return (1, 1, 3, 8), got, got == (1, 1, 3, 8)


if __name__ == "__main__":
    assert onnx.defs.onnx_opset_version() >= 23
    report("onnxruntime", ort.__version__, ("1.31.1",), (
        sign_of_nan_depends_on_the_type, layer_norm_dies_of_an_absent_bias, group_norm_cancels, group_norm_of_an_empty_batch,
        norms_over_nothing_keep_their_shape, where_changes_what_it_moves, where_loses_the_sign_of_zero,
        cast_rounds_twice, matmul_of_no_rows_and_a_vector, affine_products_leave_the_range, norms_leave_the_range,
        the_greatest_passes_over_nan, log_softmax_of_float64_passes_over_nan, elu_cancels, sigmoid_far_below_zero, tanh_of_small_numbers, gelu_of_float64_by_tanh,
        abs_and_neg_change_nans, sums_of_int64_pass_through_float64, one_block_is_taken_for_a_tensor,
        conv_transpose_of_much_output_padding, attention_takes_no_mask_that_broadcasts, attention_takes_no_scale_of_0))

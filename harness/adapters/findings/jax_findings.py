# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Wrong results of JAX, in plain calls of the library."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from finding import report

jax.config.update("jax_enable_x64", True)


def expm_scales_too_little():
    """expm([[7.8]]) in float32: the number of squarings is floor(log2(‖A‖₁/θ)), so that the approximation of degree 7, good to
    θ = 3.93, is taken for norms up to 2θ; its documentation says ceil."""
    right, got = math.exp(np.float32(7.8)), float(jax.scipy.linalg.expm(jnp.array([[7.8]], jnp.float32))[0, 0])
    return right, "%.9g, %.2g u off" % (got, abs(got - right) / right * 2**24), abs(got - right) < 64 * 2**-24 * right


def expm_scales_too_little_in_float64():
    """expm of a rotation by 1e4 in float64: cos 1e4, the condition number is 1e4."""
    right, got = math.cos(1e4), float(jax.scipy.linalg.expm(jnp.array([[0, -1e4], [1e4, 0]]))[0, 0])
    return right, got, abs(got - right) < 1e-10


def expm_without_an_answer():
    """expm([[1, 1e6], [0, 1]]) in float64 is e·[[1, 1e6], [0, 1]]: where more than max_squarings = 16 would be wanted, all is NaN."""
    got = jax.scipy.linalg.expm(jnp.array([[1, 1e6], [0, 1]]))
    return "[[2.718, 2.718e6], [0, 2.718]]", np.asarray(got).tolist(), not bool(jnp.isnan(got).any())


def standardize_cancels():
    """jax.nn.standardize of a row with mean 1e3 and deviation 1, float32, as it is called by default: mean(x²) − mean(x)². The
    documentation says so; algorithm="stable" is another."""
    x = (1e3 + np.random.default_rng(1).standard_normal(64)).astype(np.float32)
    wide = x.astype(np.float64)
    right = (wide - wide.mean()) / np.sqrt(wide.var() + 1e-5)
    error = float(np.abs(np.asarray(jax.nn.standardize(jnp.asarray(x))) - right).max())
    return "within 1e-3", "off by %.2g" % error, error < 1e-3


def norms_leave_the_range():
    """‖(3, 4)·2^63‖ in float32."""
    got = float(jnp.linalg.vector_norm(jnp.array([3, 4], jnp.float32) * 2.0**63))
    return 5 * 2.0**63, got, got == 5 * 2.0**63


def norms_of_high_order():
    """Of order 200 of (1.5, 1.25, 30) in float32: powers are not scaled."""
    got = float(jnp.linalg.vector_norm(jnp.array([1.5, 1.25, 30], jnp.float32), ord=200))
    return 30.0, got, abs(got - 30) < 1e-4


def full(x, dtype=jnp.float32):
    return jnp.full(64, x, dtype)


def relative(right, got):
    return abs(float(got[0]) - right) / abs(right)


def slope(function, grad, x, dtype=jnp.float32):
    return float(jax.vjp(function, full(x, dtype))[1](full(grad, dtype))[0][0])


def exp2_multiplies_by_log_2():
    """exp2 of 13.875 in bfloat16, of -12.34375 in float16, of 12.6875 in float32: the product with log 2 is rounded before exp."""
    got = [relative(2.0**x, jnp.exp2(full(x, dtype))) / unit for x, dtype, unit in (
        (13.875, jnp.bfloat16, 2.0**-8), (-12.34375, jnp.float16, 2.0**-11), (12.6875, jnp.float32, 2.0**-24))]
    return "within 2 u", "off by %.3g, %.3g, %.3g u" % tuple(got), max(got) < 2


def division_by_what_is_repeated():
    """x/y of [32, 16] and [16] in float16 and float32: y is repeated, and its reciprocal taken once; of two whole arrays x/y is
    rounded once. 512 quotients each."""
    got = []
    for dtype in ("float16", "float32"):
        generator = np.random.default_rng(1)
        x, y = generator.uniform(0.1, 1, (32, 16)).astype(dtype), generator.uniform(1, 4, 16).astype(dtype)
        right = (x.astype("float64") / y.astype("float64")).astype(dtype)  # 53 bits are enough to round once
        got += [int((np.asarray(jnp.divide(x, z)) != right).sum()) for z in (y, np.broadcast_to(y, x.shape).copy())]
    return "none differs", "%d, of whole arrays %d; %d, of whole arrays %d differ" % tuple(got), not any(got)


def floor_divide_of_float16():
    """floor_divide(-4.3672, 0.0056992) in float16: the quotient is -766.29."""
    got = float(jnp.floor_divide(full(-4.3672, jnp.float16), full(0.0056992, jnp.float16))[0])
    return -767.0, got, got == -767


def erfc_far_out():
    """erfc(8.28819847) in float32, in u; math.erfc has the right one."""
    x = float(np.float32(8.28819847))
    got = relative(math.erfc(x), jax.scipy.special.erfc(full(x))) * 2.0**24
    return "a few u", "%.3g u" % got, got < 16


def lgamma_next_to_its_zeros():
    """gammaln(1) in float32, 1.99712944 in float32, 1 + 2^-52 in float64: an absolute error, where the result is 0 or nearly so."""
    gammaln, x = jax.scipy.special.gammaln, float(np.float32(1.99712944))
    got = [float(gammaln(full(1.0))[0]), float(gammaln(full(x))[0]), float(gammaln(full(1 + 2**-52, jnp.float64))[0])]
    right = [0.0, -0.00121096891, -1.28167624e-16]
    return right, got, got[0] == 0 and all(abs(a - b) < 1e-4 * abs(a) for a, b in zip(right, got))


def sinh_and_cosh_near_the_end():
    """cosh(89.4159851) in float32 is 3.4028196e38; cosh(710.4758) in float64 by exp(x + log(1/2))."""
    got = [float(jnp.cosh(full(89.4159851))[0]), float(jnp.cosh(full(710.4758, jnp.float64))[0])]
    right = [math.cosh(float(np.float32(89.4159851))), math.cosh(710.4758)]
    return right, got, abs(got[0] - right[0]) < 1e-5 * right[0] and abs(got[1] - right[1]) < 64 * 2.0**-53 * right[1]


def logarithms_and_roots_of_float64():
    """atanh(-0.41419480562210087) and log1p(-0.40956286124414903), in u; erfinv(0.99999994000000025) is 3.8316710519031331."""
    got = [relative(math.atanh(-0.41419480562210087), jnp.arctanh(full(-0.41419480562210087, jnp.float64))) * 2.0**53,
           relative(math.log1p(-0.40956286124414903), jnp.log1p(full(-0.40956286124414903, jnp.float64))) * 2.0**53,
           relative(3.8316710519031331, jax.scipy.special.erfinv(full(0.99999994000000025, jnp.float64))) * 2.0**53]
    return "a few u", "%.3g, %.3g, %.3g u" % tuple(got), max(got) < 64


def comparisons_of_subnormals():
    """A subnormal number counts as 0 where it is compared, and is handed on: nextafter(0, 2e-308) is 2e-308, leaky_relu of
    -5.9e-39 with slope 1/4 is -5.9e-39; atan2(5e-324, -0.99) is -pi and atan2 of 1e-45 and 1e-45 NaN. Of flushed ones 5e-324,
    0, pi and 0 would be right, too."""
    got = [float(jnp.nextafter(full(0.0, jnp.float64), full(2e-308, jnp.float64))[0]), float(jax.nn.leaky_relu(full(-5.9e-39), 0.25)[0]),
           float(jnp.arctan2(full(5e-324, jnp.float64), full(-0.99, jnp.float64))[0]), float(jnp.arctan2(full(1e-45), full(1e-45))[0])]
    right = [5e-324, -1.475e-39, math.pi, math.pi / 4]
    return right, got, got[0] < 1e-320 and got[1] > -2e-39 and got[2] > 0 and not math.isnan(got[3])


def pow_of_subnormals():
    """8.265e-39^-0.4863 in float32 is 3.3e18, and infinite where 8.265e-39 is flushed."""
    right, got = 8.265e-39**-0.4863, float(jnp.power(full(8.265e-39), full(-0.4863))[0])
    return right, got, math.isinf(got) or abs(got - right) < 1e-5 * right


def where_changes_what_it_moves():
    """where, abs and negative of bfloat16 pass through float32: of the NaN 0x7fc3 the payload is lost."""
    x = jnp.asarray(np.array([0x7FC3], np.uint16).view(jnp.bfloat16))
    got = [hex(int(np.asarray(y).view(np.uint16)[0])) for y in (jnp.where(jnp.array([True]), x, x), jnp.abs(x), -x)]
    return ["0x7fc3", "0x7fc3", "0xffc3"], got, got == ["0x7fc3", "0x7fc3", "0xffc3"]


def gradients_of_expm1_cancel():
    """The slope of elu at -9.9 is exp(-9.9), taken as expm1(-9.9) + 1: in float32, and in float16, where it is 0."""
    right = math.exp(np.float32(-9.9))
    got = [slope(jax.nn.elu, 1, -9.9), slope(jax.nn.elu, 1, -9.9, jnp.float16)]
    return right, got, all(abs(y - right) < 2e-3 * right for y in got)


def gradient_of_softplus_by_a_difference():
    """The slope of softplus at 12.364192 in float32 is exp(x - softplus(x)), whose argument has the error of 12.364196."""
    right, got = 1 / (1 + math.exp(-np.float32(12.364192))), slope(jax.nn.softplus, 1, 12.364192)
    return right, got, abs(got - right) < 3e-7


def gradient_of_log_sigmoid():
    """The slope of log_sigmoid at -4.125 in bfloat16, at -8.9034 in float32, is sigmoid(4.125): by exp(x - log_sigmoid(x)) likewise."""
    right = [1 / (1 + math.exp(-4.125)), 1 / (1 + math.exp(-float(np.float32(8.90340042))))]
    got = [slope(jax.nn.log_sigmoid, 1, -4.125, jnp.bfloat16), slope(jax.nn.log_sigmoid, 1, -8.90340042)]
    return right, got, abs(got[0] - right[0]) < 2.0**-8 and abs(got[1] - right[1]) < 2.0**-23


def gradients_leave_the_range():
    """Of silu and mish in float16 at 16.594 with 65440 (that itself), of selu in float32 at -1 with 3e38 (1.94e38), of gelu by tanh at
    3.4e38 with 1 (1), of celu with alpha 2 at 1e-30 with 3.4e38 (that itself): NaN from the side that is not taken."""
    right = [65440.0, 65440.0, 3e38 * 1.0507009873554805 * 1.6732632423543772 / math.e, 1.0, 3.4e38]
    got = [slope(jax.nn.silu, 65440, 16.594, jnp.float16), slope(jax.nn.mish, 65440, 16.594, jnp.float16), slope(jax.nn.selu, 3e38, -1),
           slope(jax.nn.gelu, 1, 3.4e38), slope(lambda x: jax.nn.celu(x, 2.0), 3.4e38, 1e-30)]
    return right, got, all(abs(a - b) < 2e-3 * a for a, b in zip(right, got))


def extrema_of_4096_pass_over_nan():
    """max and min of 4096 float32 numbers, one of which is NaN, as numpy's are; of 1000 they are."""
    x = np.arange(4096, dtype="float32")
    x[7] = np.nan
    got = [float(jnp.max(jnp.asarray(x))), float(jnp.min(jnp.asarray(x)))]
    return [math.nan, math.nan], got, all(map(math.isnan, got))


def astype_rounds_twice():
    """float64 into float16 and bfloat16, int32 into bfloat16: each by way of float32, where a number just above a midpoint becomes one."""
    got = [float(jnp.asarray(np.array(x)).astype(dtype)) for x, dtype in (
        (np.float64(2049.0000000000005), jnp.float16), (np.float64(128.50000000000003), jnp.bfloat16),
        (np.int32(1025507329), jnp.bfloat16))]
    right = [2050.0, 129.0, 1027604480.0]
    return right, got, got == right


def attention_without_keys_is_a_mean():
    """dot_product_attention of two keys that the mask excludes: the mean of their values, where nothing (0) or NaN is right."""
    x = jnp.array([[[[1.0]], [[3.0]]]])
    got = float(jax.nn.dot_product_attention(x, x, x, mask=jnp.zeros((1, 1, 2, 2), bool))[0, 0, 0, 0])
    return "0 or nan", got, got != 2


if __name__ == "__main__":
    report("jax", jax.__version__, ("0.10.2",), (
        expm_scales_too_little, expm_scales_too_little_in_float64, expm_without_an_answer, standardize_cancels,
        norms_leave_the_range, norms_of_high_order, exp2_multiplies_by_log_2, division_by_what_is_repeated, floor_divide_of_float16,
        erfc_far_out, lgamma_next_to_its_zeros, sinh_and_cosh_near_the_end, logarithms_and_roots_of_float64,
        comparisons_of_subnormals, pow_of_subnormals, where_changes_what_it_moves, gradients_of_expm1_cancel,
        gradient_of_softplus_by_a_difference, gradient_of_log_sigmoid, gradients_leave_the_range, extrema_of_4096_pass_over_nan,
        astype_rounds_twice,
        attention_without_keys_is_a_mean))

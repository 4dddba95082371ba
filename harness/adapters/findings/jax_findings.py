# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What JAX gets wrong, in plain calls."""

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


if __name__ == "__main__":
    report("jax", jax.__version__, ("0.10.2",), (
        expm_scales_too_little, expm_scales_too_little_in_float64, expm_without_an_answer, standardize_cancels,
        norms_leave_the_range, norms_of_high_order))

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Wrong results of numpy, in plain calls of the library."""

import numpy as np
from finding import report

np.seterr(all="ignore")


def sign_of_a_complex_nan():
    """sign of NaN + inf·i: the array API says NaN + NaN·i where a component is NaN, numpy's page x/abs(x)."""
    got = np.sign(np.array([complex(np.nan, np.inf)], np.complex64))[0]
    return "nan+nanj", got, np.isnan(got.real) and np.isnan(got.imag)


def norms_leave_the_range():
    """‖(3, 4)·2^63‖ in float32; the formula is documented, that its squares overflow is not."""
    x = np.array([3, 4], np.float32) * np.float32(2.0**63)
    got = np.linalg.vector_norm(x)
    return 5 * 2.0**63, got, got == 5 * 2.0**63


def norms_of_tiny_vectors():
    """‖(3e-25, 4e-25)‖ in float32."""
    got = np.linalg.vector_norm(np.array([3e-25, 4e-25], np.float32))
    return 5e-25, got, abs(got - 5e-25) < 1e-31


def norms_of_high_order():
    """Of order 200 of (1.5, 1.25, 30) in float32: powers are not scaled."""
    got = np.linalg.vector_norm(np.array([1.5, 1.25, 30], np.float32), ord=200)
    return 30.0, got, abs(got - 30) < 1e-4


def nextafter_of_zeros_in_float16():
    """nextafter(-0, 0) in float16: the array API says +0, as C does; float32 has it."""
    got = [bool(np.signbit(np.nextafter(dtype(-0.0), dtype(0.0)))) for dtype in (np.float16, np.float32)]
    return [False, False], got, not any(got)


if __name__ == "__main__":
    report("numpy", np.__version__, ("2.4.6",), (
        sign_of_a_complex_nan, norms_leave_the_range, norms_of_tiny_vectors, norms_of_high_order,
        nextafter_of_zeros_in_float16))

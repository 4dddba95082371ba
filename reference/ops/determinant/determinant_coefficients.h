/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_COEFFICIENTS_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_COEFFICIENTS_H

/* The coefficients of D (reference/ops/determinant/determinant.h): elementary symmetric functions of the singular values. */

#include "reference/ops/determinant/determinant.h"
#include "reference/numeric/matrix/mpfr_matrix.h"

/* coefficient[k−1] = log2 of s_{n−k}(σ)·F^k, an upper bound. a: n×n, finite. False when out of memory. */
bool determinant_coefficients(int n, const double *a, double log2_frobenius, double *log2_coefficient);

/* Whether rounding may leave log|det| without a certified limit: by c·spr(W) ≥ 1 with c ≤ (n + 4)·8u, a
 * division erring by 5u at most, or by underflow. Half of the one, a twentieth of the other is enough. */
bool determinant_needs_coefficients(int n, const struct determinant *d, double least_roundoff,
                                    double underflow);

double log2_of_magnitude(mpfr_srcptr x); /* of |x|, within 2^-49 of itself; −infinity of 0 */

#endif

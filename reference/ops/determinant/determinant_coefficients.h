/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_COEFFICIENTS_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_COEFFICIENTS_H

/* The coefficients of the determinant's error bound D (determinant.h): elementary symmetric functions of the
 * singular values. */

#include "reference/numeric/matrix/mpfr_matrix.h"
#include "reference/ops/determinant/determinant.h"

/* coefficient[k−1] = log2 of s_{n−k}(σ)·F^k, an upper bound. a: n×n, finite. False when out of memory. */
bool determinant_coefficients(int n, const double *a, double log2_frobenius, double *log2_coefficient);

/* True if rounding may leave log|det| without a finite error bound, so that D is needed: by c·spr(W) ≥ 1 with
 * c ≤ (n + 4)·8u, since a division errs by at most 5u, or by underflow. With a margin: returns true from half
 * of the first threshold and from a twentieth of the second. */
bool determinant_needs_coefficients(int n, const struct determinant *d, double least_roundoff,
                                    double underflow);

double log2_of_magnitude(mpfr_srcptr x); /* log2 |x|, relative error at most 2^-49; −infinity for 0 */

#endif

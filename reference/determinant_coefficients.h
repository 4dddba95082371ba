/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_DETERMINANT_COEFFICIENTS_H
#define ASSAY_REFERENCE_DETERMINANT_COEFFICIENTS_H

/* The coefficients of D (reference/determinant.h): elementary symmetric functions of the singular values. */

#include "reference/mpfr_matrix.h"

/* coefficient[k−1] = log2 of s_{n−k}(σ)·F^k. The columns of `m` become σ_j times unit vectors. */
void determinant_coefficients(struct mpfr_matrix *m, mpfr_srcptr frobenius, double *log2_coefficient);

double log2_of_magnitude(mpfr_srcptr x); /* of |x|, to a few units of double; −infinity of 0 */

#endif

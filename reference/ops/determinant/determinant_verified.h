/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_VERIFIED_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_VERIFIED_H

/* log|det A| with a proved radius by elimination in double, at the cost of a few n³ multiplications. Call
 * verified_determinant_create, verified_determinant_prove and, if `verified`, verified_determinant_describe.
 * The proof fails for nearly singular matrices and for numbers outside [2^-440, 2^440]; the precision ladder
 * of determinant.h must then compute the determinant. Results are bit-identical for every isa. */

#include "reference/numeric/matrix/double_lu.h"
#include "reference/ops/determinant/determinant.h"

/* From order DETERMINANT_LARGE on, a truth may be the value with its radius; below, elimination in integers
 * is cheap enough (determinant_fixed.h). */
enum { DETERMINANT_LARGE = 49, DETERMINANT_LARGEST = 1 << 14 };

struct verified_determinant {
    int n, stride;
    const double *a;
    struct double_lu lu[2]; /* with partial pivoting: of A, of Aᵀ */
    bool usable;            /* no pivot is 0 and all numbers are in range: `inverse` is filled */
    double *inverse;        /* X ≈ A⁻¹, row-major */
    /* Set by verified_determinant_prove: */
    bool verified;            /* det A ≠ 0 is proved, and the following members are valid */
    double *row, *column;     /* D and E: powers of two that scale pivoted rows and columns */
    double residual;          /* ≥ ‖H‖ */
    double inverse_norm;      /* ≥ ‖(DPA·E)⁻¹‖, Frobenius */
    double *off, *off_column; /* off[i]·off_column[j] ≥ |A⁻¹ − X|_ij */
    double *g;                /* |L||U| of A in double, row-major */
    int sign;
    struct value logabs;
    double radius; /* |log|det A| − logabs| ≤ radius. Below order DETERMINANT_LARGE the radius excludes the
                      error of the pivots' logarithms in double; determinant_fixed.h gives the truth there */
};

/* Computes both eliminations and X. a: n×n row-major, finite, 1 ≤ n ≤ DETERMINANT_LARGEST; it must outlive
 * `v`. False when out of memory; `v` must be destroyed in either case. */
bool verified_determinant_create(struct verified_determinant *v, int n, const double *a);
void verified_determinant_destroy(struct verified_determinant *v);

/* Attempts the proof and sets `verified`. False when out of memory. */
bool verified_determinant_prove(struct verified_determinant *v);

/* Fills the other members of struct determinant; `v` must be verified. The caller clears `d` by
 * determinant_clear. False when out of memory. */
bool verified_determinant_describe(const struct verified_determinant *v, double least_roundoff,
                                   double underflow, struct determinant *d);

#endif

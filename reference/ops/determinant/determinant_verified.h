/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_VERIFIED_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_VERIFIED_H

/* log|det A| of large matrices by elimination in double, verified: a value and a proven radius for n³
 * multiplications, where reference/ops/determinant/determinant.h climbs a ladder of intervals. Where the proof fails (nearly
 * singular, numbers outside [2^-440, 2^440]) there is none, and that one has to answer. The same bits on
 * every machine. */

#include "reference/ops/determinant/determinant.h"
#include "reference/numeric/matrix/double_lu.h"

/* From this order on a value within its radius is worth it; below, elimination in integers gives all digits
 * (determinant_fixed.h). */
enum { DETERMINANT_LARGE = 49, DETERMINANT_LARGEST = 1 << 14 };

struct verified_determinant {
    int n, stride;
    const double *a;
    struct double_lu lu[2]; /* with partial pivoting: of A, of Aᵀ */
    bool usable;            /* regular and in range: X means something */
    double *inverse;        /* X ≈ A⁻¹, row-major */
    /* Of one that is proved: */
    bool verified;            /* the rest means something, and the determinant is not 0 */
    double *row, *column;     /* D and E: powers of two, of the rows in pivoted order and of the columns */
    double residual;          /* ≥ ‖H‖ */
    double inverse_norm;      /* ≥ ‖(DPA·E)⁻¹‖, Frobenius */
    double *off, *off_column; /* [i]·[j] ≥ |A⁻¹ − X|_ij */
    double *g;                /* |L||U| of A, nearly, row-major */
    int sign;
    struct value logabs;
    double radius; /* |log|det A| − logabs| ≤ radius; below DETERMINANT_LARGE but for what double makes of the
                      pivots' logarithms, for truth comes from determinant_fixed.h there */
};

/* Both eliminations and X. a: n×n row-major, finite, 1 ≤ n ≤ DETERMINANT_LARGEST; kept. False
 * when out of memory; destroy then as well. */
bool verified_determinant_create(struct verified_determinant *v, int n, const double *a);
void verified_determinant_destroy(struct verified_determinant *v);

/* Finds `verified` and what it says. False when out of memory. */
bool verified_determinant_prove(struct verified_determinant *v);

/* Everything else of struct determinant, of one that is verified; `d` is cleared by determinant_clear. False
 * when out of memory. */
bool verified_determinant_describe(const struct verified_determinant *v, double least_roundoff,
                                   double underflow, struct determinant *d);

#endif

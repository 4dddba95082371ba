/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LINALG_EXP_MATRICES_H
#define ASSAY_SUITES_LINALG_EXP_MATRICES_H

/* Square matrices whose exponentials are difficult; p is the parameter of exp_matrix_store().
 *
 * Jordan blocks and overscaling: Al-Mohy and Higham, SIMAX 31 (2009). Moler–Van Loan: "Nineteen dubious
 * ways", SIAM Review 45 (2003). Ward: SIAM J. Numer. Anal. 14 (1977). */

#include "suites/build.h"

enum exp_kind {
    ZERO,       /* the zero matrix */
    SCALAR,     /* p·I */
    JORDAN,     /* λ = p on the diagonal, 1e3 above it */
    OVERSCALED, /* [[1, p], [0, −1]] */
    SKEW,       /* [[0, −p], [p, 0]] */
    ROTATIONS,  /* SKEW of 0.7·p, 1.4·p, … down the diagonal: block diagonal */
    GENERATOR,  /* nonnegative off the diagonal, rows sum to 0 before rounding; entries up to p */
    MOLER_VAN_LOAN,
    WARD1,
    WARD2,
    WARD3,
    WARD4,       /* shift(10) with 1e-10 in the corner */
    SHIFT,       /* p above the diagonal: nilpotent */
    SQUARE_ZERO, /* distinct powers of two in the upper right quarter */
    SHIFTED,     /* t·cyclic shift: every row and column sums to t = p */
    DECAY,       /* −p·diag(1, 1 − 1/n, …) */
    OUTER,       /* p/n·vvᵀ, v = ±1: 1-norm p */
    DIAGONAL,    /* p, −p, p/2, −p/2, … */
    RANDOM_P,    /* random, entries below p/n in size: 1-norm below p */
    TRIANGLE,    /* random, entries below p in size on and above the diagonal */
    CANCELLED,   /* 1 → 2, 3 with weights ±1, 2, 3 → 4: entry (1, 4) cancels to zero beside a loop */
    TINY         /* random times 2^p */
};

/* Stores such a matrix into an n×n view of the case's dtype, n ≤ 64. `tensor` is the number of its
 * generator. */
void exp_matrix_store(struct builder *b, const struct view *view, enum exp_kind kind, double p, int tensor);

#endif

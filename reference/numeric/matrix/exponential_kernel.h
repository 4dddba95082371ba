/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_EXPONENTIAL_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_EXPONENTIAL_KERNEL_H

/* The loops of matrix_sensitivity.c and matrix_exp_envelope.c that take n³ steps, beside the products of
 * double_lu.h. Every element is a sum of its own, in the order of its terms, by operations that round as IEEE
 * 754 says: the same bits with any width of vectors, on any machine. */

#include <stdbool.h>
#include <stdint.h>

enum { EXPONENTIAL_TILE = 8 };

/* Eight rows of `terms` numbers, `stride` apart; as many rows of eight numbers, side by side. */
struct exponential_factors {
    const double *left, *other_left;
    int64_t stride;
    const double *panel, *other_panel;
    int64_t terms;
};

/* to += left·panel + other_left·other_panel, term by term, each the sum of its two products; a tile of eight
 * rows, `stride` apart, by eight columns. */
void exponential_pairs(double *to, int64_t stride, const struct exponential_factors *factors);

/* to += left·panel, term by term, and energy += product² + to². */
void exponential_energy(double *to, double *energy, int64_t stride,
                        const struct exponential_factors *factors);

/* One row of a product of two matrices, eight columns of it: with magnitudes, magnitudes and their errors,
 * and signs (NaN: unknown, then equal to none) of both factors, Σ |x||y|, and Σ of the enlarged magnitudes of
 * the products whose sign is not surely `sign`. Both rounded up after every operation. */
struct exponential_squaring {
    const double *size, *enlarged, *sign;                   /* a row of the left factor, `terms` numbers */
    const double *size_panel, *enlarged_panel, *sign_panel; /* rows of eight numbers, side by side */
    int64_t terms;
    const double *expected; /* eight signs */
};
void exponential_squaring(const struct exponential_squaring *squaring, double all[EXPONENTIAL_TILE],
                          double opposed[EXPONENTIAL_TILE]);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool exponential_force(int isa);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_EXPONENTIAL_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_EXPONENTIAL_KERNEL_H

/* The O(n³) loops of matrix_sensitivity.c and matrix_exp_envelope.c, except for the products of double_lu.h.
 * Every element is a separate sum, added in the order of its terms by IEEE 754 operations: the same bits with
 * any vector width, on any machine. */

#include <stdbool.h>
#include <stdint.h>

enum { EXPONENTIAL_TILE = 8 };

/* The factors of a tile: left factors have eight rows of `terms` numbers, `stride` apart; panels have `terms`
 * rows of eight consecutive numbers. */
struct exponential_factors {
    const double *left, *other_left;
    int64_t stride;
    const double *panel, *other_panel;
    int64_t terms;
};

/* Adds left·panel + other_left·other_panel to a tile of eight rows, `stride` apart, by eight columns. It adds
 * term by term, each the sum of its two products. */
void exponential_pairs(double *to, int64_t stride, const struct exponential_factors *factors);

/* Adds left·panel to `to` term by term, and product² + to² to `energy` after each term. */
void exponential_energy(double *to, double *energy, int64_t stride,
                        const struct exponential_factors *factors);

/* The factors of one row of a product of two matrices, eight columns of it: magnitudes, enlarged magnitudes
 * (with their errors added) and signs. A sign is NaN where it is unknown; it then equals none.
 * exponential_squaring sets all[] to Σ |x||y| and opposed[] to Σ of the enlarged magnitudes over the products
 * whose sign is not certainly `expected`. Both are rounded up after every operation. */
struct exponential_squaring {
    const double *size, *enlarged, *sign;                   /* one row of the left factor: `terms` numbers
                                                               each */
    const double *size_panel, *enlarged_panel, *sign_panel; /* `terms` rows of eight consecutive numbers
                                                               each */
    int64_t terms;
    const double *expected; /* eight signs */
};
void exponential_squaring(const struct exponential_squaring *squaring, double all[EXPONENTIAL_TILE],
                          double opposed[EXPONENTIAL_TILE]);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool exponential_force(int isa);

#endif

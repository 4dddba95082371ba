/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_EXPONENTIAL_KERNEL_H
#define ASSAY_REFERENCE_EXPONENTIAL_KERNEL_H

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

/* A subtraction of multiples with noise: x ← x·(1 + z) after every operation, as in
 *
 *     p = f·from,  p += inner·p,  to −= p,  to += outer·to.
 *
 * exponential_update: rows of `count` numbers. exponential_chain: eight columns, one term after the other,
 * f left[k], from panel[k·stride ..], inner and outer noise[16·k ..] and noise[16·k + 8 ..]. */
void exponential_update(double *to, const double *from, double f, const double *inner, const double *outer,
                        int64_t count);
void exponential_chain(double *to, const double *left, const double *panel, int64_t stride,
                       const double *noise, int64_t terms);

/* Words 4b + w of the stream of a Philox key, b from `block` on: +size where the highest bit is set, else
 * −size, in to[w][b − block]. `count` is a multiple of eight. */
void exponential_noise(const uint32_t key[2], uint64_t block, int64_t count, double size,
                       double *const to[4]);

/* The same of eight rows of `count` words each that follow one another from word `position` on, as columns:
 * word w of row k in to[8·w + k]. `to` has room for count + 3 rows of eight. */
void exponential_noise_columns(const uint32_t key[2], uint64_t position, int64_t count, double size,
                               double *to);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool exponential_force(int machine);

#endif

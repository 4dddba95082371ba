/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_MCA_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_MCA_KERNEL_H

/* The loops of matrix_exp_mca.h, which evaluate a matrix function by Monte Carlo arithmetic: eight perturbed
 * evaluations side by side, one in each lane. Every lane is computed separately, in the order of a scalar
 * evaluation, by IEEE 754 operations: the same bits with any vector width, on any machine.
 *
 * Entry (i, j) of lane k of a matrix is at [8·(i·n + j) + k]. Noise number t of lane k is at [8·t + k], in
 * the order in which an evaluation consumes it. All arrays are aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum { MCA_LANES = 8 };

/* A product to = left·right, each element added in the order of its terms. The sum is then divided by
 * `divisor`, with 1 added on the diagonal, and perturbed by ± its error; the sign is bit i % 32 of word i /
 * 32 for element i. */
struct mca_product {
    int n;
    const double *shared; /* the left factor of all lanes, n×n; NULL: `left` holds one for each lane */
    const double *left;   /* the left factor of each lane, where `shared` is NULL */
    const double *right;  /* the right factor of each lane */
    int divisor;          /* 0: neither divided nor added to; other values only with `shared` */
    const double *error;  /* errors for all lanes, n×n. NULL: noise·√Σ(s² + p²) with the prefixes s and
                             products p of each lane; only without `shared` */
    const uint64_t *bits; /* one word in the lower half of each number */
    double noise;
    double *to; /* must be a matrix other than the factors */
};
void mca_kernel_product(const struct mca_product *product);

/* Steps of a linear solver with the rounding model x ← x·(1 + z) after every operation, as in p = f·from, p
 * += inner·p, to −= p, to += outer·to.
 *
 * mca_kernel_eliminate subtracts a multiple of row k of (a | b) from row i. The noise is that of the
 * multiplier, then for each column that of the product and of the difference: columns of a behind column k,
 * then all columns of b. mca_kernel_substitute computes elements (i, j) to (i, j + columns − 1) of a⁻¹·b once
 * the rows below are done; columns ≤ MCA_COLUMNS. The noise of each column is that of the products and
 * differences, and that of the quotient. */
enum { MCA_COLUMNS = 4 };
void mca_kernel_eliminate(int n, double *a, double *b, int k, int i, const double *noise);
void mca_kernel_substitute(int n, const double *a, double *b, int i, int j, int columns, const double *noise);

/* Sets row[lane] to the row from k on with the greatest magnitude in column k, the first if several are
 * equal. */
void mca_kernel_pivot(int n, const double *a, int k, int64_t row[MCA_LANES]);

/* Adds c·power to `to`, with noise on both operations, for `count` elements. */
void mca_kernel_accumulate(int64_t count, double c, const double *power, double *to, const double *noise);

/* Sets e = v + u and v = v − u, with noise on both. */
void mca_kernel_combine(int64_t count, const double *u, double *v, double *e, const double *noise);

/* Draws words of the stream of a Philox key. Lane k reads `count` words from word position + k·apart on; word
 * t goes to to[8·t + k]. mca_kernel_words stores the words themselves; mca_kernel_noise stores +size where
 * the highest bit is set, else −size. `to` must have room for count + 3 rows of eight. */
struct mca_words {
    const uint32_t *key;
    uint64_t position, apart;
    int64_t count;
};
void mca_kernel_words(const struct mca_words *words, uint64_t *to);
void mca_kernel_noise(const struct mca_words *words, double size, double *to);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool mca_kernel_force(int isa);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_MCA_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_MCA_KERNEL_H

/* The loops of matrix_exp_mca.h: eight disturbed runs side by side, a lane each. Every lane is computed
 * alone, in the order in which a plain program computes one run, by operations that round as IEEE 754 says:
 * the same bits with any width of vectors, on any machine.
 *
 * A matrix has entry (i, j) of lane k at [8·(i·n + j) + k]; noise, one number for each lane, stands likewise,
 * in the order in which a run takes it. All are aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum { MCA_LANES = 8 };

/* to = left·right, every element in the order of its terms; then divided by `divisor`, 1 added on the
 * diagonal; then ± its error by one bit of noise, bit i % 32 of word i / 32 for element i. */
struct mca_product {
    int n;
    const double *shared; /* the left factor of all lanes, n×n, or NULL and then `left` */
    const double *left;   /* of each lane */
    const double *right;  /* of each lane */
    int divisor;          /* 0: neither divided nor added to; with `shared` alone */
    const double *error; /* of all lanes, n×n; NULL: noise·√Σ(s² + p²) of each lane's prefixes s and products
                            p; not with `shared` */
    const uint64_t *bits; /* words, in lower halves */
    double noise;
    double *to; /* another */
};
void mca_kernel_product(const struct mca_product *product);

/* x ← x·(1 + z) after every operation, as in p = f·from, p += inner·p, to −= p, to += outer·to:
 *
 * eliminate: takes row k of (a | b) off row i, whose noise is the multiplier's, then for each column that of
 * the product and the difference, left of the bar behind column k and right of it in all.
 * substitute: elements (i, j) to (i, j + columns − 1) of a⁻¹·b once the rows below are there; for each column
 * the products' and differences' noise, and that of the quotient; columns ≤ MCA_COLUMNS. */
enum { MCA_COLUMNS = 4 };
void mca_kernel_eliminate(int n, double *a, double *b, int k, int i, const double *noise);
void mca_kernel_substitute(int n, const double *a, double *b, int i, int j, int columns,
                            const double *noise);

/* row[lane] = the row from k on with the greatest entry in column k, the first of equals. */
void mca_kernel_pivot(int n, const double *a, int k, int64_t row[MCA_LANES]);

/* to += c·power, both rounded; of `count` elements. */
void mca_kernel_accumulate(int64_t count, double c, const double *power, double *to, const double *noise);

/* e = v + u and v −= u, both rounded. */
void mca_kernel_combine(int64_t count, const double *u, double *v, double *e, const double *noise);

/* Words of the stream of a Philox key: t < count behind word position + lane·apart, at to[8·t + lane]. The
 * first as they are, the second as +size where the highest bit is set, else −size. `to` has room for count +
 * 3 rows of eight. */
struct mca_words {
    const uint32_t *key;
    uint64_t position, apart;
    int64_t count;
};
void mca_kernel_words(const struct mca_words *words, uint64_t *to);
void mca_kernel_noise(const struct mca_words *words, double size, double *to);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool mca_kernel_force(int isa);

#endif

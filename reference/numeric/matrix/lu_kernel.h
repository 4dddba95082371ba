/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_LU_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_LU_KERNEL_H

/* The loops of reference/numeric/matrix/double_lu.h: tiles of eight rows of one matrix by eight columns of
 * another. Every element is a separate sum, added in the order of its terms by + − × only (and by fused
 * products where these are exact): the same bits with any vector width, on any machine.
 *
 * Rows are `stride` numbers apart. A *panel* holds eight columns: eight consecutive numbers for each row,
 * aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum { LU_TILE = 8 };

/* The factors of a tile: `left` has eight rows of `terms` numbers, `panel` has `terms` rows. */
struct lu_factors {
    const double *left;
    int64_t stride;
    const double *panel;
    int64_t terms;
};

/* lu_subtract subtracts left·panel from `to`, lu_add adds it, each element product by product in the order of
 * k. `to` is aligned to 64 bytes, with rows `stride` apart. */
void lu_subtract(double *to, int64_t stride, const struct lu_factors *factors);
void lu_add(double *to, int64_t stride, const struct lu_factors *factors);

/* Adds left·panel to `total` by Dot2 (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005)). total + low
 * differs from the sum, whose first term is the previous content of `total`, by at most (terms +
 * 2)²·2^-104·Σ|x_k|, provided that no product comes near the least normal number (2^-900). */
struct lu_pairs {
    double total[LU_TILE * LU_TILE], low[LU_TILE * LU_TILE];
    double absolute[LU_TILE * LU_TILE]; /* sums of the magnitudes of the products, without the previous
                                           total */
};
void lu_dot2(struct lu_pairs *pairs, const struct lu_factors *factors);

/* Subtracts the products from `rest` term by term, and adds product² + rest² to `energy` after each. Both are
 * tiles. */
void lu_energy(double *rest, double *energy, const struct lu_factors *factors);

/* Subtracts l·x from y and returns the greatest |y|. `count` is a multiple of eight; both arrays are aligned
 * to 64 bytes. */
double lu_update(double *y, const double *x, double l, int64_t count);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool lu_force(int isa);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_LU_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_LU_KERNEL_H

/* The loops of reference/numeric/matrix/double_lu.h: tiles of eight rows of one matrix by eight columns of another. Every
 * element is a sum of its own, in the order of its terms, by + − × alone (and fused products where they are
 * exact): the same bits with any width of vectors, on any machine.
 *
 * Rows are `stride` numbers apart; a *panel* holds eight columns, eight numbers of each row side by side,
 * aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum { LU_TILE = 8 };

/* Eight rows of `terms` numbers, and as many rows of a panel. */
struct lu_factors {
    const double *left;
    int64_t stride;
    const double *panel;
    int64_t terms;
};

/* to −= left·panel, to += left·panel: each element by its products in the order of k. `to`: aligned to 64
 * bytes, rows `stride` apart. */
void lu_subtract(double *to, int64_t stride, const struct lu_factors *factors);
void lu_add(double *to, int64_t stride, const struct lu_factors *factors);

/* Dot2 (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005)): total + low, whatever is in `total` before
 * among the terms, is the sum but for (terms + 2)²·2^-104·Σ|x_k|, as long as no product comes near the least
 * normal number (2^-900). */
struct lu_pairs {
    double total[LU_TILE * LU_TILE], low[LU_TILE * LU_TILE];
    double absolute[LU_TILE * LU_TILE]; /* of the products alone */
};
void lu_dot2(struct lu_pairs *pairs, const struct lu_factors *factors);

/* rest −= product, term by term, and energy += product² + rest². Both are tiles. */
void lu_energy(double *rest, double *energy, const struct lu_factors *factors);

/* y −= l·x; the greatest |y|. `count` is a multiple of eight, both aligned to 64 bytes. */
double lu_update(double *y, const double *x, double l, int64_t count);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool lu_force(int isa);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_RESIDUE_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_RESIDUE_KERNEL_H

/* The loops of reference/numeric/exact/integer_product.h, on integers held in doubles. Nothing rounds, since every number
 * and every sum of products stays below 2^53: the same integers in any order, with any width of vectors, with
 * fused products and without, on any machine.
 *
 * A tile has eight rows of eight numbers, side by side, aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum {
    RESIDUE_TILE = 8,
    RESIDUE_TERMS = 256 /* products of residues whose sum is below 2^52 + 2^22 with one residue more */
};

/* Eight rows of `terms` numbers, `stride` apart, and as many rows of eight numbers, side by side and aligned
 * to 64 bytes. */
struct residue_factors {
    const double *left;
    int64_t stride;
    const double *panel;
    int64_t terms;
};

/* tile += left·panel. */
void residue_add(double *tile, const struct residue_factors *factors);

/* Of each row: x ← x·factor modulo prime, |x| ≤ prime·(1/2 + 2^-21), for |x·factor| ≤ 2^52 + 2^22 that a
 * double holds and primes below 2^23. inverse is 1/prime, rounded. */
struct residue_moduli {
    double prime[RESIDUE_TILE], inverse[RESIDUE_TILE], factor[RESIDUE_TILE];
};
void residue_reduce(double *tile, const struct residue_moduli *moduli);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool residue_force(int isa);

#endif

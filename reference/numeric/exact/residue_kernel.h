/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_RESIDUE_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_RESIDUE_KERNEL_H

/* The loops of reference/numeric/exact/integer_product.h, on integers held in doubles. Nothing rounds,
 * because every number and every sum of products stays below 2^53: the same integers in any order, with any
 * vector width, with fused products and without, on any machine.
 *
 * A tile has eight rows of eight consecutive numbers and is aligned to 64 bytes. */

#include <stdbool.h>
#include <stdint.h>

enum {
    RESIDUE_TILE = 8,
    RESIDUE_TERMS = 256 /* so many products of residues and one more residue add up to less than 2^52 +
                           2^22 */
};

/* The factors of a tile: `left` has eight rows of `terms` numbers, `stride` apart; `panel` has `terms` rows
 * of eight consecutive numbers, aligned to 64 bytes. */
struct residue_factors {
    const double *left;
    int64_t stride;
    const double *panel;
    int64_t terms;
};

/* Adds left·panel to the tile. */
void residue_add(double *tile, const struct residue_factors *factors);

/* Replaces each x of a row by x·factor modulo prime, with |x| ≤ prime·(1/2 + 2^-21) afterwards. x·factor must
 * be a double of at most 2^52 + 2^22 in size, and the primes below 2^23. `inverse` is 1/prime, rounded. */
struct residue_moduli {
    double prime[RESIDUE_TILE], inverse[RESIDUE_TILE], factor[RESIDUE_TILE];
};
void residue_reduce(double *tile, const struct residue_moduli *moduli);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool residue_force(int isa);

#endif

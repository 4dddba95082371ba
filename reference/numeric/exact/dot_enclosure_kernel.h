/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_KERNEL_H

/* The loops of reference/numeric/exact/dot_enclosure.h: sums of products, two rows of one matrix by eight columns of another at
 * once. Every lane is a sum of its own, added in the order of its terms, by + − × alone: the same bits with
 * any width of vectors, on any machine. */

#include <stdbool.h>
#include <stdint.h>

enum { SUM_LANES = 8, SUM_ROWS = 2 };

/* head + Σ_k left[k]·panel[k][lane] + tail, in this order. */
struct sum_pass {
    const double *left[SUM_ROWS]; /* `terms` numbers each; may be the same twice */
    const double *panel;          /* terms × SUM_LANES, aligned to 64 bytes */
    int64_t terms;
    const double *head, *tail; /* SUM_LANES numbers each, aligned to 64 bytes; NULL: none */
};

/* Of one row. Numbers of single lanes are as in struct envelope_prefixes. */
struct sum_lanes {
    double total[SUM_LANES], low[SUM_LANES]; /* low: 0 of a narrow pass */
    double absolute[SUM_LANES], squares[SUM_LANES];
    double energy[SUM_LANES], greatest[SUM_LANES]; /* Σ s_k², max |s_k| from the second term on */
    double least[SUM_LANES]; /* least |x_k| that is not 0; infinity where there is none */
};

/* Products are exact: of two numbers of at most 26 significant bits. */
void sum_pass_narrow(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS]);

/* Any product that neither overflows nor comes near the least normal number (2^-900): total + low is the sum
 * but for (terms + 2)²·2^-104·absolute (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005), Dot2). */
void sum_pass_wide(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS]);

/* Σ |x_k| over the terms of at most `limit` of their lane. */
void sum_pass_small(const struct sum_pass *pass, double limit[SUM_ROWS][SUM_LANES],
                    double small[SUM_ROWS][SUM_LANES]);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool sum_pass_force(int isa);

#endif

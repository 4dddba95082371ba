/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_KERNEL_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_KERNEL_H

/* The loops of reference/numeric/exact/dot_enclosure.h: sums of products of two rows of one matrix with eight
 * columns of another at once. Every lane is a separate sum, added in the order of its terms by + − × only:
 * the same bits with any vector width, on any machine. */

#include <stdbool.h>
#include <stdint.h>

enum { SUM_LANES = 8, SUM_ROWS = 2 };

/* One pass over a tile: head + Σ_k left[k]·panel[k][lane] + tail, added in this order. */
struct sum_pass {
    const double *left[SUM_ROWS]; /* `terms` numbers each; both pointers may be equal */
    const double *panel;          /* terms × SUM_LANES, aligned to 64 bytes */
    int64_t terms;
    /* SUM_LANES numbers for each row, aligned to 64 bytes; NULL: nothing is added. Rows may share them. */
    const double *head[SUM_ROWS], *tail[SUM_ROWS];
};

/* The results of one row. The members of each lane have the meaning of struct envelope_prefixes. */
struct sum_lanes {
    double total[SUM_LANES], low[SUM_LANES]; /* low is 0 after a narrow pass */
    double absolute[SUM_LANES], squares[SUM_LANES];
    double energy[SUM_LANES], greatest[SUM_LANES]; /* Σ s_k², max |s_k| from the second term on */
    double least[SUM_LANES];                       /* least |x_k| that is not 0; infinity if there is none */
};

/* The pass for exact products: of numbers with at most 26 significant bits. */
void sum_pass_narrow(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS]);

/* The pass for any products that neither overflow nor come near the least normal number (2^-900): total + low
 * differs from the sum by at most (terms + 2)²·2^-104·absolute (Dot2 of Ogita, Rump and Oishi, SIAM J. Sci.
 * Comput. 26 (2005)). */
void sum_pass_wide(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS]);

/* Sets small[row][lane] to Σ |x_k| over the terms with |x_k| ≤ limit[row][lane]. */
void sum_pass_small(const struct sum_pass *pass, double limit[SUM_ROWS][SUM_LANES],
                    double small[SUM_ROWS][SUM_LANES]);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool sum_pass_force(int isa);

#endif

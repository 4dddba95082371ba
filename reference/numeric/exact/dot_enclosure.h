/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_H

/* Many sums of products at once: c_ij = Σ_k left_ik·right_kj (+ bias_j), each with a declared radius, and
 * everything that a bound and an envelope ask of its terms. Fixed order of operations, + − × and square roots
 * of doubles without contraction: the same bits on every machine, with any number of threads.
 *
 * Narrow factors (≤ 26 significant bits, so that every product is a double): the sum is a plain one, in the
 * order of k, and with s_k its computed prefixes its error is at most u·Σ|s_k| ≤ u·sqrt(n·Σ s_k²), the root
 * of the energy that the envelope needs anyway. Wide ones: Dot2 (Ogita, Rump and Oishi, SIAM J. Sci. Comput.
 * 26 (2005)), within (n + 2)²·2^-104·Σ|x_k|.
 *
 * A sum is said to be *exact* only with proof: every term is a multiple of a power of two g, and Σ|x_k| ≤
 * 2^53·g, so that no partial sum in any order is rounded. */

#include "reference/numeric/exact/envelope_sum.h"

struct dot_enclosure_problem {
    int64_t rows, columns, terms;
    const double *left;    /* rows × terms, row-major */
    const double *right;   /* (k, j) at k·along + j·across */
    int64_t along, across; /* elements */
    const double *bias;    /* columns numbers; NULL: none */
    bool wide;             /* factors of more than 26 bits */
    double u[ENVELOPE_WIDTHS];
};

/* One sum. */
struct dot_enclosure {
    bool known;    /* false: a factor is no number or leaves the range that this kit is proved for (wide:
                      [2^-200, 2^200]); the rest means nothing then */
    bool exact;    /* value + low is the sum */
    bool one_sign; /* of all terms that are not 0 */
    double value, low, radius; /* |value + low − sum| ≤ radius */
    double magnitude;          /* ≥ Σ |x_k| */
    struct envelope_sum
        envelope; /* bit for bit what envelope_sum or envelope_sum_started gives of the terms */
};

/* Calls `take` once for each element, of a row from several threads never at once; `row` and `column` count
 * from 0. False when out of memory. */
bool dot_enclosures(const struct dot_enclosure_problem *problem,
                void (*take)(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum),
                void *user);

/* How many threads share the rows of a large problem; 1 at the start. Not while sums are being counted. */
void dot_enclosure_threads(int threads);

/* For tests: how many rows a thread takes at a time, and how many products are worth another thread; 0, 0: as
 * at the start. Not while sums are being counted. */
void dot_enclosure_chunks(int rows, double products);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_DOT_ENCLOSURE_H

/* Computes many sums of products c_ij = Σ_k left_ik·right_kj (+ bias_j) at once, each with a rigorous radius
 * and with the statistics of its terms that a bound and an envelope need. The order of operations is fixed
 * and uses + − × and square roots of doubles without contraction: the same bits on every machine, with any
 * number of threads.
 *
 * Narrow factors (≤ 26 significant bits, so that every product is a double): the sum is added in the order of
 * k. With its computed prefixes s_k its error is at most u·Σ|s_k| ≤ u·sqrt(n·Σ s_k²), where the envelope
 * needs Σ s_k² anyway. Wide factors: Dot2 (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005)), with error
 * at most (n + 2)²·2^-104·Σ|x_k|.
 *
 * A sum is marked *exact* only with proof: every term is a multiple of a power of two g, and Σ|x_k| ≤ 2^53·g,
 * so that no partial sum in any order is rounded. */

#include "reference/numeric/exact/dot_enclosure_kernel.h"
#include "reference/numeric/exact/envelope_sum.h"

struct dot_enclosure_problem {
    int64_t rows, columns, terms;
    const double *left;    /* rows × terms, row-major */
    const double *right;   /* element (k, j) is at k·along + j·across; NULL: `column` supplies it */
    int64_t along, across; /* strides, in elements */
    /* Stores the `terms` elements of column j of the right matrix, SUM_LANES doubles apart. */
    void (*column)(void *source, int64_t j, double *to);
    void *source;
    const double *bias; /* one number for each column; NULL: no bias */
    bool bias_of_rows;  /* `bias` has one number for each row instead */
    bool wide;          /* factors may have more than 26 significant bits */
    double u[ENVELOPE_WIDTHS];
};

struct dot_enclosure {
    bool known;    /* false: a factor is not finite or outside the range for which the method is proved
                      (wide: [2^-200, 2^200]), and the other members are undefined */
    bool exact;    /* value + low is the exact sum */
    bool one_sign; /* all terms that are not 0 have the same sign */
    double value, low, radius; /* |value + low − sum| ≤ radius */
    double magnitude;          /* ≥ Σ |x_k| */
    /* The bits that envelope_sum gives for the terms, or envelope_sum_started where there is a bias. */
    struct envelope_sum envelope;
};

/* Calls `take` once for each element, with `row` and `column` counted from 0. Several threads may call it at
 * once, but never for elements of the same row. Returns false when out of memory. */
bool dot_enclosures(const struct dot_enclosure_problem *problem,
                    void (*take)(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum),
                    void *user);

/* Sets how many threads share the rows of a large problem; 1 at the start. Do not call it while sums are
 * computed. */
void dot_enclosure_threads(int threads);

/* For tests: sets how many rows a thread takes at a time, and how many products justify another thread; 0, 0
 * restores the defaults. Do not call it while sums are computed. */
void dot_enclosure_chunks(int rows, double products);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_INTERVALS_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_INTERVALS_H

/* Operations on batches of intervals of doubles, rounded outwards, and the propagation of adjoints through
 * them. An interval with a NaN end, or with infinite ends of both signs, says nothing; a single infinity is a
 * point. Result columns may not be argument columns. */

#include "reference/formula/expression_nodes.h"

struct intervals {
    double *low, *high;
};

/* A lower and an upper bound of the exact number that was rounded to nearest to x. */
static inline double interval_below(double x)
{
    return x > 0 ? x * (1 - 0x1p-52) : x * (1 + 0x1p-52);
}

static inline double interval_above(double x)
{
    return x > 0 ? x * (1 + 0x1p-52) : x * (1 - 0x1p-52);
}

static inline double interval_size(double low, double high) /* max |x|; NaN if an end is */
{
    double a = low < 0 ? -low : low, b = high < 0 ? -high : high;
    return ((a > b) | (a != a)) ? a : b;
}

#define INTERVAL_LEAST 0x1p-1060 /* above what a product or a quotient may lose to underflow */

/* Evaluates any node but leaves and reductions. */
void intervals_evaluate(enum node_kind kind, struct intervals out, const struct intervals argument[3],
                        bool same, size_t count); /* same: both arguments are one node */

/* Adds to the adjoint of each argument k that `wanted` marks the node's adjoint `of` times the slope by that
 * argument, so that the distance of `out` from its truth is at most the sum of |slope|·(distance of argument
 * k from its truth). `out` is the result of intervals_evaluate on the arguments. truth[0] to truth[2] enclose
 * the truths of the arguments and truth[3] that of `out`; each lies within the interval that it belongs
 * to. */
void intervals_propagate(enum node_kind kind, struct intervals of, struct intervals out,
                         const struct intervals argument[3], const struct intervals truth[4],
                         const struct intervals adjoint[3], const bool wanted[3], size_t count);

/* to += a·b */
void intervals_accumulate(struct intervals to, struct intervals a, struct intervals b, size_t count);

#endif

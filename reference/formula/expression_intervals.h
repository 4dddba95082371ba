/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_INTERVALS_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_INTERVALS_H

/* Operations on intervals of doubles, rounded outwards, many at once; and their derivatives. An end that is
 * NaN, or infinite on both sides, says nothing; a point at infinity is one. Results may not be arguments. */

#include "reference/formula/expression_nodes.h"

struct intervals {
    double *low, *high;
};

/* Where what is rounded to nearest ends up at most. */
static inline double interval_below(double x)
{
    return x > 0 ? x * (1 - 0x1p-52) : x * (1 + 0x1p-52);
}

static inline double interval_above(double x)
{
    return x > 0 ? x * (1 + 0x1p-52) : x * (1 - 0x1p-52);
}

static inline double interval_size(double low, double high) /* max |x|; NaN where an end is */
{
    double a = low < 0 ? -low : low, b = high < 0 ? -high : high;
    return ((a > b) | (a != a)) ? a : b;
}

#define INTERVAL_LEAST 0x1p-1060 /* above what a product or a quotient loses to underflow */

/* Any node but leaves and reductions. */
void intervals_evaluate(enum node_kind kind, struct intervals out, const struct intervals argument[3],
                        bool same, size_t count); /* same: both arguments are one node */

/* adjoint[k] += of·slope by argument k, for each k that `wanted` marks: with these slopes out's distance from
 * the truth is that of the arguments from theirs. `out` is what intervals_evaluate made of the arguments;
 * truth: of the arguments and, at 3, of out, each within what it is the truth of. */
void intervals_propagate(enum node_kind kind, struct intervals of, struct intervals out,
                         const struct intervals argument[3], const struct intervals truth[4],
                         const struct intervals adjoint[3], const bool wanted[3], size_t count);

/* to += a·b */
void intervals_accumulate(struct intervals to, struct intervals a, struct intervals b, size_t count);

#endif

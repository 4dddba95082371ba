/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_DOUBLE_INTERVALS_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_DOUBLE_INTERVALS_H

/* Operations on doubles within radii, many at once: each result holds all that the operation gives of numbers
 * within the radii of its arguments (radius 0 and INFINITY as expression_values says). Results may not be
 * arguments.
 *
 * A radius of INFINITY beside a value of at least BALLS_FAR makes a half-line: numbers of that sign, each at
 * least as far from 0 as the value, of an infinite one as 2^1022. */

#include "reference/formula/expression_nodes.h"

struct balls {
    double *value, *radius;
};

#define BALLS_LEAST 0x1p-1070     /* above what products of radii lose to underflow */
#define BALLS_UP    (1 + 0x1p-48) /* above what a dozen roundings lose */
#define BALLS_FAR   0x1p700       /* far beyond the numbers of types narrower than float64 */

static inline double balls_wider(double r)
{
    return r > 0 ? r * BALLS_UP + BALLS_LEAST : r;
}

/* Any node but leaves and reductions; arguments that it has not are not looked at. */
void balls_evaluate(enum node_kind kind, struct balls out, const struct balls argument[3], size_t count);

/* Of those: functions of one argument from NODE_EXP on, and powers. */
void balls_function(enum node_kind kind, struct balls out, struct balls x, size_t count);
void balls_pow(struct balls out, struct balls x, struct balls y, size_t count);

/* A sum over a row, block by block. */
enum { BALLS_LANES = 8 };
struct balls_sum {
    double hi[BALLS_LANES], lo[BALLS_LANES], absolute, radius, most, most_radius;
    bool lost, unknown, nan, up, down; /* a rounding; a term not told; NaN, inf, -inf among them */
    double n;
};
void balls_sum_add(struct balls_sum *sum, enum node_kind kind, struct balls terms, size_t count);
void balls_sum_close(const struct balls_sum *sum, enum node_kind kind, double *value, double *radius);

#endif

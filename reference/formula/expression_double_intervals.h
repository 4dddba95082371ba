/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_DOUBLE_INTERVALS_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_DOUBLE_INTERVALS_H

/* Tier 1 operations on batches of balls: a value and a radius each (radius 0 and INFINITY mean what
 * expression_values says). Each result contains every number that the operation gives of numbers within the
 * arguments' radii. Result columns may not be argument columns.
 *
 * A radius of INFINITY beside a value of at least BALLS_FAR in size denotes a half-line: numbers of the
 * value's sign, each at least as far from 0 as the value; from ±2^1022 on where the value is infinite. */

#include "reference/formula/expression_nodes.h"

struct balls {
    double *value, *radius;
};

#define BALLS_LEAST 0x1p-1070     /* above what products of radii may lose to underflow */
#define BALLS_UP    (1 + 0x1p-48) /* covers the relative error of a dozen roundings */
#define BALLS_FAR   0x1p700       /* far beyond the range of types narrower than float64 */

static inline double balls_wider(double r)
{
    return r > 0 ? r * BALLS_UP + BALLS_LEAST : r;
}

/* Evaluates any node but leaves and reductions; arguments that the node does not have are ignored. */
void balls_evaluate(enum node_kind kind, struct balls out, const struct balls argument[3], size_t count);

/* Parts of balls_evaluate: functions of one argument from NODE_EXP on, and powers. */
void balls_function(enum node_kind kind, struct balls out, struct balls x, size_t count);
void balls_pow(struct balls out, struct balls x, struct balls y, size_t count);

/* A sum, mean or maximum over a row, accumulated block by block; it starts from a zeroed struct. */
enum { BALLS_LANES = 8 };
struct balls_sum {
    double hi[BALLS_LANES], lo[BALLS_LANES], absolute, radius, most, most_radius;
    bool lost, unknown, nan, up, down; /* a rounding; an unknown term; a NaN, inf, -inf among them */
    double n;
};
void balls_sum_add(struct balls_sum *sum, enum node_kind kind, struct balls terms, size_t count);
void balls_sum_close(const struct balls_sum *sum, enum node_kind kind, double *value, double *radius);

#endif

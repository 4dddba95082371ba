/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Limits of one function of operands, where tier 1 is known and nothing is out of the ordinary: what
 * bound_alone makes of it and what limits are made of that, to the bit, in a few passes over the block and
 * none over the workspace. */

#include "reference/expression_bound.h"
#include "reference/wide_loops.h"

#include <math.h>

/* What a class weighs, beside max(|value|, least normal). */
enum weight { WEIGHT_VALUE, WEIGHT_ARGUMENT, WEIGHT_BESIDE_ONE, WEIGHT_NEAR_ONE, WEIGHT_ONE_NEAR_ONE };

/* Of a class that has errors; false where its weight is another one. */
static bool weight_of(enum expression_class class, enum weight *weight)
{
    *weight = class == EXPRESSION_EXP_ARGUMENT   ? WEIGHT_ARGUMENT
              : class == EXPRESSION_LOG          ? WEIGHT_BESIDE_ONE
              : class == EXPRESSION_LOG_NEAR_ONE ? WEIGHT_NEAR_ONE
              : class == EXPRESSION_LOG_ABSOLUTE ? WEIGHT_ONE_NEAR_ONE
                                                 : WEIGHT_VALUE;
    return class >= EXPRESSION_SQRT && class < EXPRESSION_UNDERFLOW && class != EXPRESSION_GAMMA_PARTS;
}

static bool any_allows(const struct expression_kinds *kinds, enum expression_class class)
{
    bool any = false;
    for (int j = 0; j < kinds->kinds; j++) {
        any = any || kinds->of[j].of[class] > 0;
    }
    return any;
}

/* max(|value|, least normal) of what tier 1 leaves open, 0 where the value is 0 for sure. False where it says
 * no number, or one next to zero though errors there are asked for. */
WIDE_LOOPS static bool measure(const double *value, const double *radius, double least, bool near_zero,
                               double *weight, size_t count)
{
    int64_t odd = 0;
    for (size_t k = 0; k < count; k++) {
        double v = fabs(value[k]), r = radius[k]; /* interval_above(v + r) and interval_below(v − r) */
        double size = r == 0 ? v : (v + r) * (1 + 0x1p-52), nearest = r == 0 ? v : (v - r) * (1 - 0x1p-52);
        odd |= ~(mask_of(v < INFINITY) & mask_of(r < INFINITY));
        odd |= mask_of(near_zero) & ~mask_of(nearest >= least);
        weight[k] = size == 0 ? 0 : size < least ? least : size;
    }
    return odd == 0;
}

/* Of an operand x: whether the class counts there, and what it weighs. */
static inline double weighed(enum weight how, double weight, double x, double range)
{
    double size = fabs(x);
    bool near = (size >= 0.5) & (size <= 2);
    switch (how) {
    case WEIGHT_ARGUMENT:
        return weight * (size < range ? size : range);
    case WEIGHT_BESIDE_ONE:
        return near ? 0 : weight;
    case WEIGHT_NEAR_ONE:
        return near ? weight : 0;
    case WEIGHT_ONE_NEAR_ONE:
        return near & (weight > 0) ? 1 : 0;
    default:
        return weight;
    }
}

static inline __attribute__((always_inline)) void add_errors(enum weight how, const double *weight,
                                                             const double *x, double range, double allowance,
                                                             double *error, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double own = weighed(how, weight[k], x[k], range);
        error[k] += own == 0 ? 0 : own * allowance * (1 + 0x1p-48);
    }
}

/* What one class adds to the errors under one kind. */
WIDE_LOOPS static void add_class(enum weight how, const double *weight, const double *x, double range,
                                 double allowance, double *error, size_t count)
{
    switch (how) { /* a loop each */
    case WEIGHT_ARGUMENT:
        add_errors(WEIGHT_ARGUMENT, weight, x, range, allowance, error, count);
        return;
    case WEIGHT_BESIDE_ONE:
        add_errors(WEIGHT_BESIDE_ONE, weight, x, range, allowance, error, count);
        return;
    case WEIGHT_NEAR_ONE:
        add_errors(WEIGHT_NEAR_ONE, weight, x, range, allowance, error, count);
        return;
    case WEIGHT_ONE_NEAR_ONE:
        add_errors(WEIGHT_ONE_NEAR_ONE, weight, x, range, allowance, error, count);
        return;
    case WEIGHT_VALUE:
        add_errors(WEIGHT_VALUE, weight, weight, range, allowance, error, count);
        return;
    }
}

/* The errors, in place of which limits are there. False where one is infinite. */
WIDE_LOOPS static bool finish(const double *value, double slack, double rounded, double *bound, size_t count)
{
    int64_t lost = 0;
    for (size_t k = 0; k < count; k++) {
        double x = bound[k], least = (x > 0) & (fabs(value[k]) < BOUND_FAR_OFF) ? 0x1p-1074 : 0;
        bound[k] = (x + least) * slack * rounded;
        lost |= ~mask_of(bound[k] < INFINITY);
    }
    return lost == 0;
}

bool bound_alone_plainly(const struct expression_workspace *w, const struct expression_row *row,
                         const struct expression_kinds *kinds, int64_t first, size_t count,
                         double *const *bound)
{
    const struct node *root = &w->e->node[w->e->root];
    const enum dtype type = kinds->of[0].type;
    enum expression_class list[NODE_CLASSES_MAX];
    enum weight how[NODE_CLASSES_MAX];
    double weight[EXPRESSION_BLOCK];
    bool near_zero = false, plain = row->value && root->kind > NODE_POW && root->arg[1] < 0;
    int asked = 0;
    for (int c = 0, classes = bound_classes(w->e, w->e->root, list); plain && c < classes; c++) {
        bool near = list[c] == EXPRESSION_UNDERFLOW || list[c] == EXPRESSION_FLUSH;
        if (any_allows(kinds, list[c])) {
            near_zero = near_zero || near;
            plain = near || weight_of(list[c], &how[asked]);
            list[asked] = list[c];
            asked += !near;
        }
    }
    if (!plain || !measure(row->value + first, row->radius + first, dtype_least_normal(type), near_zero,
                           weight, count)) {
        return false;
    }
    const double *x = row->input[w->e->node[root->arg[0]].input] + first;
    for (int j = 0; j < kinds->kinds && plain; j++) {
        for (size_t k = 0; k < count; k++) {
            bound[j][first + (int64_t)k] = 0;
        }
        for (int c = 0; c < asked; c++) {
            add_class(how[c], weight, x, bound_exp_range(type), kinds->of[j].of[list[c]], bound[j] + first,
                      count);
        }
        plain = finish(row->value + first, bound_slack(w->e), kinds->of[j].rounded, bound[j] + first, count);
    }
    return plain;
}

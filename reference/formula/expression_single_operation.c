/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bounds of a single function of operands whose tier 1 is known, for blocks of ordinary elements: the
 * same bits as bound_alone and the sweep's finish give, in a few passes over the block and none over the
 * workspace. */

#include "reference/formula/expression_bound.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

/* The quantity that a class multiplies, derived from max(|value|, least normal). */
enum weight { WEIGHT_VALUE, WEIGHT_ARGUMENT, WEIGHT_BESIDE_ONE, WEIGHT_NEAR_ONE, WEIGHT_ONE_NEAR_ONE };

/* Fills the weight of a class that has errors; returns false for classes with other weights. */
static bool weight_of(enum expression_class class, enum weight *weight)
{
    *weight = class == EXPRESSION_EXP_ARGUMENT   ? WEIGHT_ARGUMENT
              : class == EXPRESSION_LOG          ? WEIGHT_BESIDE_ONE
              : class == EXPRESSION_LOG_NEAR_ONE ? WEIGHT_NEAR_ONE
              : class == EXPRESSION_LOG_ABSOLUTE ? WEIGHT_ONE_NEAR_ONE
                                                 : WEIGHT_VALUE;
    return class >= EXPRESSION_SQRT && class < EXPRESSION_UNDERFLOW && class != EXPRESSION_GAMMA_PARTS;
}

/* interval_above(v + r) and interval_below(v − r) for a magnitude v and its radius r. */
static inline double outer(double v, double r)
{
    return (v + r) * (r == 0 ? 1 : 1 + 0x1p-52);
}
static inline double inner(double v, double r)
{
    return (v - r) * (r == 0 ? 1 : 1 - 0x1p-52);
}

/* max(|value|, least normal) over the ball; 0 where the value is 0 for sure. */
static inline double weight_at(double v, double r, double least)
{
    double size = outer(v, r), floor = size > 0 ? least : 0;
    return size < floor ? floor : size;
}

/* A mask: the ball is not finite, or may hold numbers smaller than `floor`. */
static inline int64_t is_odd(double v, double r, double floor)
{
    return mask_of(!(v < INFINITY)) | mask_of(!(r < INFINITY)) | mask_of(!(inner(v, r) >= floor));
}

static inline double error_of(double own, double primitive_error)
{
    return own == 0 ? 0 : own * primitive_error * (1 + 0x1p-48);
}

static inline double limit_of(double error, double v, double slack, double rounded)
{
    double least = ((error > 0) & (v < BOUND_FAR_OFF)) ? 0x1p-1074 : 0;
    return (error + least) * slack * rounded;
}

/* Fills the weights of all elements; returns false if one is odd. gcc vectorizes two loops, but not one for
 * both. */
MULTIVERSION static bool measure(const double *value, const double *radius, double least, double floor,
                                 double *weight, size_t count)
{
    int64_t odd = 0;
    for (size_t k = 0; k < count; k++) {
        odd |= is_odd(fabs(value[k]), radius[k], floor);
    }
    for (size_t k = 0; k < count; k++) {
        weight[k] = weight_at(fabs(value[k]), radius[k], least);
    }
    return odd == 0;
}

/* Returns the weight of a class at the operand x; 0 where the class does not apply. */
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
        return near ? 1 : 0; /* including log 1 */
    default:
        return weight;
    }
}

static inline __attribute__((always_inline)) void add_errors(enum weight how, const double *weight,
                                                             const double *x, double range,
                                                             double primitive_error, double *error,
                                                             size_t count)
{
    for (size_t k = 0; k < count; k++) {
        error[k] += error_of(weighed(how, weight[k], x[k], range), primitive_error);
    }
}

/* Adds the errors of one class under one kind. */
MULTIVERSION static void add_class(enum weight how, const double *weight, const double *x, double range,
                                   double primitive_error, double *error, size_t count)
{
    switch (how) { /* one loop for each weight */
    case WEIGHT_ARGUMENT:
        add_errors(WEIGHT_ARGUMENT, weight, x, range, primitive_error, error, count);
        return;
    case WEIGHT_BESIDE_ONE:
        add_errors(WEIGHT_BESIDE_ONE, weight, x, range, primitive_error, error, count);
        return;
    case WEIGHT_NEAR_ONE:
        add_errors(WEIGHT_NEAR_ONE, weight, x, range, primitive_error, error, count);
        return;
    case WEIGHT_ONE_NEAR_ONE:
        add_errors(WEIGHT_ONE_NEAR_ONE, weight, x, range, primitive_error, error, count);
        return;
    case WEIGHT_VALUE:
        add_errors(WEIGHT_VALUE, weight, weight, range, primitive_error, error, count);
        return;
    }
}

/* Replaces the errors in `bound` by bounds; returns false if one is infinite. */
MULTIVERSION static bool finish(const double *value, double slack, double rounded, double *bound,
                                size_t count)
{
    int64_t lost = 0;
    for (size_t k = 0; k < count; k++) {
        bound[k] = limit_of(bound[k], fabs(value[k]), slack, rounded);
        lost |= ~mask_of(bound[k] < INFINITY);
    }
    return lost == 0;
}

/* Does all of that in one pass for a single class whose weight is the value. Returns false if an element is
 * odd or unbounded. */
MULTIVERSION static bool bound_by_value(const double *value, const double *radius, double least, double floor,
                                        double primitive_error, double slack, double rounded, double *bound,
                                        size_t count)
{
    int64_t odd = 0;
    for (size_t k = 0; k < count; k++) {
        double v = fabs(value[k]), r = radius[k];
        double error = error_of(weight_at(v, r, least), primitive_error);
        bound[k] = limit_of(error, v, slack, rounded);
        odd |= mask_of(!(bound[k] < INFINITY)) | is_odd(v, r, floor);
    }
    return odd == 0;
}

/* The classes of the function that have errors under some kind. */
struct asked {
    enum expression_class list[NODE_CLASSES_MAX];
    enum weight how[NODE_CLASSES_MAX];
    int count;
    bool near_zero; /* some kind allows errors near zero */
};

/* True if the two classes of a logarithm, far from 1 and near it, have equal primitive errors: together they
 * weigh the value. */
static bool are_one(const struct asked *asked, const struct expression_kinds *kinds)
{
    bool alike = asked->count == 2 && asked->how[0] == WEIGHT_BESIDE_ONE && asked->how[1] == WEIGHT_NEAR_ONE;
    for (int j = 0; alike && j < kinds->kinds; j++) {
        alike = kinds->of[j].of[asked->list[0]] == kinds->of[j].of[asked->list[1]];
    }
    return alike;
}

/* Fills the classes; returns false if one has another weight. */
static bool find_requested(const struct expression *e, const struct expression_kinds *kinds,
                           struct asked *asked)
{
    enum expression_class list[NODE_CLASSES_MAX];
    bool plain = true;
    *asked = (struct asked){.count = 0};
    for (int c = 0, classes = bound_classes(e, e->root, list); plain && c < classes; c++) {
        bool near = list[c] == EXPRESSION_UNDERFLOW || list[c] == EXPRESSION_FLUSH;
        if (bound_allows(kinds, list[c])) {
            asked->near_zero = asked->near_zero || near;
            plain = near || weight_of(list[c], &asked->how[asked->count]);
            asked->list[asked->count] = list[c];
            asked->count += !near;
        }
    }
    if (are_one(asked, kinds)) {
        asked->how[0] = WEIGHT_VALUE;
        asked->count = 1;
    }
    return plain;
}

bool bound_alone_plainly(const struct expression_workspace *w, const struct expression_row *row,
                         const struct expression_kinds *kinds, int64_t first, size_t count,
                         double *const *bound)
{
    const struct node *root = &w->e->node[w->e->root];
    const enum dtype type = kinds->of[0].type;
    const double least = dtype_least_normal(type), slack = bound_slack(w->e);
    struct asked asked;
    if (!row->value || root->kind <= NODE_POW || root->arg[1] >= 0 || !find_requested(w->e, kinds, &asked)) {
        return false;
    }
    const double *value = row->value + first, *radius = row->radius + first,
                 *x = row->input[w->e->node[root->arg[0]].input] + first;
    const double floor = asked.near_zero ? least : -INFINITY;
    const bool one = asked.count == 1 && asked.how[0] == WEIGHT_VALUE;
    double weight[EXPRESSION_BLOCK];
    bool plain = one || measure(value, radius, least, floor, weight, count);
    for (int j = 0; j < kinds->kinds && plain; j++) {
        const double *of = kinds->of[j].of, rounded = kinds->of[j].rounded;
        double *limit = bound[j] + first;
        if (one) {
            plain =
                bound_by_value(value, radius, least, floor, of[asked.list[0]], slack, rounded, limit, count);
            continue;
        }
        memset(limit, 0, count * sizeof *limit);
        for (int c = 0; c < asked.count; c++) {
            add_class(asked.how[c], weight, x, bound_exp_range(type), of[asked.list[c]], limit, count);
        }
        plain = finish(value, slack, rounded, limit, count);
    }
    return plain;
}

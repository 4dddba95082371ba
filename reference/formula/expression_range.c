/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bounds where an intermediate may leave the range of the type. A program then has an infinity in its
 * place, or the greatest number where it need not round to nearest, or the number itself if it computes in a
 * wider type. Intervals with infinite ends cover all of these, and flags say whether a NaN may come of them:
 * 0.5·e·e − 0.5/e/e is infinite where e·e is, and x·exp(50·x) is −0 although 50·x is no number of the
 * type. */

#include "reference/formula/expression_bound.h"
#include "reference/numeric/simd/multiversion.h"

#include <float.h>
#include <math.h>

/* Errors are measured at no more than this magnitude. Every operation errs by far less than half of it, so no
 * number beyond it comes back into the range. */
static double measured_at(enum dtype type)
{
    return type == DTYPE_FLOAT64 ? DBL_MAX : 2 * dtype_max(type);
}

static bool may_be_infinite(struct intervals x, size_t k)
{
    return x.low[k] == -INFINITY || x.high[k] == INFINITY;
}

static bool may_be_zero(struct intervals x, size_t k)
{
    return x.low[k] <= 0 && x.high[k] >= 0;
}

/* Roots and logarithms: functions of positive arguments. */
static bool wants_positive(enum node_kind kind)
{
    return kind == NODE_SQRT || kind == NODE_RSQRT || (kind >= NODE_LOG && kind <= NODE_LOG1P);
}

/* Functions that have a value at both infinities. */
static bool ends_well(enum node_kind kind)
{
    return kind == NODE_EXP || kind == NODE_EXP2 || kind == NODE_EXPM1 || kind == NODE_TANH ||
           kind == NODE_ERF || kind == NODE_ERFC || kind == NODE_ATAN;
}

/* True if an infinity among the arguments may make a NaN. */
static bool makes_nan(const struct expression_workspace *w, int i, size_t k)
{
    const struct node *node = &w->e->node[i];
    struct intervals a = bound_wide(w, node->arg[0]), b = bound_wide(w, node->arg[1] < 0 ? i : node->arg[1]);
    bool up = a.high[k] == INFINITY, down = a.low[k] == -INFINITY;
    switch (node->kind) {
    case NODE_ADD:
        return (up && b.low[k] == -INFINITY) || (down && b.high[k] == INFINITY);
    case NODE_SUBTRACT:
        return (up && b.high[k] == INFINITY) || (down && b.low[k] == -INFINITY);
    case NODE_MULTIPLY:
        return ((up || down) && may_be_zero(b, k)) || (may_be_infinite(b, k) && may_be_zero(a, k));
    case NODE_DIVIDE:
        return ((up || down) && may_be_infinite(b, k)) || (may_be_zero(a, k) && may_be_zero(b, k));
    case NODE_POW:
        return up || down || may_be_infinite(b, k);
    default:
        return node->kind >= NODE_SQRT && (up || down) && !ends_well(node->kind) &&
               !(wants_positive(node->kind) && a.low[k] > 0);
    }
}

/* Lanes whose exact interval F goes above or below the measured range; and half of the end of F that is
 * nearer to 0, or 0 where an underflow may take more than that. */
struct beyond {
    bool above[EXPRESSION_BLOCK], below[EXPRESSION_BLOCK];
    double half[EXPRESSION_BLOCK];
};

/* Cuts F off at the measured range. */
static void hold_back(struct intervals f, enum dtype type, struct beyond *beyond, size_t count)
{
    const double end = measured_at(type), least = dtype_least_normal(type) * 0x1p40;
    for (size_t k = 0; k < count; k++) {
        double nearest = fmax(f.low[k], -f.high[k]);
        beyond->half[k] = nearest > least ? nearest / 2 : 0;
        beyond->above[k] = f.high[k] > end;
        beyond->below[k] = f.low[k] < -end;
        f.low[k] = f.low[k] > end ? end : f.low[k] < -end ? -end : f.low[k];
        f.high[k] = f.high[k] > end ? end : f.high[k] < -end ? -end : f.high[k];
    }
}

/* Widens z to infinity where it may lie beyond the greatest number, and down to that number where rounding
 * has no direction. Else no program returns less than half of F: errors are relative, and `error`, measured
 * at the far end, is below a quarter there. */
static void let_overflow(struct intervals z, enum dtype type, bool to_nearest, const struct beyond *beyond,
                         const double *error, size_t count)
{
    const double most = dtype_max(type), quarter = measured_at(type) / 4;
    for (size_t k = 0; k < count; k++) {
        bool above = beyond->above[k], below = beyond->below[k];
        bool up = above || z.high[k] > most, down = below || z.low[k] < -most;
        double half = to_nearest && error[k] < quarter ? beyond->half[k] : 0;
        double low = above && half > 0 ? fmax(z.low[k], half) : z.low[k],
               high = below && half > 0 ? fmin(z.high[k], -half) : z.high[k];
        z.low[k] = down ? -INFINITY : up && !to_nearest && low > most ? most : low;
        z.high[k] = up ? INFINITY : down && !to_nearest && high < -most ? -most : high;
    }
}

static void bound_in_range(struct expression_workspace *w, const struct expression_row *row,
                           const struct primitive_errors *primitive_errors, size_t count)
{
    const struct expression_kinds one = {.kinds = 1, .of = {*primitive_errors}};
    const struct node *root = &w->e->node[w->e->root];
    for (int n = 0; n < root->needs; n++) {
        int i = root->need[n];
        struct beyond beyond;
        bool leaf = w->e->node[i].arg[0] < 0;
        unsigned char *nan = w->escaped + (size_t)i * EXPRESSION_BLOCK;
        if (bound_operand(w, i, count)) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            nan[k] = !leaf && makes_nan(w, i, k);
        }
        bound_exactly(w, primitive_errors, i, count);
        hold_back(bound_plain(w, i), primitive_errors->type, &beyond, count);
        bound_widen(w, row, &one, i, count);
        let_overflow(bound_wide(w, i), primitive_errors->type, primitive_errors->to_nearest, &beyond,
                     bound_error(w, 0, i), count);
        bound_inherit(w, i, count);
    }
}

/* --- bounds */

/* The bound for a truth that tier 1 knows only as a half-line: its recorded value lies beyond the doubles,
 * farther than this from every number of a narrower type. */
#define FAR_BOUND 0x1p900

/* Returns the greatest distance between a truth beyond the greatest number or next to it and results from
 * `low` on, which all lie beyond half of the greatest number; infinite if `low` does not. An infinite result
 * needs an error bound where the truth rounds to the greatest number or lies at most a sixteenth beyond it;
 * what lies far beyond is infinite with any error of less than half of it. */
static double distance_of(double v, double r, double low, double most)
{
    const bool known = v < INFINITY && r < INFINITY;
    if (most == DBL_MAX && !known) { /* tier 1 says only that it is beyond 2^1022 */
        return low >= most / 8 ? most / 2 : INFINITY;
    }
    if (!(low >= most / 2)) {
        return INFINITY;
    }
    return r == INFINITY      ? FAR_BOUND
           : v - r > 4 * most ? (v - r) / 2
                              : fmax((v - low) + r, (most - v) + most / 16) * (1 + 0x1p-48);
}

/* Where the truth lies: within the range; beyond it, or so near its end that an error may lead beyond; so far
 * beyond that no error leads back; or tier 1 does not say. */
enum place { PLACE_WITHIN, PLACE_BEYOND, PLACE_FAR, PLACE_UNKNOWN };

static enum place place_of(const bool *far, struct balls root, double most, double end, size_t k)
{
    double v = fabs(root.value[k]), r = root.radius[k];
    if ((far && far[k]) || (r == INFINITY && v >= BALLS_FAR && most < BALLS_FAR)) {
        return PLACE_FAR;
    }
    return !(v < INFINITY && r < INFINITY) ? PLACE_UNKNOWN
           : !(v - r > end)                ? PLACE_WITHIN
           : v - r > 4 * most              ? PLACE_FAR
                                           : PLACE_BEYOND;
}

/* True if the element needs a bound by range: it lies far beyond; or it has no bound and lies beyond, or
 * within if all programs use one order. */
static bool is_concerned(const struct expression_kinds *kinds, enum place place, double bound)
{
    return place == PLACE_FAR ||
           (bound == INFINITY && (place == PLACE_BEYOND || (place == PLACE_WITHIN && kinds->one_order)));
}

/* Returns the greatest distance between a truth within r of v and results in z. */
static double farthest(double v, double r, struct intervals z, size_t k)
{
    return (fmax(v - z.low[k], z.high[k] - v) + r) * (1 + 0x1p-48);
}

bool bound_by_range(struct expression_workspace *w, const struct expression_row *row,
                    const struct expression_kinds *kinds, int kind, int64_t first, size_t count,
                    double *bound)
{
    const struct primitive_errors *primitive_errors = &kinds->of[kind];
    const double most = dtype_max(primitive_errors->type), end = kinds->one_order ? most - most / 16 : most;
    const bool *far = kinds->far ? kinds->far + first : NULL;
    const struct balls root = workspace_balls(w, w->e->root);
    const struct intervals z = bound_wide(w, w->e->root);
    const unsigned char *nan = w->escaped + (size_t)w->e->root * EXPRESSION_BLOCK;
    size_t found = 0;
    bool any = false;
    workspace_evaluate(w, row, w->e->root, first, count);
    for (size_t k = 0; k < count; k++) {
        any = any || is_concerned(kinds, place_of(far, root, most, end, k), bound[k]);
    }
    if (any) {
        bound_in_range(w, row, primitive_errors, count);
    }
    for (size_t k = 0; any && k < count; k++) {
        enum place place = place_of(far, root, most, end, k);
        double low = fmax(z.low[k], -z.high[k]); /* on the truth's side: a bound from the other side would be
                                                    none */
        if (nan[k] || !is_concerned(kinds, place, bound[k])) {
            continue;
        }
        double distance = place == PLACE_WITHIN ? farthest(root.value[k], root.radius[k], z, k)
                                                : distance_of(fabs(root.value[k]), root.radius[k], low, most);
        bound[k] = distance < INFINITY ? distance * primitive_errors->rounded : bound[k];
        found += place == PLACE_FAR && distance < INFINITY;
    }
    return found == count;
}

bool bound_all_far(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_kinds *kinds, int64_t first, size_t count)
{
    const struct balls root = workspace_balls(w, w->e->root);
    const double most = dtype_max(kinds->of[0].type);
    const bool *far = kinds->far ? kinds->far + first : NULL;
    bool all = true;
    workspace_evaluate(w, row, w->e->root, first, count);
    for (size_t k = 0; all && k < count; k++) {
        all = place_of(far, root, most, most, k) == PLACE_FAR;
    }
    return all;
}

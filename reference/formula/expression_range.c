/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Where an intermediate may leave the type's range a program has an infinity in its place, or the greatest
 * number where it need not round to nearest, or the number itself if it holds it in a wider type. What comes
 * of all of them is worked through with infinite ends, and whether a NaN may come of it: 0.5·e·e − 0.5/e/e is
 * infinite where e·e is, and x·exp(50·x) is −0 though 50·x is none of the type's numbers. */

#include "reference/formula/expression_bound.h"
#include "reference/numeric/simd/multiversion.h"

#include <float.h>
#include <math.h>

/* Errors are measured at no more than this, far less than half of which any operation errs by: from beyond it
 * nothing comes back into the range. */
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

/* Roots and logarithms. */
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

/* Whether an infinity among the arguments may make a NaN. */
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

/* What may lie beyond what errors are measured at, on one side each; and half of F's end that is nearer to 0,
 * 0 where an underflow may take more of that. */
struct beyond {
    bool above[EXPRESSION_BLOCK], below[EXPRESSION_BLOCK];
    double half[EXPRESSION_BLOCK];
};

/* F as far as errors are measured. */
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

/* What may lie beyond the greatest number may be infinite; and that number, where rounding has no direction.
 * Else no program finds less than half of F, which has what its arguments err by: errors are relative, and
 * `error`, that at the far end, is less than a quarter there. */
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

/* --- limits */

/* So far are numbers beyond doubles from all numbers of a narrower type, and no further. */
#define FAR_BOUND 0x1p900

/* Of a truth beyond the greatest number or next to it, and results from `low` on, all of them beyond half of
 * that: the greatest distance. An infinity is one, and needs an allowance where the truth rounds to the
 * greatest number or lies no further beyond than that, a sixteenth at most; what lies far beyond is infinite
 * with any error of less than half of it. */
static double distance_of(double v, double r, double low, double most)
{
    const bool known = v < INFINITY && r < INFINITY;
    if (most == DBL_MAX && !known) { /* tier 1 says that it is beyond 2^1022, no more */
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
 * beyond that no error leads back; or tier 1 does not tell. */
enum place { PLACE_WITHIN, PLACE_BEYOND, PLACE_FAR, PLACE_UNTOLD };

static enum place place_of(const bool *far, struct balls root, double most, double end, size_t k)
{
    double v = fabs(root.value[k]), r = root.radius[k];
    if ((far && far[k]) || (r == INFINITY && v >= BALLS_FAR && most < BALLS_FAR)) {
        return PLACE_FAR;
    }
    return !(v < INFINITY && r < INFINITY) ? PLACE_UNTOLD
           : !(v - r > end)                ? PLACE_WITHIN
           : v - r > 4 * most              ? PLACE_FAR
                                           : PLACE_BEYOND;
}

/* Whether that asks for a limit by range: what has none, within the range where one order is known. */
static bool is_concerned(const struct expression_kinds *kinds, enum place place, double bound)
{
    return place == PLACE_FAR ||
           (bound == INFINITY && (place == PLACE_BEYOND || (place == PLACE_WITHIN && kinds->one_order)));
}

/* Of a truth v within r of it, where results may be anything of z: the greatest distance. */
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
        double low = fmax(z.low[k], -z.high[k]); /* on the truth's side: a limit from the other one is none */
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

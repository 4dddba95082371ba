/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_bound.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

/* True for the result of an expression of a type narrower than float64. */
static bool is_narrow(const struct expression_workspace *w, const struct primitive_errors *widest, int i)
{
    return widest->type != DTYPE_FLOAT64 && i == w->e->root;
}

/* True if the value of a ball of infinite radius is used: an infinite one, which stands for at least 2^1022,
 * and the half-line of a narrow result, which lies beyond all its numbers. For other half-lines interval
 * arithmetic knows more. */
static inline bool is_known(double value, bool narrow)
{
    return fabs(value) == INFINITY || (narrow && fabs(value) >= BALLS_FAR);
}

/* Fills the lanes that tier 1 leaves unknown by interval arithmetic. */
static void take_unknown(struct expression_workspace *w, const struct primitive_errors *widest, int i,
                         const struct intervals argument[3], size_t count)
{
    const struct node *node = &w->e->node[i];
    struct balls b = workspace_balls(w, i);
    struct intervals f = bound_plain(w, i);
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    intervals_evaluate(node->kind, (struct intervals){low, high}, argument, node->arg[0] == node->arg[1],
                       count);
    for (size_t k = 0; k < count; k++) {
        bool untold = b.radius[k] == INFINITY && !is_known(b.value[k], is_narrow(w, widest, i));
        f.low[k] = untold ? low[k] : f.low[k];
        f.high[k] = untold ? high[k] : f.high[k];
    }
}

/* Fills the interval of a node with exact arguments from tier 1. Returns true if a lane stays unknown. */
MULTIVERSION static bool take_ball(struct expression_workspace *w, const struct primitive_errors *widest,
                                   int i, size_t count)
{
    struct balls b = workspace_balls(w, i);
    struct intervals f = bound_plain(w, i);
    const bool narrow = is_narrow(w, widest, i);
    int odd = 0, untold = 0;
    for (size_t k = 0; k < count; k++) {
        double v = b.value[k], r = b.radius[k];
        f.low[k] = r == 0 ? v : interval_below(v - r);
        f.high[k] = r == 0 ? v : interval_above(v + r);
        odd |= r == INFINITY;
        untold |= (r == INFINITY) & !is_known(v, narrow);
    }
    for (size_t k = 0; odd && k < count; k++) {
        double v = b.value[k], great = narrow ? 0x1p1000 : 0x1p1022, end = narrow ? 0x1p1000 : INFINITY;
        if (b.radius[k] == INFINITY) { /* far beyond: no narrower type holds it */
            bool known = is_known(v, narrow);
            f.low[k] = known && v > 0 ? great : known && v < 0 ? -end : -INFINITY;
            f.high[k] = known && v > 0 ? end : known && v < 0 ? -great : INFINITY;
        }
    }
    return untold != 0;
}

/* True if the node's exact result is normal in all lanes, so nothing is lost near zero. */
MULTIVERSION static bool all_normal(const struct expression_workspace *w, enum dtype type, int i,
                                    size_t count)
{
    const struct intervals f = bound_plain(w, i);
    const double least = dtype_least_normal(type);
    int64_t normal = -1;
    for (size_t k = 0; k < count; k++) {
        normal &= mask_of(f.low[k] >= least) | mask_of(f.high[k] <= -least);
    }
    return normal != 0;
}

/* True if the class may have errors at the node under any kind, judged for the block as a whole. */
static bool any_errors(const struct expression_workspace *w, const struct expression_kinds *kinds, int i,
                       enum expression_class class, size_t count)
{
    bool near_zero = class == EXPRESSION_UNDERFLOW || class == EXPRESSION_FLUSH;
    return bound_allows(kinds, class) &&
           !(near_zero && !node_reduces(w->e->node[i].kind) && all_normal(w, kinds->of[0].type, i, count));
}

/* Adds the error of one class, or starts the column with it. It is at least the least double, because half of
 * float64's least number would be rounded to 0. */
MULTIVERSION static void add_class(const double *weight, double primitive_error, bool first, double *error,
                                   size_t count)
{
    const double least = primitive_error > 0 ? 0x1p-1074 : 0;
    for (size_t k = 0; k < count; k++) {
        const double before = first ? 0 : error[k], more = weight[k] * primitive_error * (1 + 0x1p-48);
        error[k] = before + (weight[k] == 0 ? 0 : more < least ? least : more);
    }
}

/* Adds up a node's own error under each kind, class by class. */
static void find_errors(struct expression_workspace *w, const struct expression_row *row,
                        const struct expression_kinds *kinds, int i, size_t count)
{
    enum expression_class list[NODE_CLASSES_MAX];
    double weight[EXPRESSION_BLOCK];
    bool begun[EXPRESSION_KINDS] = {false};
    int classes = bound_classes(w->e, i, list);
    for (int c = 0; c < classes; c++) {
        if (!any_errors(w, kinds, i, list[c], count)) {
            continue;
        }
        bound_weigh(w, row, &kinds->of[0], i, list[c], weight, count);
        for (int j = 0; j < kinds->kinds; j++) {
            double primitive_error = kinds->of[j].of[list[c]];
            if (primitive_error > 0) {
                add_class(weight, primitive_error, !begun[j], bound_error(w, j, i), count);
                begun[j] = true;
            }
        }
    }
    for (int j = 0; j < kinds->kinds; j++) {
        if (!begun[j]) {
            memset(bound_error(w, j, i), 0, count * sizeof(double));
        }
    }
}

MULTIVERSION void bound_widen(struct expression_workspace *w, const struct expression_row *row,
                              const struct expression_kinds *kinds, int i, size_t count)
{
    struct intervals f = bound_plain(w, i), z = bound_wide(w, i);
    double most[EXPRESSION_BLOCK];
    const double *error = bound_error(w, 0, i);
    find_errors(w, row, kinds, i, count);
    for (int j = 1; j < kinds->kinds; j++) {
        const double *other = bound_error(w, j, i);
        for (size_t k = 0; k < count; k++) {
            most[k] = error[k] < other[k] ? other[k] : error[k];
        }
        error = most;
    }
    for (size_t k = 0; k < count; k++) {
        bool none = error[k] == 0;
        z.low[k] = none ? f.low[k] : interval_below(f.low[k] - error[k]);
        z.high[k] = none ? f.high[k] : interval_above(f.high[k] + error[k]);
    }
}

/* The flags of the arguments pass to the result, except that a choice passes on only those of its condition
 * and of a side that it may take. */
MULTIVERSION void bound_inherit(struct expression_workspace *w, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    unsigned char *out = w->escaped + (size_t)i * EXPRESSION_BLOCK;
    for (int a = 0; a < 3 && node->arg[a] >= 0; a++) {
        const unsigned char *from = w->escaped + (size_t)node->arg[a] * EXPRESSION_BLOCK;
        struct intervals condition = bound_wide(w, node->arg[0]);
        bool first = node->kind == NODE_SELECT && a == 1, second = node->kind == NODE_SELECT && a == 2;
        for (size_t k = 0; !first && !second && k < count; k++) {
            out[k] |= from[k];
        }
        for (size_t k = 0; (first || second) && k < count; k++) {
            bool passed = first ? condition.high[k] == 0 : condition.low[k] != 0;
            out[k] |= from[k] & !passed;
        }
    }
}

/* Returns the greatest magnitude that stays within the range. For + − × the number before rounding counts;
 * rounding to nearest takes less than half an ulp beyond the greatest number back to it. */
static double greatest_within(const struct primitive_errors *widest, bool rounds)
{
    const double most = dtype_max(widest->type);
    return rounds && widest->to_nearest ? nextafter(most + dtype_ulp(widest->type, most) / 2, 0) : most;
}

/* Flags lanes that may leave the range. Rounding takes no number out of the range, so an operation that is
 * correctly rounded is judged before it rounds, and a function by all that it may return. */
MULTIVERSION static void note_may_overflow(struct expression_workspace *w,
                                           const struct primitive_errors *widest, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    unsigned char *out = w->escaped + (size_t)i * EXPRESSION_BLOCK;
    bool divides =
        node->kind == NODE_DIVIDE && widest->of[EXPRESSION_DIVISION] <= dtype_unit_roundoff(widest->type);
    bool rounds =
        divides || node->kind == NODE_ADD || node->kind == NODE_SUBTRACT || node->kind == NODE_MULTIPLY;
    const double most = greatest_within(widest, rounds);
    bool inner = !node->last;
    struct intervals z = rounds ? bound_plain(w, i) : bound_wide(w, i);
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(z.low[k], z.high[k]);
        out[k] = (size > most) & !((z.low[k] == z.high[k]) & (size == INFINITY)) & inner;
    }
    bound_inherit(w, i, count);
}

/* Compares where subnormals may be treated as zeros: a subnormal side may be anything down to 0. */
MULTIVERSION static void compare_flushed(struct intervals out, enum node_kind kind,
                                         const struct intervals argument[3], double least_normal,
                                         size_t count)
{
    double end[4][EXPRESSION_BLOCK];
    const struct intervals flushed[3] = {{end[0], end[1]}, {end[2], end[3]}, argument[2]};
    for (int side = 0; side < 2; side++) {
        for (size_t k = 0; k < count; k++) {
            double low = argument[side].low[k], high = argument[side].high[k];
            bool small = low > -least_normal && high < least_normal;
            flushed[side].low[k] = small && low > 0 ? 0 : low;
            flushed[side].high[k] = small && high < 0 ? 0 : high;
        }
    }
    intervals_evaluate(kind, out, flushed, false, count);
}

/* Fills the interval of a node with exact arguments, before its own error. */
static void take_exact(struct expression_workspace *w, const struct primitive_errors *widest, int i,
                       const struct intervals argument[3], size_t count)
{
    const struct node *node = &w->e->node[i];
    if (take_ball(w, widest, i, count) && node->kind != NODE_INPUT && node->kind != NODE_CONSTANT) {
        take_unknown(w, widest, i, argument, count);
    }
}

/* Fills the columns of an operand: one number of the type, without error. */
static void take_operand(struct expression_workspace *w, int i, size_t count)
{
    double *const column[] = {bound_plain(w, i).low, bound_plain(w, i).high, bound_wide(w, i).low,
                              bound_wide(w, i).high};
    for (int k = 0; k < 4; k++) {
        memcpy(column[k], workspace_balls(w, i).value, count * sizeof(double));
    }
    memset(w->escaped + (size_t)i * EXPRESSION_BLOCK, 0, count);
}

bool bound_operand(struct expression_workspace *w, int i, size_t count)
{
    bool operand = w->e->node[i].kind == NODE_INPUT && !w->e->node[i].errs;
    if (operand) {
        take_operand(w, i, count);
    }
    return operand;
}

void bound_exactly(struct expression_workspace *w, const struct primitive_errors *widest, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals argument[3];
    for (int k = 0; k < 3; k++) {
        argument[k] = bound_wide(w, node->arg[k] < 0 ? i : node->arg[k]);
    }
    if (node_compares(node->kind) && widest->of[EXPRESSION_FLUSH] > 0) {
        compare_flushed(bound_plain(w, i), node->kind, argument, dtype_least_normal(widest->type), count);
    } else if (bound_arguments_err(w->e, i)) {
        intervals_evaluate(node->kind, bound_plain(w, i), argument, node->arg[0] == node->arg[1], count);
    } else {
        take_exact(w, widest, i, argument, count);
    }
}

void bound_forward(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_kinds *kinds, int i, size_t count)
{
    if (!bound_operand(w, i, count)) {
        bound_exactly(w, &kinds->of[0], i, count);
        bound_widen(w, row, kinds, i, count);
        note_may_overflow(w, &kinds->of[0], i, count);
    }
}

bool bound_is_alone(const struct expression *e)
{
    return e->node[e->root].errs && node_takes_operands(e, e->root);
}

void bound_alone(struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_kinds *kinds, size_t count)
{
    int root = w->e->root;
    const struct node *node = &w->e->node[root];
    struct intervals argument[3];
    for (int k = 0; k < 3; k++) {
        argument[k] = bound_wide(w, node->arg[k] < 0 ? root : node->arg[k]);
        if (node->arg[k] >= 0) {
            memcpy(argument[k].low, workspace_balls(w, node->arg[k]).value, count * sizeof(double));
            memcpy(argument[k].high, argument[k].low, count * sizeof(double));
        }
    }
    take_exact(w, &kinds->of[0], root, argument, count);
    find_errors(w, row, kinds, root, count);
}

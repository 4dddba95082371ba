/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/expression_bound.h"
#include "reference/wide_loops.h"

#include <math.h>

/* What else a kind of operation errs by than its first class: ended by EXPRESSION_CLASSES. */
static const struct {
    bool errs;
    enum expression_class class[NODE_CLASSES_MAX];
} kinds[NODE_KINDS] = {
    [NODE_CONSTANT] = {true, {EXPRESSION_ARITHMETIC, EXPRESSION_UNDERFLOW, EXPRESSION_CLASSES}},
    [NODE_INPUT] = {true, {EXPRESSION_ARITHMETIC, EXPRESSION_UNDERFLOW, EXPRESSION_CLASSES}},
    [NODE_SELECT] = {true, {EXPRESSION_JUMP, EXPRESSION_CLASSES}},
    [NODE_ADD] = {true, {EXPRESSION_ARITHMETIC, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_SUBTRACT] = {true, {EXPRESSION_ARITHMETIC, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_MULTIPLY] = {true, {EXPRESSION_ARITHMETIC, EXPRESSION_UNDERFLOW, EXPRESSION_CLASSES}},
    [NODE_DIVIDE] = {true, {EXPRESSION_DIVISION, EXPRESSION_DIVISOR, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_POW] = {true, {EXPRESSION_POW, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_SQRT] = {true, {EXPRESSION_SQRT, EXPRESSION_CLASSES}},
    [NODE_RSQRT] = {true, {EXPRESSION_RSQRT, EXPRESSION_CLASSES}},
    [NODE_SUM] = {true, {EXPRESSION_SUM, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_MEAN] = {true, {EXPRESSION_MEAN, EXPRESSION_FLUSH, EXPRESSION_UNDERFLOW, EXPRESSION_CLASSES}},
    [NODE_EXP] = {true, {EXPRESSION_EXP, EXPRESSION_EXP_ARGUMENT, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_EXP2] = {true, {EXPRESSION_EXP, EXPRESSION_EXP_ARGUMENT, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_EXPM1] = {true, {EXPRESSION_EXPM1, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_LOG] = {true,
                  {EXPRESSION_LOG, EXPRESSION_LOG_NEAR_ONE, EXPRESSION_LOG_ABSOLUTE, EXPRESSION_CLASSES}},
    [NODE_LOG2] = {true,
                   {EXPRESSION_LOG, EXPRESSION_LOG_NEAR_ONE, EXPRESSION_LOG_ABSOLUTE, EXPRESSION_CLASSES}},
    [NODE_LOG10] = {true,
                    {EXPRESSION_LOG, EXPRESSION_LOG_NEAR_ONE, EXPRESSION_LOG_ABSOLUTE, EXPRESSION_CLASSES}},
    [NODE_LOG1P] = {true, {EXPRESSION_LOG1P, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_SIN] = {true, {EXPRESSION_ANGLE, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_COS] = {true, {EXPRESSION_ANGLE, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_TAN] = {true, {EXPRESSION_TAN, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_TANH] = {true, {EXPRESSION_TANH, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_ERF] = {true, {EXPRESSION_ERF, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_ERFC] = {true, {EXPRESSION_ERF, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_ERFINV] = {true, {EXPRESSION_ERF, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
    [NODE_LGAMMA] = {true, {EXPRESSION_GAMMA, EXPRESSION_GAMMA_PARTS, EXPRESSION_CLASSES}},
    [NODE_DIGAMMA] = {true, {EXPRESSION_GAMMA, EXPRESSION_GAMMA_PARTS, EXPRESSION_CLASSES}},
    [NODE_ATAN] = {true, {EXPRESSION_TAN, EXPRESSION_FLUSH, EXPRESSION_CLASSES}},
};

int bound_classes(const struct expression *e, int i, enum expression_class list[NODE_CLASSES_MAX])
{
    const struct node *node = &e->node[i];
    int count = 0;
    if (!kinds[node->kind].errs || !node->errs) {
        return 0;
    }
    for (; count < NODE_CLASSES_MAX && kinds[node->kind].class[count] != EXPRESSION_CLASSES; count++) {
        list[count] = kinds[node->kind].class[count];
        if (list[count] == EXPRESSION_ARITHMETIC && node->last) {
            list[count] = EXPRESSION_RESULT;
        }
    }
    return count;
}

/* --- weights */

static bool is_power_of_two(struct intervals x, size_t i)
{
    int exponent;
    return x.low[i] == x.high[i] && fabs(frexp(x.low[i], &exponent)) == 0.5;
}

static bool is_zero(struct intervals x, size_t i)
{
    return x.low[i] == 0 && x.high[i] == 0;
}

/* Lanes in which + and × do not round, nor a constant that the type holds. */
WIDE_LOOPS static void spare_exact(const struct expression_workspace *w,
                                   const struct expression_allowances *widest, int i, double *weight,
                                   size_t count)
{
    const struct node *node = &w->e->node[i];
    if (node->kind == NODE_CONSTANT || node->kind == NODE_INPUT) {
        double x = workspace_balls(w, i).value[0];
        bool exact = workspace_balls(w, i).radius[0] == 0 && dtype_holds(widest->type, x);
        for (size_t k = 0; exact && k < count; k++) {
            weight[k] = 0;
        }
        return;
    }
    struct intervals a = bound_wide(w, node->arg[0]), b = bound_wide(w, node->arg[1]);
    for (size_t k = 0; k < count; k++) {
        bool exact = node->kind == NODE_MULTIPLY ? is_power_of_two(a, k) || is_power_of_two(b, k)
                                                 : is_zero(a, k) || is_zero(b, k);
        weight[k] = exact ? 0 : weight[k];
    }
}

/* A product with a whole power of two loses nothing near zero. */
WIDE_LOOPS static void spare_large(const struct expression_workspace *w, int i, double *weight, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals a = bound_wide(w, node->arg[0]), b = bound_wide(w, node->arg[1]);
    for (size_t k = 0; k < count; k++) {
        bool whole =
            (is_power_of_two(a, k) && fabs(a.low[k]) >= 1) || (is_power_of_two(b, k) && fabs(b.low[k]) >= 1);
        weight[k] = whole ? 0 : weight[k];
    }
}

/* Nothing is lost near zero where the result stays normal; and what the last operation loses there acceptance
 * has as η, where that is enough, while the truth is below twice the least normal number
 * (reference/accept.h). */
WIDE_LOOPS static void spare_normal(const struct expression_workspace *w,
                                    const struct expression_allowances *widest, int i, double *weight,
                                    size_t count)
{
    double least_normal = dtype_least_normal(widest->type);
    struct intervals f = bound_plain(w, i);
    struct balls truth = workspace_balls(w, i);
    bool root = w->e->node[i].last && widest->eta;
    for (size_t k = 0; k < count; k++) {
        bool normal = (f.low[k] >= least_normal) | (f.high[k] <= -least_normal);
        bool counted = root & (fabs(truth.value[k]) + truth.radius[k] < 2 * least_normal);
        weight[k] = (normal | counted) ? 0 : weight[k];
    }
}

/* Classes that count in a zone of the argument's size alone: none where it lies `beside` that for sure. */
WIDE_LOOPS static void spare_beside(const struct expression_allowances *widest, enum expression_class class,
                                    struct intervals x, double *weight, size_t count)
{
    /* the zone is [from, to], else all but that */
    bool inner = class == EXPRESSION_LOG_NEAR_ONE || class == EXPRESSION_LOG_ABSOLUTE;
    double from = class == EXPRESSION_DIVISOR ? widest->divisor_least : 0.5;
    double to = class == EXPRESSION_DIVISOR ? widest->divisor_most : 2;
    for (size_t k = 0; k < count; k++) {
        double low = x.low[k], high = x.high[k], size = interval_size(low, high);
        double least = low > 0 ? low : high < 0 ? -high : 0;
        bool within = (least >= from) & (size <= to), without = (size < from) | (least > to);
        weight[k] = (inner ? without : within) ? 0 : weight[k];
    }
}

static bool counts_operations(enum expression_class class)
{
    return class == EXPRESSION_DIVISOR || class == EXPRESSION_LOG_ABSOLUTE || class == EXPRESSION_UNDERFLOW ||
           class == EXPRESSION_FLUSH;
}

/* |value|, times |argument| where one is given, or 1. What is exactly 0 or infinite for all legal arguments
 * is so in every program. */
WIDE_LOOPS static void weigh_values(struct intervals f, const struct intervals *argument, bool counts,
                                    double least, double *weight, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(f.low[k], f.high[k]);
        bool special = (f.low[k] == f.high[k]) & ((size == 0) | (size == INFINITY));
        weight[k] = special ? 0 : counts ? 1 : size < least ? least : size;
    }
    for (size_t k = 0; argument && k < count; k++) {
        double size = interval_size(argument->low[k], argument->high[k]);
        weight[k] = weight[k] == 0 ? 0 : weight[k] * size;
    }
}

WIDE_LOOPS static void weigh_jump(const struct expression_workspace *w, int i, double *weight, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals condition = bound_wide(w, node->arg[0]), f = bound_plain(w, i);
    for (size_t k = 0; k < count; k++) {
        bool decided = condition.low[k] != 0 || condition.high[k] == 0;
        weight[k] = decided ? 0 : interval_above(f.high[k] - f.low[k]);
    }
}

/* By reflection ψ(x) = ψ(1 − x) − π·cot(πx), of which a part is at most |ψ(x)| and the other one about
 * log(1 + |x|); log|Γ(x)| = log|π/(x·sin πx)| − log Γ(−x) likewise, of negative numbers alone. */
static void weigh_parts(enum node_kind kind, struct intervals x, double *weight, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(x.low[k], x.high[k]), log = log1p(size) * (1 + 0x1p-48);
        bool none = weight[k] == 0 || (kind == NODE_LGAMMA && x.low[k] >= 0);
        weight[k] = none ? 0 : interval_above(1 + (kind == NODE_LGAMMA ? size * log : log));
    }
}

/* A sum of zeros and ones, as many as the type counts exactly: no order rounds. */
static bool counts_terms(const struct expression *e, const struct expression_row *row,
                         const struct expression_allowances *widest, int sum)
{
    const struct node *term = &e->node[e->node[sum].arg[0]];
    bool one = node_compares(term->kind) || term->kind == NODE_SIGNBIT;
    if (term->kind == NODE_SELECT) {
        one = true;
        for (int k = 1; k < 3; k++) {
            const struct node *side = &e->node[term->arg[k]];
            one = one && side->kind == NODE_CONSTANT && side->low == side->high &&
                  (side->low == 0 || side->low == 1);
        }
    }
    return one && (double)row->n <= 1 / dtype_info(widest->type)->unit_roundoff;
}

void bound_weigh(const struct expression_workspace *w, const struct expression_row *row,
                 const struct expression_allowances *widest, int i, enum expression_class class,
                 double *weight, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals f = bound_plain(w, i), x = bound_wide(w, node->arg[0] < 0 ? i : node->arg[0]);
    x = class == EXPRESSION_DIVISOR ? bound_wide(w, node->arg[1]) : x;
    if (class == EXPRESSION_JUMP) {
        weigh_jump(w, i, weight, count);
        return;
    }
    bool measured = class == EXPRESSION_SUM || class == EXPRESSION_MEAN;
    bool zones = class == EXPRESSION_DIVISOR || (class >= EXPRESSION_LOG && class <= EXPRESSION_LOG_ABSOLUTE);
    bool by_place = class >= EXPRESSION_DIVISION; /* ulp(y) ≤ 2u·max(|y|, least normal) */
    weigh_values(f, class == EXPRESSION_EXP_ARGUMENT ? &x : NULL, counts_operations(class),
                 by_place ? dtype_least_normal(widest->type) : 0, weight, count);
    if (class == EXPRESSION_GAMMA_PARTS) {
        weigh_parts(node->kind, x, weight, count);
    }
    if (zones) {
        spare_beside(widest, class, x, weight, count);
    }
    bool sums = node->kind == NODE_SUM;
    for (size_t k = 0; (measured || (sums && class == EXPRESSION_FLUSH)) && k < count; k++) {
        weight[k] = measured ? w->absolute[i] : (double)row->n;
    }
    if (class == EXPRESSION_SUM && counts_terms(w->e, row, widest, i)) {
        memset(weight, 0, count * sizeof *weight);
    }
    if (class == EXPRESSION_ARITHMETIC || class == EXPRESSION_RESULT) {
        spare_exact(w, widest, i, weight, count);
    } else if ((class == EXPRESSION_UNDERFLOW || class == EXPRESSION_FLUSH) && !node_reduces(node->kind)) {
        spare_normal(w, widest, i, weight, count);
        if (node->kind == NODE_MULTIPLY) {
            spare_large(w, i, weight, count);
        }
    }
}

/* --- forward */

/* Of lanes that tier 1 does not tell. */
static void take_untold(struct expression_workspace *w, int i, const struct intervals argument[3],
                        size_t count)
{
    const struct node *node = &w->e->node[i];
    struct balls b = workspace_balls(w, i);
    struct intervals f = bound_plain(w, i);
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    intervals_evaluate(node->kind, (struct intervals){low, high}, argument, node->arg[0] == node->arg[1],
                       count);
    for (size_t k = 0; k < count; k++) {
        bool untold = b.radius[k] == INFINITY && isnan(b.value[k]);
        f.low[k] = untold ? low[k] : f.low[k];
        f.high[k] = untold ? high[k] : f.high[k];
    }
}

/* What is known of a node whose arguments are exact: tier 1's word. Whether there is a lane without one. */
WIDE_LOOPS static bool take_ball(struct expression_workspace *w, const struct expression_allowances *widest,
                                 int i, size_t count)
{
    struct balls b = workspace_balls(w, i);
    struct intervals f = bound_plain(w, i);
    bool narrow = widest->type != DTYPE_FLOAT64 && i == w->e->root;
    int odd = 0, untold = 0;
    for (size_t k = 0; k < count; k++) {
        double v = b.value[k], r = b.radius[k];
        f.low[k] = r == 0 ? v : interval_below(v - r);
        f.high[k] = r == 0 ? v : interval_above(v + r);
        odd |= r == INFINITY;
        untold |= (r == INFINITY) & (v != v);
    }
    for (size_t k = 0; odd && k < count; k++) {
        double v = b.value[k], great = narrow ? 0x1p1000 : 0x1p1022, end = narrow ? 0x1p1000 : INFINITY;
        if (b.radius[k] == INFINITY) { /* beyond 2^1022: what a narrower type makes of it is no number */
            f.low[k] = v == INFINITY ? great : v == -INFINITY ? -end : -INFINITY;
            f.high[k] = v == INFINITY ? end : v == -INFINITY ? -great : INFINITY;
        }
    }
    return untold != 0;
}

WIDE_LOOPS void bound_widen(struct expression_workspace *w, const struct expression_row *row,
                            const struct expression_allowances *widest, int i, size_t count)
{
    enum expression_class list[NODE_CLASSES_MAX];
    struct intervals f = bound_plain(w, i), z = bound_wide(w, i);
    double *error = w->error + (size_t)i * EXPRESSION_BLOCK, weight[EXPRESSION_BLOCK];
    int classes = bound_classes(w->e, i, list);
    memset(error, 0, count * sizeof *error);
    for (int c = 0; c < classes; c++) {
        double allowance = widest->of[list[c]];
        if (!(allowance > 0)) {
            continue;
        }
        bound_weigh(w, row, widest, i, list[c], weight, count);
        for (size_t k = 0; k < count; k++) {
            error[k] += weight[k] == 0 ? 0 : weight[k] * allowance * (1 + 0x1p-48);
        }
    }
    for (size_t k = 0; k < count; k++) {
        bool none = error[k] == 0;
        z.low[k] = none ? f.low[k] : interval_below(f.low[k] - error[k]);
        z.high[k] = none ? f.high[k] : interval_above(f.high[k] + error[k]);
    }
}

/* Rounding takes no number of the range out of it: what + − × give before counts, of functions what they may
 * give. A choice hands on what the chosen side has; what is not chosen harms nobody. */
WIDE_LOOPS static void note_escapes(struct expression_workspace *w,
                                    const struct expression_allowances *widest, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    unsigned char *out = w->escaped + (size_t)i * EXPRESSION_BLOCK;
    bool divides =
        node->kind == NODE_DIVIDE && widest->of[EXPRESSION_DIVISION] <= dtype_unit_roundoff(widest->type);
    bool rounds =
        divides || node->kind == NODE_ADD || node->kind == NODE_SUBTRACT || node->kind == NODE_MULTIPLY;
    double most = dtype_max(widest->type);
    bool inner = !node->last;
    struct intervals z = rounds ? bound_plain(w, i) : bound_wide(w, i);
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(z.low[k], z.high[k]);
        out[k] = (size > most) & !((z.low[k] == z.high[k]) & (size == INFINITY)) & inner;
    }
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

/* Where subnormals may count as zeros a comparison may take them so: each side is then anything down to 0. */
WIDE_LOOPS static void compare_flushed(struct intervals out, enum node_kind kind,
                                       const struct intervals argument[3], double least_normal, size_t count)
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

void bound_forward(struct expression_workspace *w, const struct expression_row *row,
                   const struct expression_allowances *widest, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals argument[3];
    if (node->kind == NODE_INPUT && !node->errs) { /* an operand is what it is, and of the type */
        double *const column[] = {bound_plain(w, i).low, bound_plain(w, i).high, bound_wide(w, i).low,
                                  bound_wide(w, i).high};
        for (int k = 0; k < 4; k++) {
            memcpy(column[k], workspace_balls(w, i).value, count * sizeof(double));
        }
        memset(w->escaped + (size_t)i * EXPRESSION_BLOCK, 0, count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        argument[k] = bound_wide(w, node->arg[k] < 0 ? i : node->arg[k]);
    }
    if (node_compares(node->kind) && widest->of[EXPRESSION_FLUSH] > 0) {
        compare_flushed(bound_plain(w, i), node->kind, argument, dtype_least_normal(widest->type), count);
    } else if (bound_arguments_err(w->e, i)) {
        intervals_evaluate(node->kind, bound_plain(w, i), argument, node->arg[0] == node->arg[1], count);
    } else if (take_ball(w, widest, i, count) && node->kind != NODE_INPUT && node->kind != NODE_CONSTANT) {
        take_untold(w, i, argument, count);
    }
    bound_widen(w, row, widest, i, count);
    note_escapes(w, widest, i, count);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The classes of errors of each kind of node, and the weight of a node in each class. */

#include "reference/formula/expression_bound.h"
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

/* The classes of each kind of operation, ended by EXPRESSION_CLASSES. */
static const struct {
    bool errs;
    enum expression_class class[NODE_CLASSES_MAX];
} errors_of[NODE_KINDS] = {
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
    if (!errors_of[node->kind].errs || !node->errs) {
        return 0;
    }
    for (; count < NODE_CLASSES_MAX && errors_of[node->kind].class[count] != EXPRESSION_CLASSES; count++) {
        list[count] = errors_of[node->kind].class[count];
        if (list[count] == EXPRESSION_ARITHMETIC && node->last) {
            list[count] = EXPRESSION_RESULT;
        }
    }
    return count;
}

/* A mask: x is a single number whose magnitude is a power of two. Its significand then has a single bit,
 * which is the implicit leading one for normal numbers. */
static inline int64_t is_power_of_two(struct intervals x, size_t i)
{
    const int64_t significand = (INT64_C(1) << 52) - 1;
    double size = fabs(x.low[i]);
    int64_t bits;
    memcpy(&bits, &size, sizeof bits);
    int64_t normal = mask_of(bits > significand), rest = bits & significand;
    int64_t one = (normal & mask_of(rest == 0)) | (~normal & mask_of((rest & (rest - 1)) == 0));
    return one & mask_of(bits != 0) & mask_of(size < INFINITY) & mask_of(x.low[i] == x.high[i]);
}

static inline int64_t is_zero(struct intervals x, size_t i)
{
    return mask_of(x.low[i] == 0) & mask_of(x.high[i] == 0);
}

/* Clears the weight where + and × do not round, and for a constant that the type holds. */
MULTIVERSION static void spare_exact(const struct expression_workspace *w,
                                     const struct primitive_errors *widest, int i, double *weight,
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
    const int64_t product = mask_of(node->kind == NODE_MULTIPLY);
    for (size_t k = 0; k < count; k++) {
        int64_t powers = is_power_of_two(a, k) | is_power_of_two(b, k), zeros = is_zero(a, k) | is_zero(b, k);
        weight[k] = either((product & powers) | (~product & zeros), 0, weight[k]);
    }
}

/* Clears the weight where a factor is a power of two of at least 1: such a product loses nothing near
 * zero. */
MULTIVERSION static void spare_large(const struct expression_workspace *w, int i, double *weight,
                                     size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals a = bound_wide(w, node->arg[0]), b = bound_wide(w, node->arg[1]);
    for (size_t k = 0; k < count; k++) {
        int64_t whole = (is_power_of_two(a, k) & mask_of(fabs(a.low[k]) >= 1)) |
                        (is_power_of_two(b, k) & mask_of(fabs(b.low[k]) >= 1));
        weight[k] = either(whole, 0, weight[k]);
    }
}

/* Clears the weight near zero where the result stays normal. The loss of the last operation there is the η of
 * acceptance (reference/operator/accept.h), which is enough while the truth is below twice the least normal
 * number. */
MULTIVERSION static void spare_normal(const struct expression_workspace *w,
                                      const struct primitive_errors *widest, int i, double *weight,
                                      size_t count)
{
    double least_normal = dtype_least_normal(widest->type);
    struct intervals f = bound_plain(w, i);
    struct balls truth = workspace_balls(w, i);
    const int64_t root = mask_of(w->e->node[i].last && widest->eta);
    for (size_t k = 0; k < count; k++) {
        int64_t normal = mask_of(f.low[k] >= least_normal) | mask_of(f.high[k] <= -least_normal);
        int64_t counted = mask_of(fabs(truth.value[k]) + truth.radius[k] < 2 * least_normal);
        weight[k] = either(normal | (root & counted), 0, weight[k]);
    }
}

/* Clears the weight of a class that applies in a zone of the argument's magnitude only, where the argument
 * certainly lies outside that zone. */
MULTIVERSION static void spare_beside(const struct primitive_errors *widest, enum expression_class class,
                                      struct intervals x, double *weight, size_t count)
{
    /* with `inner` the zone is [from, to], else everything outside it */
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

double bound_exp_range(enum dtype type)
{
    const struct dtype_info *info = dtype_info(type);
    return info->precision - info->emin;
}

/* Fills |value| (at least `least`), or 1 with `counts`; times |argument| where one is given. Beyond `range`
 * |argument| counts as `range`: a program that errs in its reduced argument errs there by what no result
 * shows. A result that is exactly 0 or infinite for all legal arguments is so in every program, and weighs 0;
 * with `absolute` a 0 weighs too, because the error is stated for it as well. */
MULTIVERSION static void weigh_values(struct intervals f, const struct intervals *argument, double range,
                                      bool counts, bool absolute, double least, double *weight, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(f.low[k], f.high[k]);
        bool special = (f.low[k] == f.high[k]) & (((size == 0) & !absolute) | (size == INFINITY));
        weight[k] = special ? 0 : counts ? 1 : size < least ? least : size;
    }
    for (size_t k = 0; argument && k < count; k++) {
        double size = interval_size(argument->low[k], argument->high[k]);
        size = size < range ? size : range;
        weight[k] = weight[k] == 0 ? 0 : weight[k] * size;
    }
}

MULTIVERSION static void weigh_jump(const struct expression_workspace *w, int i, double *weight, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct intervals condition = bound_wide(w, node->arg[0]), f = bound_plain(w, i);
    for (size_t k = 0; k < count; k++) {
        bool decided = condition.low[k] != 0 || condition.high[k] == 0;
        weight[k] = decided ? 0 : interval_above(f.high[k] - f.low[k]);
    }
}

/* The parts of lgamma and digamma that may cancel. By reflection ψ(x) = ψ(1 − x) − π·cot(πx), whose parts are
 * at most |ψ(x)| and about log(1 + |x|); log|Γ(x)| = log|π/(x·sin πx)| − log Γ(−x) likewise, for negative
 * numbers only. */
static void weigh_parts(enum node_kind kind, struct intervals x, double *weight, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double size = interval_size(x.low[k], x.high[k]), value, radius;
        bool none = weight[k] == 0 || (kind == NODE_LGAMMA && x.low[k] >= 0);
        elementary_log1p(&size, &value, &radius, 1);
        double log = interval_above(value + radius);
        weight[k] = none ? 0 : interval_above(1 + (kind == NODE_LGAMMA ? size * log : log));
    }
}

/* True for a sum of zeros and ones with no more terms than the type counts exactly: no order of it rounds. */
static bool counts_terms(const struct expression *e, const struct expression_row *row,
                         const struct primitive_errors *widest, int sum)
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
                 const struct primitive_errors *widest, int i, enum expression_class class, double *weight,
                 size_t count)
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
    /* Half an ulp of float64 would be a tie between 0 and the least double there. */
    const double least = dtype_least_normal(widest->type) * (widest->type == DTYPE_FLOAT64 ? 1 + 0x1p-40 : 1);
    weigh_values(f, class == EXPRESSION_EXP_ARGUMENT ? &x : NULL, bound_exp_range(widest->type),
                 counts_operations(class), class == EXPRESSION_LOG_ABSOLUTE, by_place ? least : 0, weight,
                 count);
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

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_adjoint.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

static double sweep_middle(struct intervals x, size_t k)
{
    return x.low[k] / 2 + x.high[k] / 2;
}

/* Adds the independent rounding of the node's operation to the spread; nothing where it does not round. */
MULTIVERSION static void gather_spread(const struct sweep *s, int i, size_t count)
{
    enum expression_class list[NODE_CLASSES_MAX];
    double weight[EXPRESSION_BLOCK], *sink = sweep_sink(s, 0);
    struct intervals adjoint = bound_adjoint(s->w, i), f = bound_plain(s->w, i);
    int classes = bound_classes(s->w->e, i, list);
    bool mean = s->w->e->node[i].kind == NODE_MEAN; /* it rounds twice: 1/n, and the product with it */
    if (classes == 0 || list[0] == EXPRESSION_JUMP || list[0] == EXPRESSION_SUM) {
        return;
    }
    if (!mean) {
        bound_weigh(s->w, s->row, s->widest, i, list[0], weight, count);
    }
    for (size_t k = 0; k < count; k++) {
        bool counts = mean || weight[k] > 0;
        double size = either(mask_of(counts), interval_size(f.low[k], f.high[k]), 0);
        sink[k] = envelope_join(sink[k], (mean ? sqrt(2) : 1) * sweep_middle(adjoint, k) * size);
    }
}

MULTIVERSION static void gather(const struct sweep *s, int i, size_t count)
{
    enum expression_class list[NODE_CLASSES_MAX];
    struct intervals adjoint = bound_adjoint(s->w, i);
    double weight[EXPRESSION_BLOCK], *sink = sweep_sink(s, 0);
    if (s->what == GATHER_SPREAD) {
        gather_spread(s, i, count);
        return;
    }
    for (int j = 0; s->what == GATHER_BOUND && j < s->columns; j++) {
        const double *error = bound_error(s->w, j, i);
        sink = sweep_sink(s, j);
        for (size_t k = 0; k < count; k++) {
            double size = interval_size(adjoint.low[k], adjoint.high[k]);
            sink[k] += size == 0 || error[k] == 0 ? 0 : size * error[k];
        }
    }
    int classes = s->what == GATHER_CLASSES ? bound_classes(s->w->e, i, list) : 0;
    for (int c = 0; c < classes; c++) {
        if (!(s->widest->of[list[c]] > 0)) {
            continue;
        }
        bound_weigh(s->w, s->row, s->widest, i, list[c], weight, count);
        sink = sweep_sink(s, (int)list[c]);
        for (size_t k = 0; k < count; k++) {
            double size = interval_size(adjoint.low[k], adjoint.high[k]);
            sink[k] += size == 0 || weight[k] == 0 ? 0 : size * weight[k];
        }
    }
}

/* Encloses the truth: tier 1's ball if it lies in the interval `held` of all legal programs, else that
 * interval. */
MULTIVERSION static void find_truth(const struct sweep *s, int i, struct intervals held, double *low,
                                    double *high, size_t count)
{
    struct balls b = workspace_balls(s->w, i);
    for (size_t k = 0; k < count; k++) {
        double least = interval_below(b.value[k] - b.radius[k]),
               most = interval_above(b.value[k] + b.radius[k]);
        bool known = least >= held.low[k] && most <= held.high[k];
        low[k] = known ? least : held.low[k];
        high[k] = known ? most : held.high[k];
    }
}

/* Passes the adjoint of a node on to those of its arguments that err. */
MULTIVERSION static void pass_on(const struct sweep *s, int i, size_t count)
{
    const struct node *node = &s->w->e->node[i];
    struct intervals argument[3], adjoint[3];
    bool wanted[3], any = false;
    for (int k = 0; k < 3; k++) {
        int from = node->arg[k] < 0 ? i : node->arg[k];
        argument[k] = bound_wide(s->w, from);
        adjoint[k] = bound_adjoint(s->w, from);
        wanted[k] = node->arg[k] >= 0 && s->w->e->node[from].errs && !(k == 0 && node->kind == NODE_SELECT);
        any = any || wanted[k];
    }
    if (!any) {
        return;
    }
    struct intervals own = bound_adjoint(s->w, i), z = bound_wide(s->w, i);
    for (size_t k = 0; k < count; k++) { /* all legal programs have one number here: the errors below it do
                                            not matter */
        own.low[k] = z.low[k] == z.high[k] ? 0 : own.low[k];
        own.high[k] = z.low[k] == z.high[k] ? 0 : own.high[k];
    }
    double low[4][EXPRESSION_BLOCK], high[4][EXPRESSION_BLOCK];
    struct intervals truth[4];
    for (int k = 0; k < 4; k++) {
        bool argues = k < 3 && node->arg[k] >= 0;
        truth[k] = (struct intervals){low[k], high[k]};
        if (argues || k == 3) {
            find_truth(s, argues ? node->arg[k] : i, argues ? argument[k] : bound_plain(s->w, i), low[k],
                       high[k], count);
        }
    }
    intervals_propagate(node->kind, bound_adjoint(s->w, i), bound_plain(s->w, i), argument, truth, adjoint,
                        wanted, count);
}

static void clear(const struct sweep *s, int i, size_t count)
{
    struct intervals adjoint = bound_adjoint(s->w, i);
    memset(adjoint.low, 0, count * sizeof(double));
    memset(adjoint.high, 0, count * sizeof(double));
}

MULTIVERSION void sweep_start(const struct sweep *s, int pass, int target, double low, double high,
                              size_t count)
{
    const struct expression *e = s->w->e;
    for (int c = 0; c < s->columns; c++) {
        memset(sweep_sink(s, c), 0, count * sizeof(double));
    }
    for (int i = 0; i < e->nodes; i++) {
        if (e->node[i].of_row) {
            clear(s, i, count);
        }
    }
    for (int k = 0; k < e->node[pass].needs; k++) {
        clear(s, e->node[pass].need[k], count);
    }
    struct intervals adjoint = bound_adjoint(s->w, target);
    for (size_t k = 0; k < count; k++) {
        adjoint.low[k] = low;
        adjoint.high[k] = high;
    }
}

void sweep_elements(const struct sweep *s, int pass, size_t count)
{
    const struct node *of = &s->w->e->node[pass];
    for (int k = of->needs - 1; k >= 0; k--) {
        int i = of->need[k];
        if (s->w->e->node[i].errs) {
            gather(s, i, count);
            pass_on(s, i, count);
        }
    }
}

/* Adds the errors of the terms of a reduction, and passes its adjoint on to the nodes of the row before
 * it. */
static void sweep_reduction(const struct sweep *s, int i, size_t count)
{
    const struct expression *e = s->w->e;
    struct intervals adjoint = bound_adjoint(s->w, i);
    const double *total = s->w->total + (size_t)i * EXPRESSION_CLASSES;
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    struct intervals slope = {low, high};
    for (int c = 0; c < s->columns; c++) {
        double *sink = sweep_sink(s, c);
        for (size_t k = 0; total[c] != 0 && k < count; k++) {
            double size = s->what == GATHER_SPREAD ? fabs(sweep_middle(adjoint, k))
                                                   : interval_size(adjoint.low[k], adjoint.high[k]);
            double part = size == 0 ? 0 : size * total[c];
            sink[k] = s->what == GATHER_SPREAD && c == 0 ? envelope_join(sink[k], part) : sink[k] + part;
        }
    }
    for (int r = 0; r < i; r++) {
        size_t at = (size_t)i * (size_t)e->nodes + (size_t)r;
        if (!e->node[r].of_row || !e->node[r].errs ||
            (s->w->slope_low[at] == 0 && s->w->slope_high[at] == 0)) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            low[k] = s->w->slope_low[at];
            high[k] = s->w->slope_high[at];
        }
        intervals_accumulate(bound_adjoint(s->w, r), adjoint, slope, count);
    }
}

void sweep_row(const struct sweep *s, size_t count)
{
    const struct expression *e = s->w->e;
    for (int i = e->nodes - 1; i >= 0; i--) {
        if (!e->node[i].of_row || !e->node[i].errs) {
            continue;
        }
        gather(s, i, count);
        if (node_reduces(e->node[i].kind)) {
            sweep_reduction(s, i, count);
        } else {
            pass_on(s, i, count);
        }
    }
}

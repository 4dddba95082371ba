/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Reductions over a row: their intervals, the accumulated errors of their terms, and their derivatives by the
 * nodes of the row before them. */

#include "reference/formula/expression_adjoint.h"

#include <math.h>

/* Adds a block to a reduction: the ends, sizes, errors and derivatives of its terms. A maximum takes the
 * greatest of each, because its derivatives by the terms add up to 1. */
static void take_block(const struct sweep *s, int i, size_t count)
{
    const struct expression *e = s->w->e;
    const struct node *node = &e->node[i];
    struct intervals term = bound_wide(s->w, node->arg[0]), f = bound_plain(s->w, i);
    bool most = node->kind == NODE_ROW_MAX;
    for (size_t k = 0; k < count; k++) {
        bool nan = isnan(term.low[k]) || isnan(f.low[0]);
        f.low[0] = most && !nan ? fmax(f.low[0], term.low[k]) : f.low[0] + term.low[k];
        f.high[0] = most && !nan ? fmax(f.high[0], term.high[k]) : f.high[0] + term.high[k];
        s->w->absolute[i] += interval_size(term.low[k], term.high[k]);
    }
    if (!e->node[node->arg[0]].errs) {
        return;
    }
    sweep_start(s, i, node->arg[0], most ? 0 : 1, 1, count);
    sweep_elements(s, i, count);
    double *total = s->w->total + (size_t)i * EXPRESSION_CLASSES;
    for (int c = 0; c < s->columns; c++) {
        for (size_t k = 0; k < count; k++) {
            double x = sweep_sink(s, c)[k];
            bool joins = s->what == GATHER_SPREAD && c == 0;
            total[c] = most    ? (x > total[c] || isnan(x) ? x : total[c])
                       : joins ? envelope_join(total[c], x)
                               : total[c] + x;
        }
    }
    for (int r = 0; r < i; r++) {
        size_t at = (size_t)i * (size_t)e->nodes + (size_t)r;
        struct intervals adjoint = bound_adjoint(s->w, r);
        for (size_t k = 0; e->node[r].of_row && e->node[r].errs && k < count; k++) {
            double low = adjoint.low[k], high = adjoint.high[k];
            s->w->slope_low[at] =
                most ? fmin(s->w->slope_low[at], low) : interval_below(s->w->slope_low[at] + low);
            s->w->slope_high[at] =
                most ? fmax(s->w->slope_high[at], high) : interval_above(s->w->slope_high[at] + high);
        }
    }
}

/* Covers the rounding of n additions in double, and divides a mean by n. */
static void close_sum(const struct sweep *s, int i)
{
    const struct expression *e = s->w->e;
    struct intervals f = bound_plain(s->w, i);
    double n = (double)s->row->n, up = 1 + (n + 8) * 0x1p-52,
           share = e->node[i].kind == NODE_MEAN ? 1 / n : 1;
    double *total = s->w->total + (size_t)i * EXPRESSION_CLASSES;
    s->w->absolute[i] *= up * share;
    if (e->node[i].kind != NODE_ROW_MAX) {
        double lost = s->w->absolute[i] * (n + 8) * 0x1p-52;
        if (share < 1 && (f.low[0] != 0 || f.high[0] != 0)) {
            lost += 0x1p-1074; /* of the quotient: it may round to 0 what is not 0 */
        }
        f.low[0] = interval_below(f.low[0] * share - lost);
        f.high[0] = interval_above(f.high[0] * share + lost);
    }
    for (int c = 0; c < s->columns; c++) {
        total[c] *= s->what == GATHER_SPREAD ? share : up * share;
    }
    for (int r = 0; r < i; r++) {
        size_t at = (size_t)i * (size_t)e->nodes + (size_t)r;
        s->w->slope_low[at] = interval_below(interval_below(s->w->slope_low[at] * share));
        s->w->slope_high[at] = interval_above(interval_above(s->w->slope_high[at] * share));
    }
}

/* Adds spread and drift of the summation itself, from the terms by tier 1
 * (reference/numeric/exact/envelope_sum.h). */
static void add_order(const struct sweep *s, int i, const double *terms)
{
    struct envelope_sum sum = {.total = 0};
    double *total = s->w->total + (size_t)i * EXPRESSION_CLASSES;
    double share = s->w->e->node[i].kind == NODE_MEAN ? 1 / (double)s->row->n : 1;
    envelope_sum(terms, s->row->n, s->u, &sum);
    total[0] = envelope_join(total[0], sum.order * share);
    for (int width = 0; width < ENVELOPE_WIDTHS; width++) {
        total[1 + width] += sum.drift[width] * share;
    }
}

static bool reduce(struct sweep *s, int i)
{
    struct expression_workspace *w = s->w;
    const struct node *node = &w->e->node[i];
    size_t nodes = (size_t)w->e->nodes;
    struct intervals f = bound_plain(w, i);
    bool spread = s->what == GATHER_SPREAD && node->kind != NODE_ROW_MAX;
    double *terms = spread ? workspace_terms(s->row->n) : NULL;
    if (spread && !terms) {
        return false;
    }
    memset(w->total + (size_t)i * EXPRESSION_CLASSES, 0, EXPRESSION_CLASSES * sizeof(double));
    memset(w->slope_low + (size_t)i * nodes, 0, nodes * sizeof(double));
    memset(w->slope_high + (size_t)i * nodes, 0, nodes * sizeof(double));
    w->absolute[i] = 0;
    f.low[0] = f.high[0] = node->kind == NODE_ROW_MAX ? -INFINITY : 0;
    for (int64_t first = 0; first < s->row->n; first += EXPRESSION_BLOCK) {
        size_t count = workspace_block(s->row, first);
        workspace_evaluate(w, s->row, i, first, count);
        for (int k = 0; k < node->needs; k++) {
            bound_forward(w, s->row, s->kinds, node->need[k], count);
        }
        take_block(s, i, count);
        const unsigned char *escaped = w->escaped + (size_t)node->arg[0] * EXPRESSION_BLOCK;
        for (size_t k = 0; k < count; k++) {
            s->row_may_overflow = s->row_may_overflow || escaped[k];
        }
        if (spread) {
            memcpy(terms + first, workspace_balls(w, node->arg[0]).value, count * sizeof(double));
        }
    }
    close_sum(s, i);
    if (spread) {
        add_order(s, i, terms);
    }
    return true;
}

/* Copies lane 0 of a node of the row to all its lanes. */
static void spread_over_lanes(struct expression_workspace *w, int i, size_t lanes)
{
    struct intervals f = bound_plain(w, i);
    for (size_t k = 1; k < lanes; k++) {
        f.low[k] = f.low[0];
        f.high[k] = f.high[0];
    }
}

/* True if the sum may leave the range: in some order a partial sum comes near Σ|terms|. */
static bool leaves_range(const struct sweep *s, int i)
{
    enum node_kind kind = s->w->e->node[i].kind;
    struct intervals z = bound_wide(s->w, i);
    double size = kind == NODE_ROW_MAX ? interval_size(z.low[0], z.high[0])
                  : kind == NODE_SUM   ? s->w->absolute[i]
                                       : s->w->absolute[i] * (double)s->row->n;
    bool one =
        (kind == NODE_SUM && i == s->w->e->root && s->row->n < 2) || isinf(z.low[0]) || isinf(z.high[0]);
    return size > dtype_max(s->widest->type) && !one;
}

bool sweep_prepare(struct sweep *s)
{
    struct expression_workspace *w = s->w;
    const struct expression *e = w->e;
    const size_t lanes = workspace_lanes(s->row);
    for (int i = 0; i < e->nodes; i++) {
        if (!e->node[i].of_row) {
            continue;
        }
        workspace_evaluate_row(w, s->row, i);
        if (!node_reduces(e->node[i].kind)) {
            bound_forward(w, s->row, s->kinds, i, lanes);
            continue;
        }
        if (!reduce(s, i)) {
            return false;
        }
        spread_over_lanes(w, i, lanes);
        bound_widen(w, s->row, s->kinds, i, lanes);
        memset(w->escaped + (size_t)i * EXPRESSION_BLOCK, leaves_range(s, i), lanes);
    }
    return true;
}

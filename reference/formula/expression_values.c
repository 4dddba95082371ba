/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_workspace.h"

#include <math.h>

/* A constant that is no double is enclosed by the two doubles around it. */
static void evaluate_constant(const struct node *node, struct balls out)
{
    bool exact = node->low == node->high || node->low != node->low;
    out.value[0] = node->low;
    out.radius[0] = exact ? 0 : isinf(node->high) ? INFINITY : node->high - node->low;
}

static void spread_over_lanes(struct balls out, size_t lanes)
{
    for (size_t i = 1; i < lanes; i++) {
        out.value[i] = out.value[0];
        out.radius[i] = out.radius[0];
    }
}

/* sin(π·x) of a whole x is 0, which the rounded product does not show. */
static void set_zeros_of_sine(struct balls out, struct balls factor, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double x = factor.value[k];
        if (factor.radius[k] == 0 && isfinite(x) && x == rint(x)) {
            out.value[k] = copysign(0, x);
            out.radius[k] = 0;
        }
    }
}

static void evaluate_node(struct expression_workspace *w, int i, size_t count)
{
    const struct node *node = &w->e->node[i];
    struct balls argument[3];
    for (int k = 0; k < 3; k++) {
        argument[k] = workspace_balls(w, node->arg[k] < 0 ? i : node->arg[k]);
    }
    balls_evaluate(node->kind, workspace_balls(w, i), argument, count);
    const int factor = node->kind == NODE_SIN ? node_times_pi(w->e, node->arg[0]) : -1;
    if (factor >= 0) {
        set_zeros_of_sine(workspace_balls(w, i), workspace_balls(w, factor), count);
    }
}

/* True if the root's columns hold the known results of these elements. */
static bool has_root(const struct expression_workspace *w, const struct expression_row *row, int64_t first,
                     size_t count)
{
    struct balls root = workspace_balls(w, w->e->root);
    return memcmp(root.value, row->value + first, count * sizeof(double)) == 0 &&
           memcmp(root.radius, row->radius + first, count * sizeof(double)) == 0;
}

/* True if the columns hold these elements already: bounds are requested for the same operands once for each
 * profile. False for formulas with nodes of the row other than constants, which may have changed. */
static bool is_held(const struct expression_workspace *w, const struct expression_row *row, int pass,
                    int64_t first, size_t count)
{
    const struct expression *e = w->e;
    bool held = w->held == count && w->pass == pass;
    for (int i = 0; held && i < e->nodes; i++) {
        held = !e->node[i].of_row || e->node[i].kind == NODE_CONSTANT;
    }
    for (int k = 0; held && k < e->node[pass].needs; k++) {
        int i = e->node[pass].need[k];
        held = e->node[i].kind != NODE_INPUT ||
               memcmp(workspace_balls(w, i).value, row->input[e->node[i].input] + first,
                      count * sizeof(double)) == 0;
        held = held && (i != e->root || !row->value || has_root(w, row, first, count));
    }
    return held;
}

void workspace_evaluate(struct expression_workspace *w, const struct expression_row *row, int pass,
                        int64_t first, size_t count)
{
    const struct node *of = &w->e->node[pass];
    if (is_held(w, row, pass, first, count)) {
        return;
    }
    w->pass = pass;
    w->held = count;
    for (int k = 0; k < of->needs; k++) {
        const struct node *node = &w->e->node[of->need[k]];
        if (node->kind == NODE_INPUT) {
            struct balls out = workspace_balls(w, of->need[k]);
            memcpy(out.value, row->input[node->input] + first, count * sizeof(double));
            memset(out.radius, 0, count * sizeof(double));
        } else if (of->need[k] == w->e->root && row->value) {
            struct balls out = workspace_balls(w, of->need[k]);
            memcpy(out.value, row->value + first, count * sizeof(double));
            memcpy(out.radius, row->radius + first, count * sizeof(double));
        } else {
            evaluate_node(w, of->need[k], count);
        }
    }
}

static void evaluate_reduction(struct expression_workspace *w, const struct expression_row *row, int i)
{
    const struct node *node = &w->e->node[i];
    struct balls_sum sum = {.n = 0};
    struct balls out = workspace_balls(w, i);
    for (int64_t first = 0; first < row->n; first += EXPRESSION_BLOCK) {
        size_t count = workspace_block(row, first);
        workspace_evaluate(w, row, i, first, count);
        balls_sum_add(&sum, node->kind, workspace_balls(w, node->arg[0]), count);
    }
    balls_sum_close(&sum, node->kind, out.value, out.radius);
}

void workspace_evaluate_row(struct expression_workspace *w, const struct expression_row *row, int i)
{
    const struct node *node = &w->e->node[i];
    struct balls out = workspace_balls(w, i);
    if (node_reduces(node->kind)) {
        evaluate_reduction(w, row, i);
    } else if (node->kind == NODE_CONSTANT) {
        evaluate_constant(node, out);
    } else if (node->kind == NODE_INPUT || node->kind == NODE_COUNT) {
        out.value[0] = node->kind == NODE_COUNT ? (double)row->n : row->input[node->input][0];
        out.radius[0] = 0;
    } else {
        evaluate_node(w, i, 1);
    }
    spread_over_lanes(out, workspace_lanes(row));
}

/* Evaluates an operation on operands in the caller's memory, without copies; operands are only read. */
static void evaluate_in_place(const struct expression *e, const struct expression_row *row, double *value,
                              double *radius)
{
    static double zero[EXPRESSION_BLOCK];
    const struct node *root = &e->node[e->root];
    for (int64_t first = 0; first < row->n; first += EXPRESSION_BLOCK) {
        struct balls argument[3] = {{NULL, NULL}};
        for (int k = 0; k < 3 && root->arg[k] >= 0; k++) {
            const double *operand = row->input[e->node[root->arg[k]].input];
            argument[k] = (struct balls){(double *)operand + first, zero};
        }
        balls_evaluate(root->kind, (struct balls){value + first, radius + first}, argument,
                       workspace_block(row, first));
    }
}

void expression_values(struct expression_workspace *w, const struct expression_row *row, double *value,
                       double *radius)
{
    const struct expression *e = w->e;
    if (node_takes_operands(e, e->root) && !row->value) {
        evaluate_in_place(e, row, value, radius);
        return;
    }
    workspace_claim(w);
    struct balls root = workspace_balls(w, e->root);
    for (int i = 0; i < e->nodes; i++) {
        if (e->node[i].of_row) {
            workspace_evaluate_row(w, row, i);
        }
    }
    if (e->node[e->root].of_row) {
        *value = root.value[0];
        *radius = root.radius[0];
        return;
    }
    for (int64_t first = 0; first < row->n; first += EXPRESSION_BLOCK) {
        size_t count = workspace_block(row, first);
        workspace_evaluate(w, row, e->root, first, count);
        memcpy(value + first, root.value, count * sizeof *value);
        memcpy(radius + first, root.radius, count * sizeof *radius);
    }
}

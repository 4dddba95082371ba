/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_arbiter.h"
#include "reference/formula/expression_mpfi.h"

#include <math.h>
#include <stdlib.h>

/* True for a product of [0, 0] and an infinity, which MPFI takes for 0. */
static bool is_zero_times_infinity(const struct arbiter *w, const struct node *node)
{
    if (node->kind != NODE_MULTIPLY) {
        return false;
    }
    mpfi_srcptr x = w->node[node->arg[0]], y = w->node[node->arg[1]];
    return (mpfi_is_zero(x) && mpfi_inf_p(y) && mpfr_equal_p(&y->left, &y->right)) ||
           (mpfi_is_zero(y) && mpfi_inf_p(x) && mpfr_equal_p(&x->left, &x->right));
}

/* True if node i, whose arguments are evaluated, is NaN: by a NaN of its operands or one of its own. */
static bool passes_nan(const struct arbiter *w, int i, int64_t element)
{
    const struct node *node = &w->e->node[i];
    bool any = false;
    if (node->kind == NODE_INPUT) {
        return isnan(arbiter_given(w, node, element));
    }
    if (node->kind == NODE_SELECT) {
        mpfi_srcptr condition = w->node[node->arg[0]];
        bool first = !mpfr_zero_p(&condition->left), second = mpfr_zero_p(&condition->right);
        return (first && w->nan[node->arg[1]]) || (second && w->nan[node->arg[2]]);
    }
    for (int k = 0; k < 2 && node->arg[k] >= 0; k++) {
        any = any || w->nan[node->arg[k]];
    }
    bool counts = node_compares(node->kind) || node->kind == NODE_SIGNBIT;
    if (is_zero_times_infinity(w, node)) {
        return true;
    }
    return any && !counts && node->kind != NODE_POW; /* NaN^0 is 1 */
}

/* Encloses x/0 by an infinity if the divisor is an operand, whose zero has a sign that an interval does not
 * show, and the sign of x is known. Returns false in other cases. */
static bool enclose_pole(const struct arbiter *w, const struct node *divisor, int64_t element, mpfi_srcptr x,
                         mpfi_ptr out)
{
    if (divisor->kind != NODE_INPUT || arbiter_given(w, divisor, element) != 0 || mpfi_nan_p(x) ||
        mpfi_has_zero(x)) {
        return false;
    }
    const bool negative = (mpfr_sgn(&x->left) < 0) != (signbit(arbiter_given(w, divisor, element)) != 0);
    mpfr_set_inf(&out->left, negative ? -1 : 1);
    mpfr_set_inf(&out->right, negative ? -1 : 1);
    return true;
}

static void enclose_node(const struct arbiter *w, int i, int64_t element)
{
    const struct node *node = &w->e->node[i];
    mpfi_ptr out = w->node[i], x = node->arg[0] < 0 ? NULL : w->node[node->arg[0]],
             y = node->arg[1] < 0 ? NULL : w->node[node->arg[1]];
    switch (node->kind) {
    case NODE_CONSTANT:
        if (node->digits) {
            node_constant_enclose(node->digits, w->precision, out);
        } else {
            mpfi_set_d(out, node->low);
        }
        break;
    case NODE_INPUT:
        mpfi_set_d(out, arbiter_given(w, node, element));
        break;
    case NODE_COUNT:
        mpfi_set_si(out, (long)w->row->n);
        break;
    case NODE_ADD:
        mpfi_add(out, x, y);
        break;
    case NODE_SUBTRACT:
        mpfi_sub(out, x, y);
        break;
    case NODE_MULTIPLY:
        if (x == y) {
            mpfi_sqr(out, x);
        } else {
            mpfi_mul(out, x, y);
        }
        break;
    case NODE_DIVIDE:
        if (!enclose_pole(w, &w->e->node[node->arg[1]], element, x, out)) {
            mpfi_div(out, x, y);
        }
        break;
    case NODE_POW:
        enclose_pow(out, x, y);
        break;
    case NODE_MIN:
    case NODE_MAX:
        enclose_least_or_most(out, node->kind == NODE_MAX, x, y);
        break;
    case NODE_LESS:
    case NODE_LESS_EQUAL:
    case NODE_EQUAL:
    case NODE_NOT_EQUAL:
        if (w->nan[node->arg[0]] || w->nan[node->arg[1]]) {
            mpfi_set_ui(out, node->kind == NODE_NOT_EQUAL);
        } else {
            enclose_comparison(out, node->kind, x, y);
        }
        break;
    case NODE_SIGNBIT:
        if (w->e->node[node->arg[0]].kind == NODE_INPUT) { /* an interval does not show the sign of a zero */
            mpfi_set_ui(out, signbit(arbiter_given(w, &w->e->node[node->arg[0]], element)) != 0);
        } else {
            enclose_sign_bit(out, x);
        }
        break;
    case NODE_SELECT:
        enclose_select(out, x, y, w->node[node->arg[2]]);
        break;
    default:
        enclose_function(out, node->kind, x);
    }
    w->nan[i] = passes_nan(w, i, element);
}

/* Evaluates node i of the current element and the arguments that it needs: of a decided choice only the side
 * taken. Nodes of the row are there. */
static void demand_node(struct arbiter *w, int i, int64_t element)
{
    const struct node *node = &w->e->node[i];
    if (node->of_row || w->done[i] == w->turn) {
        return;
    }
    for (int k = 0; k < 3 && node->arg[k] >= 0; k++) {
        mpfi_srcptr condition = w->node[node->arg[0]];
        bool spared = node->kind == NODE_SELECT && ((k == 1 && mpfr_zero_p(&condition->right)) ||
                                                    (k == 2 && !mpfr_zero_p(&condition->left)));
        if (!spared) {
            demand_node(w, node->arg[k], element);
        }
    }
    enclose_node(w, i, element);
    w->done[i] = w->turn;
}

void arbiter_enclose(struct arbiter *w, int target, int64_t element)
{
    w->turn++;
    demand_node(w, target, element);
}

static void enclose_reduction(struct arbiter *w, int pass)
{
    const struct node *node = &w->e->node[pass];
    mpfi_ptr out = w->node[pass], term = w->node[node->arg[0]];
    mpfi_set_ui(out, 0);
    w->nan[pass] = false;
    if (node->kind == NODE_ROW_MAX) {
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, -1);
    }
    for (int64_t j = 0; j < w->row->n; j++) {
        arbiter_enclose(w, node->arg[0], j);
        w->nan[pass] = w->nan[pass] || w->nan[node->arg[0]];
        if (node->kind == NODE_ROW_MAX) {
            enclose_least_or_most(out, true, out, term);
        } else {
            mpfi_add(out, out, term);
        }
    }
    if (node->kind == NODE_MEAN) {
        mpfi_div_ui(out, out, (unsigned long)w->row->n);
    }
}

bool arbiter_open(struct arbiter *w, const struct expression *e, const struct expression_row *row,
                  mpfr_prec_t precision)
{
    *w = (struct arbiter){.e = e, .row = row, .precision = precision};
    w->node = malloc((size_t)e->nodes * sizeof *w->node);
    w->nan = calloc((size_t)e->nodes, sizeof *w->nan);
    w->done = calloc((size_t)e->nodes, sizeof *w->done);
    for (int i = 0; w->node && i < e->nodes; i++) {
        mpfi_init2(w->node[i], precision);
    }
    for (int i = 0; w->node && w->nan && w->done && i < e->nodes; i++) {
        if (node_reduces(e->node[i].kind)) {
            enclose_reduction(w, i);
        } else if (e->node[i].of_row) {
            enclose_node(w, i, 0);
        }
    }
    return w->node && w->nan && w->done;
}

void arbiter_close(struct arbiter *w)
{
    for (int i = 0; w->node && i < w->e->nodes; i++) {
        mpfi_clear(w->node[i]);
    }
    free(w->node);
    free(w->nan);
    free(w->done);
}

mpfi_srcptr arbiter_result(struct arbiter *w, int64_t element)
{
    if (!w->e->node[w->e->root].of_row) {
        arbiter_enclose(w, w->e->root, element);
    }
    return w->node[w->e->root];
}

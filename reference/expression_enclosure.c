/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* An expression in intervals of any precision, and the precision ladder over its elements. */

#include "reference/expression_arbiter.h"
#include "reference/expression_mpfi.h"
#include "reference/expression_workspace.h"
#include "reference/ladder.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { OTHERS_SETTLED_AT = 4 * LADDER_START_BITS /* nothing that is not 0 is often as small as that */ };

/* Whether an operand's NaN gets through node i, whose arguments are there. */
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
    return any && !counts && node->kind != NODE_POW; /* NaN^0 is 1 */
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
        mpfi_div(out, x, y);
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
        if (w->e->node[node->arg[0]].kind == NODE_INPUT) { /* an interval has no sign of zero */
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

/* Node i of the element in hand, and of its arguments what it takes: a choice that is decided leaves the
 * other side alone. Nodes of the row are there. */
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

/* All nodes of the row. False when out of memory. */
static bool open_arbiter(struct arbiter *w, const struct expression *e, const struct expression_row *row,
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

static void close_arbiter(struct arbiter *w)
{
    for (int i = 0; w->node && i < w->e->nodes; i++) {
        mpfi_clear(w->node[i]);
    }
    free(w->node);
    free(w->nan);
    free(w->done);
}

/* The result, which lies in the arbiter. */
static mpfi_srcptr result_of(struct arbiter *w, int64_t element)
{
    if (!w->e->node[w->e->root].of_row) {
        arbiter_enclose(w, w->e->root, element);
    }
    return w->node[w->e->root];
}

bool expression_enclose(const struct expression *e, const struct expression_row *row, int64_t element,
                        mpfr_prec_t precision, mpfi_ptr out)
{
    struct arbiter w;
    bool good = open_arbiter(&w, e, row, precision);
    if (good) {
        mpfi_set_prec(out, precision);
        mpfi_set(out, result_of(&w, element));
    }
    close_arbiter(&w);
    return good;
}

/* Whether 2^±VALUE_FAR stands for the truth; the sign is the truth's. */
static bool is_far(mpfi_srcptr x, struct value *out)
{
    bool negative = mpfr_sgn(&x->right) <= 0, point = mpfr_equal_p(&x->left, &x->right);
    mpfr_srcptr near = negative ? &x->right : &x->left, far = negative ? &x->left : &x->right;
    bool one_sign = !mpfi_nan_p(x) && !point && (mpfr_sgn(&x->left) >= 0 || negative);
    bool beyond = one_sign && mpfr_regular_p(near) && mpfr_get_exp(near) > VALUE_FAR;
    bool vanishes = one_sign && mpfr_regular_p(far) && mpfr_get_exp(far) < -VALUE_FAR;
    *out = (struct value){.hi = negative ? -1 : 1, .exponent = beyond ? VALUE_FAR : -VALUE_FAR};
    return beyond || vanishes;
}

/* The elements that are still open, at one precision. */
static int64_t settle_some(struct arbiter *w, bool *open, int64_t count, struct value *out, int *bits)
{
    int64_t left = 0;
    mpfr_t middle;
    mpfr_init2(middle, w->precision + 2);
    for (int64_t j = 0; j < count; j++) {
        if (!open[j]) {
            continue;
        }
        mpfi_srcptr result = result_of(w, j);
        int certified = ladder_certified_bits(result);
        bool infinite = mpfr_inf_p(&result->left) && mpfr_equal_p(&result->left, &result->right);
        struct value far = value_of(NAN);
        bool done = infinite || w->nan[w->e->root] || is_far(result, &far);
        if (done) {
            out[j] = infinite ? value_of(mpfr_sgn(&result->left) < 0 ? -INFINITY : INFINITY) : far;
        } else if (certified >= LADDER_TARGET_BITS) {
            mpfi_mid(middle, result);
            out[j] = value_from_mpfr(middle, certified == INT_MAX);
            *bits = certified < *bits ? certified : *bits;
        }
        open[j] = !done && certified < LADDER_TARGET_BITS;
        left += open[j];
    }
    mpfr_clear(middle);
    return left;
}

/* Whether there is an infinity or a NaN among the operands. */
static bool has_special(const struct arbiter *w)
{
    const struct expression *e = w->e;
    for (int k = 0; k < e->inputs; k++) {
        const bool each = e->input[k].role == EXPRESSION_ELEMENT;
        for (int64_t j = 0; j < (each ? w->row->n : 1); j++) {
            if (!isfinite(w->row->input[k][j])) {
                return true;
            }
        }
    }
    return false;
}

/* What no precision tells: of what lies around 0, the elements that are 0; and where an infinity among the
 * operands meets its opposite, or what may be 0, NaN and the infinities are right, as the order of operations
 * has it. Returns how many elements are left. */
static int64_t settle_others(struct arbiter *w, bool *open, int64_t count, struct value *out)
{
    int64_t left = 0;
    for (int64_t j = 0; j < count; j++) {
        if (open[j] && mpfi_nan_p(result_of(w, j))) {
            open[j] = !has_special(w);
            out[j] = value_of(NAN);
            out[j].open = !open[j];
        } else if (open[j] && mpfi_has_zero(result_of(w, j)) && arbiter_is_zero(w, j)) {
            out[j] = value_of(0);
            open[j] = false;
        }
        left += open[j];
    }
    return left;
}

static bool climb(const struct expression *e, const struct expression_row *row, bool *open, int64_t count,
                  struct value *out, int *bits, struct error *error)
{
    int64_t left = 1;
    for (mpfr_prec_t p = LADDER_START_BITS; left > 0 && p <= LADDER_CAP_BITS; p *= 2) {
        struct arbiter w;
        bool good = open_arbiter(&w, e, row, p);
        left = good ? settle_some(&w, open, count, out, bits) : 0;
        if (left > 0 && p == OTHERS_SETTLED_AT) {
            left = settle_others(&w, open, count, out);
        }
        close_arbiter(&w);
        if (!good) {
            return error_set(error, "out of memory");
        }
    }
    return left == 0 ||
           error_set(error, "the precision ladder reached its cap of %d bits without certifying %d",
                     LADDER_CAP_BITS, LADDER_TARGET_BITS);
}

bool expression_certify(struct expression_workspace *workspace, const struct expression_row *row,
                        const bool *wanted, struct value *out, int *bits, struct error *error)
{
    const struct expression *e = workspace->e;
    int64_t count = e->node[e->root].of_row ? 1 : row->n, left = 0;
    double *value = malloc(((size_t)count + 1) * sizeof *value),
           *radius = malloc(((size_t)count + 1) * sizeof *radius);
    bool *open = malloc((size_t)count + 1), good = value && radius && open;
    if (good) {
        expression_values(workspace, row, value, radius);
    }
    for (int64_t j = 0; good && j < count; j++) {
        bool asked = !wanted || wanted[j];
        open[j] = asked && radius[j] != 0;
        left += open[j];
        if (asked && radius[j] == 0) {
            out[j] = value_of(value[j]);
        }
    }
    if (!good) {
        error_set(error, "out of memory");
    }
    good = good && (left == 0 || climb(e, row, open, count, out, bits, error));
    free(value);
    free(radius);
    free(open);
    return good;
}

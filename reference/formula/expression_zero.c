/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Which elements of an expression are exactly 0: those that no interval tells from their neighbours, as
 * x + value*(y/z) of -1, 1, 3 and value 3, a sum of y*log(y) that cancels, or sin(pi * x) of a whole x. */

#include "reference/formula/expression_arbiter.h"
#include "reference/numeric/exact/exact_form.h"

#include <stdlib.h>
#include <string.h>

/* The nodes as exact forms, beside the arbiter's intervals, which decide comparisons. */
struct exact_nodes {
    struct arbiter *w;
    struct exact_form *node;
    bool *done; /* the node is evaluated, for the current element or the row */
};

static bool is_point(mpfi_srcptr x)
{
    return mpfr_equal_p(&x->left, &x->right);
}

/* Returns the argument that a choice, a minimum or a maximum takes; −1 if that is undecided. */
static int chosen(const struct exact_nodes *x, const struct node *node)
{
    mpfi_srcptr a = x->w->node[node->arg[0]], b = node->arg[1] < 0 ? NULL : x->w->node[node->arg[1]];
    if (node->kind == NODE_SELECT) {
        return !is_point(a) ? -1 : mpfr_zero_p(&a->left) ? node->arg[2] : node->arg[1];
    }
    if (mpfr_lessequal_p(&a->right, &b->left) || mpfr_lessequal_p(&b->right, &a->left)) {
        bool less = mpfr_lessequal_p(&a->right, &b->left);
        return less == (node->kind == NODE_MIN) ? node->arg[0] : node->arg[1];
    }
    return -1;
}

static bool is_zero(const struct exact_form *x)
{
    return exact_form_is_rational(x) && mpq_sgn(x->rational) == 0;
}

static void take_function(struct exact_form *out, enum node_kind kind, const struct exact_form *x)
{
    const bool zero = is_zero(x);
    struct exact_form more;
    mpq_t one;
    exact_form_init(&more);
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    switch (kind) {
    case NODE_LOG:
        exact_form_log(out, x);
        break;
    case NODE_LOG1P:
        mpq_set(more.rational, one);
        exact_form_add(&more, one, x);
        exact_form_log(out, &more);
        break;
    case NODE_SQRT:
        exact_form_sqrt(out, x);
        break;
    case NODE_RSQRT:
        exact_form_sqrt(&more, x);
        mpq_set(out->rational, one);
        if (more.known && mpq_sgn(more.rational) != 0) {
            mpq_div(out->rational, out->rational, more.rational);
        } else {
            exact_form_forget(out);
        }
        break;
    case NODE_EXP:
    case NODE_EXP2:
    case NODE_COS:
        mpq_set(out->rational, one);
        out->known = zero;
        break;
    case NODE_EXPM1:
    case NODE_SIN:
    case NODE_TAN:
    case NODE_TANH:
    case NODE_ATAN:
    case NODE_ERF:
        out->known = zero;
        break;
    default:
        exact_form_forget(out);
    }
    exact_form_clear(&more);
    mpq_clear(one);
}

/* Whether node i is π times a whole number, where a sine is 0. */
static bool is_whole_times_pi(const struct exact_nodes *x, int i)
{
    const int factor = node_times_pi(x->w->e, i);
    return factor >= 0 && exact_form_is_rational(&x->node[factor]) &&
           mpz_cmp_ui(mpq_denref(x->node[factor].rational), 1) == 0;
}

/* a·b, or a/b. Where a is 0, so is the result beside any finite b, which of a quotient must not be 0. */
static void take_product(struct exact_nodes *x, struct exact_form *out, const struct node *node)
{
    const struct exact_form *a = &x->node[node->arg[0]], *b = &x->node[node->arg[1]];
    const bool divides = node->kind == NODE_DIVIDE;
    exact_form_multiply(out, a, b, divides);
    if (out->known) {
        return;
    }
    for (int k = 0; k < (divides ? 1 : 2); k++) {
        mpfi_srcptr other = x->w->node[node->arg[1 - k]];
        if (is_zero(&x->node[node->arg[k]]) && mpfi_bounded_p(other) && !(divides && mpfi_has_zero(other))) {
            exact_form_set_double(out, 0);
            out->known = true;
        }
    }
}

/* Node i, whose arguments are there. */
static void take_node(struct exact_nodes *x, int i, int64_t element)
{
    const struct node *node = &x->w->e->node[i];
    const struct exact_form *a = node->arg[0] < 0 ? NULL : &x->node[node->arg[0]],
                            *b = node->arg[1] < 0 ? NULL : &x->node[node->arg[1]];
    struct exact_form *out = &x->node[i];
    mpfi_srcptr enclosure = x->w->node[i];
    int from;
    mpq_t sign;
    mpq_init(sign);
    mpq_set_si(sign, 1, 1);
    exact_form_set_double(out, 0);
    switch (node->kind) {
    case NODE_CONSTANT:
        if (node->digits) {
            exact_form_set_decimal(out, node->digits);
        } else {
            exact_form_set_double(out, node->low);
        }
        break;
    case NODE_INPUT:
        exact_form_set_double(out, arbiter_given(x->w, node, element));
        break;
    case NODE_COUNT:
        exact_form_set_double(out, (double)x->w->row->n);
        break;
    case NODE_ADD:
    case NODE_SUBTRACT:
        exact_form_set(out, a);
        mpq_set_si(sign, node->kind == NODE_ADD ? 1 : -1, 1);
        exact_form_add(out, sign, b);
        break;
    case NODE_NEGATE:
        mpq_set_si(sign, -1, 1);
        exact_form_add(out, sign, a);
        break;
    case NODE_ABS:
        mpq_set_si(sign, mpfr_sgn(&x->w->node[node->arg[0]]->left) >= 0 ? 1 : -1, 1);
        exact_form_add(out, sign, a);
        out->known =
            out->known &&
            mpfr_sgn(&x->w->node[node->arg[0]]->left) * mpfr_sgn(&x->w->node[node->arg[0]]->right) >= 0;
        break;
    case NODE_MULTIPLY:
    case NODE_DIVIDE:
        take_product(x, out, node);
        break;
    case NODE_SELECT:
    case NODE_MIN:
    case NODE_MAX:
        from = chosen(x, node);
        if (from < 0) {
            exact_form_forget(out);
        } else {
            exact_form_set(out, &x->node[from]);
        }
        break;
    case NODE_LESS:
    case NODE_LESS_EQUAL:
    case NODE_EQUAL:
    case NODE_NOT_EQUAL:
    case NODE_SIGNBIT:
        exact_form_set_double(out, mpfr_get_d(&enclosure->left, MPFR_RNDN)); /* 1 or 0 */
        out->known = out->known && is_point(enclosure);
        break;
    default:
        take_function(out, node->kind, a);
        out->known = out->known || (node->kind == NODE_SIN && is_whole_times_pi(x, node->arg[0]));
    }
    mpq_clear(sign);
}

/* Evaluates node i of the current element, whose intervals are there, and the arguments that it needs. */
static void take(struct exact_nodes *x, int i, int64_t element)
{
    const struct node *node = &x->w->e->node[i];
    if (x->done[i]) {
        return;
    }
    int from = node->kind == NODE_SELECT ? chosen(x, node) : -1;
    for (int k = 0; k < 3 && node->arg[k] >= 0; k++) {
        bool spared = node->kind == NODE_SELECT && node->arg[k] != from;
        if (!spared) {
            take(x, node->arg[k], element);
        }
    }
    take_node(x, i, element);
    x->done[i] = true;
}

/* Marks the nodes of the elements as not evaluated; nodes of the row stay. */
static void begin_element(struct exact_nodes *x)
{
    for (int i = 0; i < x->w->e->nodes; i++) {
        x->done[i] = x->done[i] && x->w->e->node[i].of_row;
    }
}

static void take_reduction(struct exact_nodes *x, int i)
{
    const struct node *node = &x->w->e->node[i];
    struct exact_form *out = &x->node[i];
    const bool mean = node->kind == NODE_MEAN && x->w->row->n > 0;
    mpq_t share;
    mpq_init(share);
    mpq_set_ui(share, 1, mean ? (unsigned long)x->w->row->n : 1);
    exact_form_set_double(out, 0);
    if (node->kind == NODE_ROW_MAX) {
        exact_form_set_double(out, mpfr_get_d(&x->w->node[i]->left, MPFR_RNDN));
        out->known = out->known && is_point(x->w->node[i]) &&
                     mpfr_cmp_d(&x->w->node[i]->left, mpq_get_d(out->rational)) == 0;
    }
    for (int64_t j = 0; node->kind != NODE_ROW_MAX && out->known && j < x->w->row->n; j++) {
        arbiter_enclose(x->w, node->arg[0], j);
        begin_element(x);
        take(x, node->arg[0], j);
        exact_form_add(out, share, &x->node[node->arg[0]]);
    }
    mpq_clear(share);
    x->done[i] = true;
}

bool arbiter_is_zero(struct arbiter *w, int64_t element)
{
    const struct expression *e = w->e;
    struct exact_nodes x = {.w = w};
    x.node = malloc((size_t)e->nodes * sizeof *x.node);
    x.done = calloc((size_t)e->nodes, sizeof *x.done);
    bool zero = false;
    for (int i = 0; x.node && i < e->nodes; i++) {
        exact_form_init(&x.node[i]);
    }
    if (x.node && x.done) {
        for (int i = 0; i < e->nodes; i++) {
            if (node_reduces(e->node[i].kind)) {
                take_reduction(&x, i);
            } else if (e->node[i].of_row) {
                take(&x, i, 0);
            }
        }
        if (!e->node[e->root].of_row) {
            arbiter_enclose(w, e->root, element);
            begin_element(&x);
            take(&x, e->root, element);
        }
        zero = exact_form_is_zero(&x.node[e->root]);
    }
    for (int i = 0; x.node && i < e->nodes; i++) {
        exact_form_clear(&x.node[i]);
    }
    free(x.node);
    free(x.done);
    return zero;
}

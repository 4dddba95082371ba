/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* An expression in intervals of any precision, and the precision ladder over its elements. */

#include "reference/expression_workspace.h"
#include "reference/ladder.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The nodes at one precision: those of the row, and those of the element in hand. */
struct arbiter {
    const struct expression *e;
    const struct expression_row *row;
    mpfr_prec_t precision;
    mpfi_t *node;
};

static void set_unknown(mpfi_ptr out)
{
    mpfr_set_inf(&out->left, -1);
    mpfr_set_inf(&out->right, 1);
}

/* f of both ends, where f only rises or, `falls`, only falls. */
static void monotone(mpfi_ptr out, mpfi_srcptr x, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), bool falls)
{
    mpfr_srcptr low = falls ? &x->right : &x->left, high = falls ? &x->left : &x->right;
    f(&out->left, low, MPFR_RNDD);
    f(&out->right, high, MPFR_RNDU);
}

/* The hull of x^y over the four corners. */
static void corners_of_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y)
{
    mpfr_t power;
    mpfr_init2(power, mpfr_get_prec(&out->left));
    for (int corner = 0; corner < 4; corner++) {
        mpfr_srcptr a = corner & 1 ? &x->right : &x->left, b = corner & 2 ? &y->right : &y->left;
        mpfr_pow(power, a, b, MPFR_RNDD);
        if (corner == 0 || mpfr_less_p(power, &out->left)) {
            mpfr_set(&out->left, power, MPFR_RNDD);
        }
        mpfr_pow(power, a, b, MPFR_RNDU);
        if (corner == 0 || mpfr_greater_p(power, &out->right)) {
            mpfr_set(&out->right, power, MPFR_RNDU);
        }
    }
    mpfr_clear(power);
}

static void enclose_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y)
{
    bool point = mpfr_equal_p(&x->left, &x->right) && mpfr_equal_p(&y->left, &y->right);
    bool whole = mpfr_equal_p(&y->left, &y->right) && mpfr_integer_p(&y->left);
    bool rising = mpfr_sgn(&x->left) >= 0 || mpfr_sgn(&x->right) < 0;
    if (point || mpfr_sgn(&x->left) > 0 ||
        (whole && rising && (mpfr_sgn(&x->left) != 0 || mpfr_sgn(&y->left) > 0))) {
        corners_of_pow(out, x, y);
    } else if (whole && mpfr_sgn(&y->left) > 0) { /* x on both sides of 0 */
        mpfr_t half;
        mpfr_init2(half, mpfr_get_prec(&y->left));
        mpfr_div_2ui(half, &y->left, 1, MPFR_RNDN);
        corners_of_pow(out, x, y);
        if (mpfr_integer_p(half)) {
            mpfr_set_zero(&out->left, 1);
        }
        mpfr_clear(half);
    } else {
        set_unknown(out);
    }
}

/* 1 where it holds for all of both, 0 where for none, else [0, 1]. */
static void enclose_comparison(mpfi_ptr out, enum node_kind kind, mpfi_srcptr a, mpfi_srcptr b)
{
    bool all, none;
    if (kind == NODE_LESS || kind == NODE_LESS_EQUAL) {
        bool or_equal = kind == NODE_LESS_EQUAL;
        all = or_equal ? mpfr_lessequal_p(&a->right, &b->left) : mpfr_less_p(&a->right, &b->left);
        none = or_equal ? mpfr_greater_p(&a->left, &b->right) : mpfr_greaterequal_p(&a->left, &b->right);
    } else {
        bool apart = mpfr_less_p(&a->right, &b->left) || mpfr_greater_p(&a->left, &b->right);
        bool same = mpfr_equal_p(&a->left, &a->right) && mpfr_equal_p(&b->left, &b->right) &&
                    mpfr_equal_p(&a->left, &b->left);
        all = kind == NODE_EQUAL ? same : apart;
        none = kind == NODE_EQUAL ? apart : same;
    }
    mpfr_set_ui(&out->left, all, MPFR_RNDN);
    mpfr_set_ui(&out->right, !none, MPFR_RNDN);
}

static void enclose_least_or_most(mpfi_ptr out, bool most, mpfi_srcptr a, mpfi_srcptr b)
{
    int (*choose)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = most ? mpfr_max : mpfr_min;
    choose(&out->left, &a->left, &b->left, MPFR_RNDD);
    choose(&out->right, &a->right, &b->right, MPFR_RNDU);
}

static void enclose_select(mpfi_ptr out, mpfi_srcptr condition, mpfi_srcptr a, mpfi_srcptr b)
{
    if (!mpfr_zero_p(&condition->left)) {
        mpfi_set(out, a);
    } else if (mpfr_zero_p(&condition->right)) {
        mpfi_set(out, b);
    } else {
        mpfi_union(out, a, b);
    }
}

static void enclose_function(mpfi_ptr out, enum node_kind kind, mpfi_srcptr x)
{
    static int (*const function[NODE_KINDS])(mpfi_ptr, mpfi_srcptr) = {
        [NODE_NEGATE] = mpfi_neg,  [NODE_ABS] = mpfi_abs,   [NODE_SQRT] = mpfi_sqrt,
        [NODE_EXP] = mpfi_exp,     [NODE_EXP2] = mpfi_exp2, [NODE_EXPM1] = mpfi_expm1,
        [NODE_LOG] = mpfi_log,     [NODE_LOG2] = mpfi_log2, [NODE_LOG10] = mpfi_log10,
        [NODE_LOG1P] = mpfi_log1p, [NODE_SIN] = mpfi_sin,   [NODE_COS] = mpfi_cos,
        [NODE_TAN] = mpfi_tan,     [NODE_TANH] = mpfi_tanh};
    if (kind == NODE_ERF || kind == NODE_ERFC) {
        monotone(out, x, kind == NODE_ERF ? mpfr_erf : mpfr_erfc, kind == NODE_ERFC);
    } else if (kind == NODE_RSQRT) {
        monotone(out, x, mpfr_rec_sqrt, true);
    } else {
        function[kind](out, x);
    }
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
        mpfi_set_d(out, w->row->input[node->input][node->of_row ? 0 : element]);
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
        enclose_comparison(out, node->kind, x, y);
        break;
    case NODE_SELECT:
        enclose_select(out, x, y, w->node[node->arg[2]]);
        break;
    default:
        enclose_function(out, node->kind, x);
    }
}

static void enclose_element(const struct arbiter *w, int pass, int64_t element)
{
    const struct node *node = &w->e->node[pass];
    for (int k = 0; k < node->needs; k++) {
        enclose_node(w, node->need[k], element);
    }
}

static void enclose_reduction(const struct arbiter *w, int pass)
{
    const struct node *node = &w->e->node[pass];
    mpfi_ptr out = w->node[pass], term = w->node[node->arg[0]];
    mpfi_set_ui(out, 0);
    if (node->kind == NODE_ROW_MAX) {
        mpfr_set_inf(&out->left, -1);
        mpfr_set_inf(&out->right, -1);
    }
    for (int64_t j = 0; j < w->row->n; j++) {
        enclose_element(w, pass, j);
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
    for (int i = 0; w->node && i < e->nodes; i++) {
        mpfi_init2(w->node[i], precision);
    }
    for (int i = 0; w->node && i < e->nodes; i++) {
        if (node_reduces(e->node[i].kind)) {
            enclose_reduction(w, i);
        } else if (e->node[i].of_row) {
            enclose_node(w, i, 0);
        }
    }
    return w->node != NULL;
}

static void close_arbiter(struct arbiter *w)
{
    for (int i = 0; w->node && i < w->e->nodes; i++) {
        mpfi_clear(w->node[i]);
    }
    free(w->node);
}

/* The result, which lies in the arbiter. */
static mpfi_srcptr result_of(const struct arbiter *w, int64_t element)
{
    if (!w->e->node[w->e->root].of_row) {
        enclose_element(w, w->e->root, element);
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

/* Numbers beyond 2^±FAR, which no type comes near, stand for all that are farther: MPFR has no exponents for
 * some. The sign is the truth's. */
enum { FAR = 1 << 20 };

static bool is_far(mpfi_srcptr x, struct value *out)
{
    bool negative = mpfr_sgn(&x->right) <= 0, point = mpfr_equal_p(&x->left, &x->right);
    mpfr_srcptr near = negative ? &x->right : &x->left, far = negative ? &x->left : &x->right;
    bool one_sign = !mpfi_nan_p(x) && !point && (mpfr_sgn(&x->left) >= 0 || negative);
    bool beyond = one_sign && mpfr_regular_p(near) && mpfr_get_exp(near) > FAR;
    bool vanishes = one_sign && mpfr_regular_p(far) && mpfr_get_exp(far) < -FAR;
    *out = (struct value){.hi = negative ? -1 : 1, .exponent = beyond ? FAR : -FAR};
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
        struct value far;
        bool done = infinite || is_far(result, &far);
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

static bool climb(const struct expression *e, const struct expression_row *row, bool *open, int64_t count,
                  struct value *out, int *bits, struct error *error)
{
    int64_t left = 1;
    for (mpfr_prec_t p = LADDER_START_BITS; left > 0 && p <= LADDER_CAP_BITS; p *= 2) {
        struct arbiter w;
        bool good = open_arbiter(&w, e, row, p);
        left = good ? settle_some(&w, open, count, out, bits) : 0;
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

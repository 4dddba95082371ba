/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/test/attention_case.h"
#include "reference/test/arb.h"

enum { BITS = 900 };
static const char name[] = "scaled_dot_product_attention";

/* Sets weight[j] to e^s of each key that takes part and to 0 elsewhere, and total to their sum. */
static void arb_weights(const struct attention_case *p, int b, int h, int i, arb_ptr weight, arb_t total)
{
    arb_t x;
    arb_init(x);
    arb_zero(total);
    for (int j = 0; j < p->keys; j++) {
        double bias;
        arb_zero(&weight[j]);
        if (!attention_case_takes(p, b, h, i, j, &bias)) {
            continue;
        }
        arb_zero(x);
        for (int d = 0; d < p->width; d++) {
            arb_t q, k;
            arb_init(q);
            arb_init(k);
            arb_set_d(q, attention_case_query(p, b, h, i)[d]);
            arb_set_d(k, attention_case_key(p, b, h, j)[d]);
            arb_addmul(x, q, k, BITS);
            arb_clear(q);
            arb_clear(k);
        }
        arb_t c;
        arb_init(c);
        arb_set_d(c, p->scale);
        if (p->scaled) {
            arb_mul(x, x, c, BITS);
        } else {
            arb_sqrt_ui(c, (ulong)p->width, BITS);
            arb_div(x, x, c, BITS);
        }
        arb_set_d(c, bias);
        arb_add(x, x, c, BITS);
        arb_clear(c);
        arb_exp(&weight[j], x, BITS);
        arb_add(total, total, &weight[j], BITS);
    }
    arb_clear(x);
}

static void compare(const struct attention_case *p, const struct truth *truth)
{
    const struct truth_output *out = &truth->output[0];
    arb_ptr weight = _arb_vec_init(p->keys);
    arb_t total, sum, v;
    arb_init(total);
    arb_init(sum);
    arb_init(v);
    for (int64_t e = 0; e < out->elements; e++) {
        int d = (int)(e % p->value_width), i = (int)(e / p->value_width % p->queries),
            h = (int)(e / p->value_width / p->queries % p->heads),
            b = (int)(e / p->value_width / p->queries / p->heads);
        arb_weights(p, b, h, i, weight, total);
        const double *s = &out->sensitivity[e * out->sensitivities];
        if (arb_is_zero(total)) {
            cr_expect(out->value[e].hi == 0 && s[8] == 1, "an empty row");
            continue;
        }
        arb_zero(sum);
        for (int j = 0; j < p->keys; j++) {
            arb_set_d(v, attention_case_value(p, b, h, j)[d]);
            arb_addmul(sum, &weight[j], v, BITS);
        }
        arb_div(sum, sum, total, BITS);
        expect_near(&out->value[e], out->radius ? out->radius[e] : 0, sum, BITS, name, (double)e, i);
    }
    arb_clear(total);
    arb_clear(sum);
    arb_clear(v);
    _arb_vec_clear(weight, p->keys);
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

/* Masks, causal rows, grouped heads, scales, broadcast masks: certified truths and enclosures. */
Test(attention, agrees_with_arb)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct attention_case p = attention_case_any(dtypes[seed % 4], seed, 9);
        for (int enclosed = 0; enclosed < 2; enclosed++) {
            struct truth *truth = any_truth_of_call(name, &p.attributes, p.inputs - 1, p.input + 1, enclosed);
            compare(&p, truth);
            truth_destroy(&truth);
        }
        attention_case_clear(&p);
    }
}

/* An enclosure of a float32 problem is narrow: beside u·|V|. */
Test(attention, enclosures_are_narrow)
{
    struct attention_case p = {.dtype = DTYPE_FLOAT32,
                               .batch = 1,
                               .heads = 2,
                               .key_heads = 2,
                               .queries = 5,
                               .keys = 130,
                               .width = 33,
                               .value_width = 7};
    attention_case_fill(&p, 1, 1);
    struct truth *truth = any_truth_of_call(name, &p.attributes, 3, p.input + 1, true);
    for (int64_t e = 0; e < truth->output[0].elements; e++) {
        cr_expect_lt(truth->output[0].radius[e], 0x1p-45);
        cr_expect_gt(truth->output[0].radius[e], 0);
    }
    compare(&p, truth);
    struct truth *certain = truth_of_call(name, &p.attributes, 3, p.input + 1);
    const struct op_call call = {.op = op_find(name),
                                 .attributes = &p.attributes,
                                 .inputs = 3,
                                 .input = p.input + 1,
                                 .enclosed = true};
    for (int64_t e = 0; e < truth->output[0].elements; e++) {
        struct error error;
        cr_assert(call.op->certify(&call, truth, 0, e, &error), "%s", error.text);
        cr_expect(truth->output[0].radius[e] == 0 &&
                  truth->output[0].value[e].hi == certain->output[0].value[e].hi &&
                  truth->output[0].value[e].lo == certain->output[0].value[e].lo);
    }
    truth_destroy(&certain);
    truth_destroy(&truth);
    attention_case_clear(&p);
}

/* --- the gradient */

static const char backward[] = "scaled_dot_product_attention_backward";

/* Sums of one problem in balls: gradients of query, key, value and mask, in the layout of the operands. */
struct gradients {
    arb_ptr of[4];
    int64_t count[4];
};

static void add_product(arb_t sum, const arb_t x, double y)
{
    arb_t other;
    arb_init(other);
    arb_set_d(other, y);
    arb_addmul(sum, x, other, BITS);
    arb_clear(other);
}

static void add_row(const struct attention_case *p, int b, int h, int i, struct gradients *g)
{
    arb_ptr weight = _arb_vec_init(p->keys), dp = _arb_vec_init(p->keys);
    arb_t total, d;
    arb_init(total);
    arb_init(d);
    arb_weights(p, b, h, i, weight, total);
    for (int j = 0; j < p->keys && !arb_is_zero(total); j++) {
        arb_div(&weight[j], &weight[j], total, BITS);
        for (int v = 0; v < p->value_width; v++) {
            arb_t x;
            arb_init(x);
            arb_set_d(x, attention_case_grad(p, b, h, i)[v]);
            add_product(&dp[j], x, attention_case_value(p, b, h, j)[v]);
            arb_clear(x);
        }
        arb_addmul(d, &weight[j], &dp[j], BITS);
    }
    for (int j = 0; j < p->keys && !arb_is_zero(total); j++) {
        double bias;
        if (!attention_case_takes(p, b, h, i, j, &bias)) {
            continue;
        }
        int64_t q = attention_case_query(p, b, h, i) - p->query, k = attention_case_key(p, b, h, j) - p->key,
                v = attention_case_value(p, b, h, j) - p->value;
        for (int e = 0; e < p->value_width; e++) {
            add_product(&g->of[2][v + e], &weight[j], attention_case_grad(p, b, h, i)[e]);
        }
        arb_sub(&dp[j], &dp[j], d, BITS);
        arb_mul(&dp[j], &dp[j], &weight[j], BITS);
        for (int e = 0; e < p->width; e++) {
            add_product(&g->of[0][q + e], &dp[j], attention_case_key(p, b, h, j)[e]);
            add_product(&g->of[1][k + e], &dp[j], attention_case_query(p, b, h, i)[e]);
        }
        if (g->of[3]) {
            int64_t at = attention_case_mask(p, b, h, i, j);
            arb_add(&g->of[3][at], &g->of[3][at], &dp[j], BITS);
        }
    }
    arb_clear(total);
    arb_clear(d);
    _arb_vec_clear(weight, p->keys);
    _arb_vec_clear(dp, p->keys);
}

static void compare_gradients(const struct attention_case *p, const struct truth *truth)
{
    struct gradients g = {.of = {NULL}};
    for (int o = 0; o < truth->outputs; o++) {
        g.count[o] = truth->output[o].elements;
        g.of[o] = _arb_vec_init(g.count[o]);
    }
    for (int row = 0; row < p->batch * p->heads * p->queries; row++) {
        add_row(p, row / p->queries / p->heads, row / p->queries % p->heads, row % p->queries, &g);
    }
    arb_t scale;
    arb_init(scale);
    arb_set_d(scale, p->scale);
    if (!p->scaled) {
        arb_sqrt_ui(scale, (ulong)p->width, BITS);
        arb_inv(scale, scale, BITS);
    }
    for (int o = 0; o < truth->outputs; o++) {
        const struct truth_output *out = &truth->output[o];
        for (int64_t e = 0; e < g.count[o]; e++) {
            if (o < 2) {
                arb_mul(&g.of[o][e], &g.of[o][e], scale, BITS);
            }
            arb_t floor; /* what is below 2^-250 counts as 0 in this comparison */
            arb_init(floor);
            arb_set_d(floor, 0x1p-250);
            if (out->value[e].hi == 0 && out->value[e].class == VALUE_FINITE) {
                arb_abs(&g.of[o][e], &g.of[o][e]);
                cr_expect(arb_lt(&g.of[o][e], floor), "output %d, element %d is not 0", o, (int)e);
            } else {
                expect_near(&out->value[e], out->radius ? out->radius[e] : 0, &g.of[o][e], BITS, backward,
                            (double)e, o);
            }
            arb_clear(floor);
        }
        _arb_vec_clear(g.of[o], g.count[o]);
    }
    arb_clear(scale);
}

Test(attention, gradients_agree_with_arb)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct attention_case p = attention_case_any(dtypes[seed % 4], seed, 6);
        for (int enclosed = 0; enclosed < 2; enclosed++) {
            struct truth *truth = any_truth_of_call(backward, &p.attributes, p.inputs, p.input, enclosed);
            cr_expect_eq(truth->outputs, 3 + (p.mask == MASK_FINITE || p.mask == MASK_INFINITE));
            compare_gradients(&p, truth);
            truth_destroy(&truth);
        }
        attention_case_clear(&p);
    }
}

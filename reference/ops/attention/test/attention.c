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

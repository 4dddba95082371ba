/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of legal programs lie within the bound and within the envelope: random problems, each in a form
 * that is drawn at random. */

#include "reference/ops/attention/test/attention_forms.h"

static struct profile profile_for(bool low)
{
    struct profile profile = profile_ieee();
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    if (!low) {
        profile.attention_probabilities[DTYPE_FLOAT16] = DTYPE_FLOAT32;
        profile.attention_probabilities[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    }
    return profile;
}

/* The greatest shares of the limits that were used. */
struct used {
    double bound, reach, deviation;
    int64_t elements;
};

static void judge(const char *op, const struct attention_case *p, const struct profile *profile,
                  const struct truth *truth, int output, const double *got, struct used *used, uint64_t seed)
{
    const struct truth_output *out = &truth->output[output];
    double squares = 0;
    int64_t random = 0;
    for (int64_t e = 0; e < out->elements; e++) {
        struct bound_query query = {.op = op_find(op),
                                    .profile = profile,
                                    .attributes = &p->attributes,
                                    .truth = truth,
                                    .output = output,
                                    .element = e};
        struct accept accept;
        unsigned char bytes[8];
        op_accept(&query, &accept);
        dtype_store(out->dtype, bytes, got[e]);
        struct accept_verdict verdict = accept_judge(&accept, bytes);
        cr_expect(verdict.accepted, "seed %d, %s, output %d, element %d: %g for %g, error over bound %g",
                  (int)seed, dtype_info(p->dtype)->name, output, (int)e, got[e], out->value[e].hi,
                  verdict.error_over_bound);
        used->bound = fmax(used->bound, verdict.error_over_bound);
        struct envelope_limit limit;
        op_envelope(&query, &limit);
        if (!limit.known || isnan(got[e])) {
            continue;
        }
        double error = fabs(value_distance(&out->value[e], got[e])), reach = envelope_limit_reach(&limit);
        cr_expect(error <= reach, "seed %d, %s, output %d, element %d: error %g beyond %g", (int)seed,
                  dtype_info(p->dtype)->name, output, (int)e, error, reach);
        used->reach = fmax(used->reach, reach > 0 ? error / reach : 0);
        double beyond = fmax(0, error - limit.certain);
        squares += limit.spread > 0 ? beyond / limit.spread * (beyond / limit.spread) : 0;
        random += limit.spread > 0;
        used->elements++;
    }
    double deviation = random ? sqrt(squares / (double)random) : 0;
    cr_expect_leq(deviation, 2, "seed %d, output %d", (int)seed, output);
    used->deviation = fmax(used->deviation, deviation);
}

static void forward(uint64_t first, uint64_t count)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32};
    struct used used = {0};
    for (uint64_t seed = first; seed < first + count; seed++) {
        enum dtype dtype = seed % 64 == 0 ? DTYPE_FLOAT64 : dtypes[seed % 4];
        struct attention_case p = attention_case_any(dtype, seed, seed % 16 == 1 ? 40 : 9);
        const bool low = seed / 4 % 2;
        struct profile profile = profile_for(low);
        struct attention_form form = attention_form_any(&p, seed, low);
        form.logarithm = false; /* such probabilities do not add up to 1 */
        double *got = malloc(sizeof *got * (size_t)(p.batch * p.heads * p.queries * p.value_width));
        cr_assert(got);
        attention_form_forward(&p, &form, got);
        struct truth *truth =
            any_truth_of_call("scaled_dot_product_attention", &p.attributes, p.inputs - 1, p.input + 1, true);
        judge("scaled_dot_product_attention", &p, &profile, truth, 0, got, &used, seed);
        truth_destroy(&truth);
        free(got);
        attention_case_clear(&p);
    }
    cr_expect_gt(used.elements, (int64_t)count);
    cr_log_info("attention: %d elements, error over bound %.3g, over reach %.3g, T %.3g", (int)used.elements,
                used.bound, used.reach, used.deviation);
}

Test(legal_attention, forms_of_attention)
{
    forward(0, 600);
}

Test(legal_attention, forms_of_attention_slow)
{
    forward(1000, problems_asked(20000));
}

/* Makes a quarter of an operand's elements subnormal in the tensor, and 0 in half of these places of the
 * numbers that the form reads. */
static void flush_some(struct attention_case *p, struct philox *g, int operand, double *x)
{
    struct tensor *tensor = &p->input[operand];
    const struct shape shape = tensor->shape;
    const double least = dtype_least_subnormal(p->dtype), normal = dtype_least_normal(p->dtype);
    for (int64_t e = 0; e < shape_elements(&shape); e++) {
        if (philox_below(g, 4) == 0) {
            x[e] = copysign(fmax(least, floor(philox_unit(g) * normal / least) * least), x[e]);
        }
    }
    tensor_destroy(tensor);
    *tensor = tensor_from(p->dtype, shape, x);
    for (int64_t e = 0; e < shape_elements(&shape); e++) {
        x[e] = fabs(x[e]) < normal && philox_below(g, 2) ? 0 : x[e];
    }
}

static void backward(uint64_t first, uint64_t count, bool flushed)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32};
    static const char op[] = "scaled_dot_product_attention_backward";
    struct used used = {0};
    for (uint64_t seed = first; seed < first + count; seed++) {
        enum dtype dtype = seed % 64 == 0 ? DTYPE_FLOAT64 : dtypes[seed % 4];
        struct attention_case p = attention_case_any(dtype, seed, seed % 16 == 1 ? 30 : 8);
        const bool low = seed / 4 % 2;
        struct profile profile = profile_for(low);
        struct attention_form form = attention_form_any(&p, seed, low);
        double *const operand[] = {p.grad, p.query, p.key, p.value};
        for (int k = 0; k < 4 && flushed; k++) {
            struct philox g;
            philox_start(&g, 8 * seed + (uint64_t)k);
            profile.subnormals[dtype] = SUBNORMALS_MAY_FLUSH;
            flush_some(&p, &g, k, operand[k]);
        }
        struct truth *truth = any_truth_of_call(op, &p.attributes, p.inputs, p.input, true);
        double *got[4] = {NULL};
        int64_t counts[4] = {0};
        for (int o = 0; o < truth->outputs; o++) {
            counts[o] = truth->output[o].elements;
            got[o] = malloc(sizeof *got[o] * (size_t)(counts[o] + 1));
            cr_assert(got[o]);
        }
        attention_form_backward(&p, &form, got, counts);
        for (int o = 0; o < truth->outputs; o++) {
            judge(op, &p, &profile, truth, o, got[o], &used, seed);
            free(got[o]);
        }
        truth_destroy(&truth);
        attention_case_clear(&p);
    }
    cr_expect_gt(used.elements, (int64_t)count);
    cr_log_info("gradient: %d elements, error over bound %.3g, over reach %.3g, T %.3g", (int)used.elements,
                used.bound, used.reach, used.deviation);
}

Test(legal_attention, forms_of_the_gradient)
{
    backward(0, 400, false);
}

Test(legal_attention, forms_of_the_gradient_slow)
{
    backward(1000, problems_asked(20000), false);
}

Test(legal_attention, gradients_of_flushed_operands)
{
    backward(0, 400, true);
}

Test(legal_attention, gradients_of_flushed_operands_slow)
{
    backward(1000, problems_asked(20000), true);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Enclosures of gradients of normalizations against the certified truth. */

#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/test/normalization_enclosure.h"

/* The data of dy: the kinds of x, and kinds for which the gradient cancels. */
enum gradient_data { LIKE_X = DATA, ZEROS, ONES, INTEGERS, GRADIENTS };

struct kind {
    const char *op;
    bool running; /* [dy, x, mean, variance, weight?], else [dy, x, weight?] */
    struct attributes attributes;
};

static struct kind kind_of(int which, double eps)
{
    struct attribute shape = {
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {INNER}}};
    struct attribute e = number("eps", eps);
    switch (which) {
    case 0:
        return (struct kind){"layer_norm_backward", false, {2, {shape, e}}};
    case 1:
        return (struct kind){"rms_norm_backward", false, {2, {shape, e}}};
    case 2:
        return (struct kind){
            "group_norm_backward", false, {2, {count_of("num_groups", ATTRIBUTE_INTEGER, 2), e}}};
    case 3:
        return (struct kind){"instance_norm_backward", false, {1, {e}}};
    case 4:
        return (struct kind){"batch_norm_backward", true, {2, {count_of("training", ATTRIBUTE_BOOL, 1), e}}};
    default:
        return (struct kind){"batch_norm_backward", true, {2, {count_of("training", ATTRIBUTE_BOOL, 0), e}}};
    }
}
enum { KINDS = 6 };

static void fill_gradient(double *dy, const double *x, int data, enum dtype dtype, struct philox *generator)
{
    if (data < DATA) {
        fill(dy, (enum data)data, dtype, generator);
    }
    for (int64_t i = 0; i < COUNT && data >= DATA; i++) {
        dy[i] = data == LIKE_X  ? x[i]
                : data == ZEROS ? i % 3 ? 0 : philox_signed(generator)
                : data == ONES ? 1
                                : (double)philox_below(generator, 9) - 4;
    }
}

static bool is_sum_of_signs(int output, int k) /* the mean: to nearest, no bound */
{
    return output == 0 && k == GROUP_MEAN;
}

/* Returns the number of elements with a radius; the others must equal the certified ones. */
static int64_t hold(const struct truth *certified, const struct truth *within, int o, const char *what)
{
    const struct truth_output *truth = &certified->output[o], *enclosed = &within->output[o];
    int64_t count = 0;
    cr_assert_not_null(enclosed->radius, "%s", what);
    for (int64_t e = 0; e < truth->elements; e++) {
        const struct value *v = &truth->value[e], *w = &enclosed->value[e];
        const double *s = &truth->sensitivity[e * truth->sensitivities],
                     *t = &enclosed->sensitivity[e * enclosed->sensitivities];
        double radius = hold_value(truth, enclosed, e, o, what), all = 0;
        bool same = v->open == w->open && (radius > 0 || v->exact == w->exact);
        cr_assert(same, "%s, output %d, element %lld", what, o, (long long)e);
        cr_assert(radius <= 0x1p-20 * dtype_unit_roundoff(truth->dtype) * fabs(v->hi),
                  "%s, output %d, element %lld: %g within %g", what, o, (long long)e, v->hi, radius);
        for (int k = 0; k < truth->sensitivities; k++) {
            all += isfinite(s[k]) ? s[k] : 0;
        }
        for (int k = 0; radius > 0 && k < truth->sensitivities; k++) {
            double slack = 0x1p-30 * s[k] + 0x1p-60 * all * (1 + all);
            bool close =
                t[k] == s[k] || (isnan(s[k]) && isnan(t[k])) ||
                (t[k] >= s[k] * (1 - (is_sum_of_signs(o, k) ? 0x1p-30 : 0x1p-44)) && t[k] - s[k] <= slack);
            cr_assert(close || (is_sum_of_signs(o, k) && fabs(t[k] - s[k]) <= slack),
                      "%s, output %d, sensitivity %d of element %lld: %a and %a", what, o, k, (long long)e,
                      s[k], t[k]);
        }
        count += radius > 0;
    }
    return count;
}

/* `certify` gives the element of the certified truth. */
static void certify_some(const struct op_call *call, const struct truth *certified, struct truth *within,
                         const char *what)
{
    struct error error = {.text = ""};
    for (int o = 0; o < within->outputs; o++) {
        for (int64_t e = 0; e < within->output[o].elements; e += 7) {
            const struct truth_output *truth = &certified->output[o], *enclosed = &within->output[o];
            const struct value *v = &truth->value[e], *w = &enclosed->value[e];
            int count = truth->sensitivities;
            cr_assert(call->op->certify(call, within, o, e, &error), "%s", error.text);
            cr_assert(v->class == w->class && v->hi == w->hi && v->lo == w->lo && v->exact == w->exact &&
                          enclosed->radius[e] == 0,
                      "%s, output %d, element %lld", what, o, (long long)e);
            cr_assert_arr_eq(&truth->sensitivity[e * count], &enclosed->sensitivity[e * count],
                             (size_t)count * sizeof(double));
        }
    }
}

static int64_t compare(const struct kind *kind, enum dtype dtype, enum data data, int gradient, uint64_t seed)
{
    double x[COUNT], dy[COUNT], parameter[3][COUNT];
    struct tensor input[5] = {{.data = NULL}};
    struct philox generator;
    char what[160];
    int inputs = kind->running ? 5 : 3;
    bool rows = kind->attributes.item[0].type == ATTRIBUTE_INTEGERS; /* statistics of the last dimension */
    struct shape shape = shape_of(3, (int64_t)BATCH, (int64_t)CHANNELS, (int64_t)INNER);
    philox_start(&generator, seed);
    fill(x, data, dtype, &generator);
    fill_gradient(dy, x, gradient, dtype, &generator);
    input[0] = tensor_from(dtype, shape, dy);
    input[1] = tensor_from(dtype, shape, x);
    for (int i = 2; i < inputs; i++) {
        for (int k = 0; k < COUNT; k++) {
            double u = philox_signed(&generator);
            parameter[i - 2][k] = i == 3 ? fabs(u) : i + 1 == inputs && seed % 4 == 1 ? 1 : k == 2 ? 0 : u;
        }
        input[i] = tensor_from(dtype, shape_of(1, (int64_t)(rows ? INNER : CHANNELS)), parameter[i - 2]);
    }
    if (seed % 4 == 3) { /* without a scale: dx alone */
        tensor_destroy(&input[--inputs]);
    }
    snprintf(what, sizeof what, "%s of %s, data %d, gradient %d, seed %llu", kind->op,
             dtype_info(dtype)->name, (int)data, gradient, (unsigned long long)seed);
    struct truth *truth = truth_within(kind->op, &kind->attributes, inputs, input, false),
                 *enclosed = truth_within(kind->op, &kind->attributes, inputs, input, true);
    int64_t within = 0;
    for (int o = 0; o < truth->outputs; o++) {
        within += hold(truth, enclosed, o, what);
    }
    const struct op_call call = {.op = op_find(kind->op),
                                 .attributes = &kind->attributes,
                                 .inputs = inputs,
                                 .input = input,
                                 .enclosed = true};
    if (seed % 5 == 0) {
        certify_some(&call, truth, enclosed, what);
    }
    truth_destroy(&truth);
    truth_destroy(&enclosed);
    for (int i = 0; i < inputs; i++) {
        tensor_destroy(&input[i]);
    }
    return within;
}

static int64_t compare_all(uint64_t rounds)
{
    int64_t within = 0;
    for (int which = 0; which < KINDS; which++) {
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            for (int data = 0; data < DATA; data++) {
                for (uint64_t round = 0; round < rounds; round++) {
                    const struct kind kind = kind_of(which, round % 3 == 2 ? 0 : round % 3 ? 1e-5 : 100);
                    int gradient = (int)((round * 5 + (uint64_t)data) % GRADIENTS);
                    within += compare(&kind, dtypes[d], (enum data)data, gradient, round);
                }
            }
        }
    }
    return within;
}

Test(normalization_gradient_enclosure, holds_the_truth)
{
    int64_t all = (int64_t)KINDS * 4 * DATA * 4 * COUNT;
    cr_assert_gt(compare_all(4), all / 3); /* the others are certified */
}

/* 6 operators, 4 dtypes, 8 kinds of data, 24 rounds of 216: 1 million elements of dx. */
Test(normalization_gradient_enclosure, holds_a_million_truths_and_takes_seconds)
{
    compare_all(24);
}

/* Long groups: the rounding errors of sums of many terms. */
Test(normalization_gradient_enclosure, holds_long_rows)
{
    enum { ROWS = 2, LENGTH = 5000 };
    double *x = malloc(2 * ROWS * LENGTH * sizeof *x);
    struct philox generator;
    philox_start(&generator, 9);
    for (int i = 0; i < 2 * ROWS * LENGTH; i++) {
        x[i] = philox_signed(&generator) * ldexp(1, (int)philox_below(&generator, 40) - 20);
    }
    struct shape shape = shape_of(2, (int64_t)ROWS, (int64_t)LENGTH);
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT64, shape, x),
                              tensor_from(DTYPE_FLOAT64, shape, x + ROWS * LENGTH)};
    struct attributes attributes = {
        1, {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {1, {LENGTH}}}}};
    struct truth *truth = truth_within("layer_norm_backward", &attributes, 2, input, false),
                 *enclosed = truth_within("layer_norm_backward", &attributes, 2, input, true);
    cr_assert_gt(hold(truth, enclosed, 0, "long rows"), ROWS * LENGTH * 9 / 10);
    truth_destroy(&truth);
    truth_destroy(&enclosed);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    free(x);
}

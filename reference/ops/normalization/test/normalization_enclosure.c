/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Enclosures of normalized elements against the certified truth. */

#include "reference/ops/normalization/test/normalization_enclosure.h"
#include "reference/numeric/double_double.h"
#include "reference/ops/normalization/normalization_bound.h"

/* Returns the number of elements with a radius; the others must equal the certified ones. */
static int64_t hold(const struct truth_output *truth, const struct truth_output *enclosed, const char *what)
{
    int64_t within = 0;
    cr_assert_not_null(enclosed->radius, "%s", what);
    for (int64_t e = 0; e < truth->elements; e++) {
        const struct value *v = &truth->value[e];
        const double *s = &truth->sensitivity[e * truth->sensitivities],
                     *t = &enclosed->sensitivity[e * enclosed->sensitivities];
        double radius = hold_value(truth, enclosed, e, 0, what);
        cr_assert(radius <=
                  0x1p-60 * fmax(fabs(v->hi), fmax(s[ELEMENT_BIAS], s[ELEMENT_WEIGHT] * s[ELEMENT_NORMAL])));
        within += radius > 0;
        for (int k = 0; radius > 0 && k < FORWARD_SENSITIVITIES; k++) {
            double slack = 0x1p-30 * s[k] + (k == GROUP_MEAN ? 0x1p-90 * s[GROUP_MEAN_ABS] : 0);
            bool close = k == GROUP_MEAN ? fabs(s[k] - t[k]) <= slack : t[k] >= s[k] && t[k] - s[k] <= slack;
            cr_assert(close, "%s, sensitivity %d of element %lld: %a and %a", what, k, (long long)e, s[k],
                      t[k]);
        }
    }
    return within;
}

struct kind {
    const char *op;
    int inputs; /* x, then weight and bias, or running mean and variance before them */
    bool running;
    struct attributes attributes;
};

static struct kind kind_of(int which, double eps)
{
    struct attribute shape = {
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {INNER}}};
    struct attribute e = number("eps", eps);
    switch (which) {
    case 0:
        return (struct kind){"layer_norm", 3, false, {2, {shape, e}}};
    case 1:
        return (struct kind){"rms_norm", 2, false, {2, {shape, e}}};
    case 2:
        return (struct kind){"group_norm", 3, false, {2, {count_of("num_groups", ATTRIBUTE_INTEGER, 2), e}}};
    case 3:
        return (struct kind){"batch_norm", 5, true, {2, {count_of("training", ATTRIBUTE_BOOL, 1), e}}};
    case 4:
        return (struct kind){"batch_norm", 5, true, {2, {count_of("training", ATTRIBUTE_BOOL, 0), e}}};
    case 5:
        return (struct kind){
            "instance_norm", 5, true, {2, {count_of("use_input_stats", ATTRIBUTE_BOOL, 1), e}}};
    default:
        return (struct kind){
            "instance_norm", 5, true, {2, {count_of("use_input_stats", ATTRIBUTE_BOOL, 0), e}}};
    }
}
enum { KINDS = 7 };

/* The running statistics before y. */
static void hold_running(const struct truth *truth, const struct truth *enclosed, const char *what)
{
    for (int o = 0; o + 1 < truth->outputs; o++) {
        for (int64_t e = 0; enclosed->output[o].radius && e < truth->output[o].elements; e++) {
            const struct value *v = &truth->output[o].value[e], *w = &enclosed->output[o].value[e];
            double radius = hold_value(&truth->output[o], &enclosed->output[o], e, o, what);
            cr_assert(radius > 0 || v->exact == w->exact);
            cr_assert(radius <= 0x1p-40 * fabs(v->hi));
        }
    }
}

static int64_t compare(const struct kind *kind, enum dtype dtype, enum data data, uint64_t seed)
{
    double x[COUNT], parameter[4][COUNT];
    struct tensor input[5];
    struct philox generator;
    char what[128];
    bool rows = kind->attributes.item[0].type == ATTRIBUTE_INTEGERS; /* statistics of the last dimension */
    philox_start(&generator, seed);
    fill(x, data, dtype, &generator);
    input[0] = tensor_from(dtype, shape_of(3, (int64_t)BATCH, (int64_t)CHANNELS, (int64_t)INNER), x);
    for (int i = 1; i < kind->inputs; i++) {
        for (int k = 0; k < COUNT; k++) {
            double u = philox_signed(&generator);
            parameter[i - 1][k] = kind->running && i == 2 ? fabs(u) : k == 2 && i > 1 ? 0 : u;
        }
        input[i] = tensor_from(dtype, shape_of(1, (int64_t)(rows ? INNER : CHANNELS)), parameter[i - 1]);
    }
    snprintf(what, sizeof what, "%s of %s, data %d, seed %llu", kind->op, dtype_info(dtype)->name, (int)data,
             (unsigned long long)seed);
    struct truth *truth = truth_within(kind->op, &kind->attributes, kind->inputs, input, false),
                 *enclosed = truth_within(kind->op, &kind->attributes, kind->inputs, input, true);
    int64_t within = hold(&truth->output[truth->outputs - 1], &enclosed->output[truth->outputs - 1], what);
    hold_running(truth, enclosed, what);
    truth_destroy(&truth);
    truth_destroy(&enclosed);
    for (int i = 0; i < kind->inputs; i++) {
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
                    const struct kind kind = kind_of(which, round % 3 == 2 ? 0 : round % 3 ? 1e-5 : 1e-12);
                    within += compare(&kind, dtypes[d], (enum data)data, round);
                }
            }
        }
    }
    return within;
}

Test(normalization_enclosure, holds_the_truth)
{
    int64_t all = (int64_t)KINDS * 4 * DATA * 3 * COUNT;
    cr_assert_gt(compare_all(3), all / 2); /* the others are certified */
}

/* 7 calls, 4 dtypes, 8 kinds of data, 30 rounds of 216: 1.45 million elements. */
Test(normalization_enclosure, holds_a_million_truths_and_takes_seconds)
{
    compare_all(30);
}

Test(normalization_enclosure, pairs_are_as_exact_as_they_say)
{
    struct philox generator;
    mpfr_t exact, x, y;
    mpfr_inits2(400, exact, x, y, (mpfr_ptr)0);
    philox_start(&generator, 4);
    for (int round = 0; round < 20000; round++) {
        struct double_double a = dd_sum(philox_signed(&generator), philox_signed(&generator) * 0x1p-30),
                             b = dd_sum(philox_signed(&generator), philox_signed(&generator) * 0x1p-54);
        a = dd_tidy(a.hi, a.lo);
        b = dd_tidy(b.hi, b.lo + philox_signed(&generator) * 0x1p-60 * b.hi);
        a.lo = philox_signed(&generator) * 0x1p-54 * a.hi;
        const struct double_double got[] = {
            dd_multiply(a, b), dd_over(a, b.hi),
            dd_rsqrt((struct double_double){fabs(a.hi), copysign(a.lo, a.lo * a.hi)})};
        for (int k = 0; k < 3; k++) {
            mpfr_set_d(x, k == 2 ? fabs(a.hi) : a.hi, MPFR_RNDN);
            mpfr_add_d(x, x, k == 2 ? copysign(a.lo, a.lo * a.hi) : a.lo, MPFR_RNDN);
            mpfr_set_d(y, b.hi, MPFR_RNDN);
            if (k == 0) {
                mpfr_add_d(y, y, b.lo, MPFR_RNDN);
                mpfr_mul(exact, x, y, MPFR_RNDN);
            } else if (k == 1) {
                mpfr_div(exact, x, y, MPFR_RNDN);
            } else {
                mpfr_rec_sqrt(exact, x, MPFR_RNDN);
            }
            double size = fabs(mpfr_get_d(exact, MPFR_RNDN));
            mpfr_sub_d(exact, exact, got[k].hi, MPFR_RNDN);
            mpfr_sub_d(exact, exact, got[k].lo, MPFR_RNDN);
            cr_assert_leq(fabs(mpfr_get_d(exact, MPFR_RNDN)), size * (k == 2 ? 0x1p-98 : 0x1p-101),
                          "operation %d", k);
        }
    }
    mpfr_clears(exact, x, y, (mpfr_ptr)0);
}

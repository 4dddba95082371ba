/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row-wise formulas against Arb, special rows, and float32 programs of several forms and orders. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

enum { LENGTH = 40, PRECISION = 2000 };

static struct attributes last_of(const struct op *op)
{
    enum attribute_type type = op_attribute_named(op, "dim")->type;
    return (struct attributes){
        .count = 1,
        .item = {{.name = "dim", .type = type, .integer = -1, .integers = {.count = 1, .item = {-1}}}}};
}

/* Element j of the operator's result by its definition, from Σ exp(±x). */
static void by_definition(const char *name, const double *x, int n, int j, arb_t y)
{
    const double sign = strcmp(name, "softmin") == 0 ? -1 : 1;
    arb_t term, sum;
    arb_init(term);
    arb_init(sum);
    for (int k = 0; k < n; k++) {
        arb_set_d(term, sign * x[k]);
        arb_exp(term, term, PRECISION);
        arb_add(sum, sum, term, PRECISION);
    }
    arb_set_d(y, sign * x[j]);
    if (strcmp(name, "logsumexp") == 0) {
        arb_log(y, sum, PRECISION);
    } else if (strcmp(name, "log_softmax") == 0) {
        arb_log(sum, sum, PRECISION);
        arb_sub(y, y, sum, PRECISION);
    } else {
        arb_exp(y, y, PRECISION);
        arb_div(y, y, sum, PRECISION);
    }
    arb_clear(term);
    arb_clear(sum);
}

static void expect_arbs(const struct truth_output *out, int64_t i, const arb_t y, const char *name, int trial)
{
    const struct value *value = &out->value[i];
    double off = value_distance_log2(value, y);
    double radius = out->radius ? out->radius[i] : 0, size = fabs(value_approximately(value));
    double most = radius > 0 ? log2(radius / size) + 1e-9 : -102;
    cr_expect_leq(off, most, "%s %d, element %lld: 2^%g off, 2^%g allowed", name, trial, (long long)i, off,
                  most);
}

static const char *const names[] = {"logsumexp", "softmax", "softmin", "log_softmax"};

Test(rowwise_formula, truths_are_arbs)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    struct philox g;
    arb_t y;
    arb_init(y);
    philox_start(&g, 23);
    for (int i = 0; i < 480; i++) {
        double x[LENGTH];
        int n = 1 + (int)philox_below(&g, LENGTH);
        double size = (double[]){0x1p-6, 1, 20, 300}[i % 4], offset = (i / 4 % 3 - 1) * 200;
        for (int k = 0; k < n; k++) {
            x[k] = offset + size * (2 * philox_unit(&g) - 1);
            x[k] = i % 7 == 0 ? round(x[k]) : x[k];
        }
        const char *name = names[i / 4 % 4];
        struct tensor input = tensor_from(dtypes[i / 16 % 4], shape_of(1, (int64_t)n), x);
        struct attributes attributes = last_of(op_find(name));
        struct truth *truth = any_truth_of_call(name, &attributes, 1, &input, i % 2);
        for (int k = 0; k < n; k++) {
            x[k] = tensor_component(&input, k);
        }
        for (int64_t e = 0; e < truth->output[0].elements; e++) {
            by_definition(name, x, n, (int)e, y);
            if (arb_contains_zero(y)) { /* log_softmax of one element, logsumexp of 0 */
                cr_expect_eq(truth->output[0].value[e].hi, 0, "%s %d", name, i);
            } else {
                expect_arbs(&truth->output[0], e, y, name, i);
            }
        }
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
    arb_clear(y);
}

/* log(1 + t) for t so small that adding it to 1 would lose it at any precision used here. */
Test(rowwise_formula, what_hardly_differs_from_zero_is_reported)
{
    static const double x[] = {0, -65504};
    struct tensor input = tensor_from(DTYPE_FLOAT16, shape_of(1, (int64_t)2), x);
    arb_t t;
    arb_init(t);
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "log_softmax" : "logsumexp";
        struct attributes attributes = last_of(op_find(name));
        struct truth *truth = truth_of_call(name, &attributes, 1, &input);
        arb_set_d(t, -65504);
        arb_exp(t, t, PRECISION);
        if (k) {
            arb_neg(t, t);
        }
        expect_arbs(&truth->output[0], 0, t, name, 0);
        truth_destroy(&truth);
    }
    arb_clear(t);
    tensor_destroy(&input);
}

Test(rowwise_formula, special_rows)
{
    const double inf = INFINITY;
    static double x[6][3];
    memcpy(x,
           (double[6][3]){
               {-inf, -inf, -inf}, {-inf, 2, -inf}, {inf, 1, 2}, {1, NAN, 2}, {inf, -inf, 0}, {-inf, 3, 3}},
           sizeof x);
    const double whole[6] = {-inf, 2, inf, NAN, inf, NAN}, first[6] = {NAN, 0, NAN, NAN, NAN, 0};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)6, (int64_t)3), &x[0][0]);
    struct attributes list = last_of(op_find("logsumexp")), one = last_of(op_find("softmax"));
    struct truth *sum = truth_of_call("logsumexp", &list, 1, &input),
                 *map = truth_of_call("softmax", &one, 1, &input),
                 *log = truth_of_call("log_softmax", &one, 1, &input);
    for (int r = 0; r < 6; r++) {
        double got = value_approximately(&sum->output[0].value[r]);
        cr_expect(r == 5 || got == whole[r] || (isnan(got) && isnan(whole[r])), "row %d: %g", r, got);
        got = value_approximately(&map->output[0].value[3 * r]);
        cr_expect(got == first[r] || (isnan(got) && isnan(first[r])), "row %d: %g", r, got);
        got = value_approximately(&log->output[0].value[3 * r]);
        cr_expect(isnan(first[r]) ? isnan(got) : got == -inf, "row %d: %g", r, got);
    }
    truth_destroy(&sum);
    truth_destroy(&map);
    truth_destroy(&log);
    tensor_destroy(&input);
}

Test(rowwise_formula, a_row_without_a_dimension_is_refused)
{
    const struct shape x = shape_of(2, (int64_t)3, (int64_t)4);
    struct view view = view_contiguous(0, DTYPE_FLOAT32, &x);
    cr_expect(refuses("softmax", NULL, 1, &view, NULL));
    cr_expect_not(refuses("logsumexp", NULL, 1, &view, NULL));
}

/* --- legal programs */

struct running {
    float most, sum;
};

/* A safe sum of exponentials by any tree; or the online form, which carries the running maximum along. */
static struct running gather(const float *x, int n, float most, bool online, struct philox *g)
{
    if (n == 1) {
        return online ? (struct running){x[0], 1} : (struct running){most, expf(x[0] - most)};
    }
    int cut = 1 + (int)philox_below(g, (uint32_t)n - 1);
    struct running a = gather(x, cut, most, online, g), b = gather(x + cut, n - cut, most, online, g);
    float both = a.most > b.most ? a.most : b.most;
    return online ? (struct running){both, a.sum * expf(a.most - both) + b.sum * expf(b.most - both)}
                  : (struct running){most, a.sum + b.sum};
}

static float result(const char *name, float x, const struct running *s)
{
    return strcmp(name, "softmax") == 0     ? expf(x - s->most) / s->sum
           : strcmp(name, "logsumexp") == 0 ? s->most + logf(s->sum)
                                            : (x - s->most) - logf(s->sum);
}

Test(rowwise_formula, no_order_and_no_online_form_is_reported_falsely)
{
    static const char *const asked[] = {"softmax", "logsumexp", "log_softmax"};
    struct profile profile = profile_ieee();
    struct philox g;
    int refused = 0, wrong = 0;
    philox_start(&g, 91);
    for (int i = 0; i < 900; i++) {
        double x[LENGTH];
        float single[LENGTH], most = -INFINITY;
        int n = 2 + (int)philox_below(&g, LENGTH - 1);
        for (int k = 0; k < n; k++) {
            single[k] = (float)((2 * philox_unit(&g) - 1) * (i % 4 == 3 ? 60 : 3));
            x[k] = (double)single[k];
            most = single[k] > most ? single[k] : most;
        }
        const char *name = asked[i % 3];
        struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x);
        struct attributes attributes = last_of(op_find(name));
        struct truth *truth = truth_of_call(name, &attributes, 1, &input);
        struct running s = gather(single, n, most, i / 3 % 2, &g),
                       less = {most, s.sum - expf(single[n - 1] - most)};
        for (int64_t e = 0; e < truth->output[0].elements; e++) {
            struct accept accept = accept_of(name, &attributes, &profile, truth, 0, e, false);
            float got = result(name, single[e], &s), lost = result(name, single[e], &less);
            cr_expect(accepts_double(&accept, (double)got), "%s %d, element %lld: %.9g", name, i,
                      (long long)e, (double)got);
            if (less.sum < s.sum * 0.999F && less.sum > 0) {
                wrong++;
                refused += !accepts_double(&accept, (double)lost);
            }
        }
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
    cr_expect_gt(wrong, 1000);
    cr_expect_geq(refused, wrong * 99 / 100, "%d of %d sums without their last term", refused, wrong);
}

/* Wherever a NaN is, the truth is that of the sum with a 0 in its place. */
Test(rowwise_formula, nansum_counts_nan_as_0)
{
    static const double rows[][4] = {{NAN, 1, 2, 4},
                                     {1, NAN, 2, 0x1p60},
                                     {1, 2, 0x1p-70, NAN},
                                     {NAN, NAN, NAN, NAN},
                                     {NAN, INFINITY, 1, 2},
                                     {1, NAN, -INFINITY, 2},
                                     {INFINITY, NAN, -INFINITY, 0},
                                     {0x1p1023, NAN, 0x1p1023, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double filled[4];
        for (int k = 0; k < 4; k++) {
            filled[k] = isnan(rows[r][k]) ? 0 : rows[r][k];
        }
        struct tensor with = tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)4), rows[r]),
                      without = tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)4), filled);
        struct truth *truth = truth_of_call("nansum", NULL, 1, &with),
                     *sum = truth_of_call("sum", NULL, 1, &without);
        const struct value *got = truth->output[0].value, *wanted = sum->output[0].value;
        cr_expect_eq(got->class, wanted->class, "row %zu", r);
        if (wanted->class == VALUE_FINITE) {
            const double off = value_approximately(got) - value_approximately(wanted);
            cr_expect(off == 0 || (isnan(off) && got->exponent == wanted->exponent), "row %zu", r);
        }
        truth_destroy(&truth);
        truth_destroy(&sum);
        tensor_destroy(&with);
        tensor_destroy(&without);
    }
}

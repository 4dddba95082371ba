/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of softmax and log_softmax against Arb and difference quotients of their forward functions, and
 * float32 programs of both forms and any order. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

enum { LENGTH = 40, PRECISION = 4000 };

static const char *const names[] = {"softmax_backward", "log_softmax_backward"};

static struct attributes last_dimension(void)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = -1}}};
}

/* y·(g − Σ g·y), or g − exp(y)·Σ g, of element j. */
static void by_definition(bool logarithm, const double *g, const double *y, int n, int j, arb_t result)
{
    arb_t term, sum;
    arb_init(term);
    arb_init(sum);
    for (int k = 0; k < n; k++) {
        arb_set_d(term, g[k]);
        if (!logarithm) {
            arb_set_d(result, y[k]);
            arb_mul(term, term, result, PRECISION);
        }
        arb_add(sum, sum, term, PRECISION);
    }
    arb_set_d(term, y[j]);
    arb_set_d(result, g[j]);
    if (logarithm) {
        arb_exp(term, term, PRECISION);
        arb_submul(result, term, sum, PRECISION);
    } else {
        arb_sub(result, result, sum, PRECISION);
        arb_mul(result, result, term, PRECISION);
    }
    arb_clear(term);
    arb_clear(sum);
}

static void fill(struct philox *g, int i, int n, bool logarithm, double *grad, double *y)
{
    double size = (double[]){0x1p-10, 1, 100}[i % 3];
    for (int k = 0; k < n; k++) {
        double part = philox_unit(g);
        grad[k] = size * (2 * philox_unit(g) - 1);
        grad[k] = i % 5 == 0 ? round(grad[k]) : grad[k];
        y[k] = logarithm ? -12 * part : part * part / n;
        y[k] = i % 7 == 0 ? (k == 0 ? !logarithm : logarithm ? -200 : 0) : y[k]; /* one alone has it all */
    }
}

Test(rowwise_formula, gradients_are_arbs)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    struct attributes attributes = last_dimension();
    struct philox g;
    arb_t y;
    arb_init(y);
    philox_start(&g, 31);
    for (int i = 0; i < 480; i++) {
        bool logarithm = i / 4 % 2;
        int n = 1 + (int)philox_below(&g, LENGTH), known = 0;
        double x[2][LENGTH];
        struct tensor input[2];
        fill(&g, i, n, logarithm, x[0], x[1]);
        for (int k = 0; k < 2; k++) {
            input[k] = tensor_from(dtypes[i % 4], shape_of(1, (int64_t)n), x[k]);
            for (int e = 0; e < n; e++) {
                x[k][e] = tensor_component(&input[k], e);
            }
        }
        struct truth *truth = any_truth_of_call(names[logarithm], &attributes, 2, input, i / 8 % 2);
        const struct truth_output *out = &truth->output[0];
        for (int e = 0; e < n; e++) {
            by_definition(logarithm, x[0], x[1], n, e, y);
            if (arb_contains_zero(y)) { /* what cancels exactly */
                cr_expect_eq(out->value[e].hi, 0, "%s %d, element %d", names[logarithm], i, e);
                continue;
            }
            double radius = out->radius ? out->radius[e] : 0,
                   size = fabs(value_approximately(&out->value[e]));
            double off = value_distance_log2(&out->value[e], y);
            cr_expect_leq(off, radius > 0 ? log2(radius / size) + 1e-9 : -102, "%s %d, element %d",
                          names[logarithm], i, e);
            known++;
        }
        cr_expect(known > 0 || n == 1 || i % 7 == 0 || i % 5 == 0, "%s %d tells nothing", names[logarithm],
                  i);
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
    arb_clear(y);
}

/* Returns Σ g·forward(x), whose gradient is tested. */
static long double weighed(bool logarithm, const double *g, const long double *x, int n)
{
    long double sum = 0, all = 0;
    for (int k = 0; k < n; k++) {
        sum += expl(x[k]);
    }
    for (int k = 0; k < n; k++) {
        all += (long double)g[k] * (logarithm ? x[k] - logl(sum) : expl(x[k]) / sum);
    }
    return all;
}

Test(rowwise_formula, gradients_are_those_of_the_forward_functions)
{
    struct attributes attributes = last_dimension();
    struct philox g;
    philox_start(&g, 32);
    for (int i = 0; i < 40; i++) {
        bool logarithm = i % 2;
        int n = 2 + (int)philox_below(&g, 8);
        double grad[LENGTH], y[LENGTH];
        long double x[LENGTH], sum = 0;
        for (int k = 0; k < n; k++) {
            grad[k] = 2 * philox_unit(&g) - 1;
            x[k] = 4 * (long double)philox_unit(&g) - 2;
            sum += expl(x[k]);
        }
        for (int k = 0; k < n; k++) {
            y[k] = (double)(logarithm ? x[k] - logl(sum) : expl(x[k]) / sum);
        }
        struct tensor input[2] = {tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)n), grad),
                                  tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)n), y)};
        struct truth *truth = truth_of_call(names[logarithm], &attributes, 2, input);
        for (int k = 0; k < n; k++) {
            const long double step = 0x1p-20L, at = x[k];
            x[k] = at + step;
            long double above = weighed(logarithm, grad, x, n);
            x[k] = at - step;
            long double quotient = (above - weighed(logarithm, grad, x, n)) / (2 * step);
            x[k] = at;
            cr_expect_float_eq(value_approximately(&truth->output[0].value[k]), (double)quotient, 1e-11,
                               "%s %d, element %d", names[logarithm], i, k);
        }
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* Beside an infinite gradient, a probability that float32 rounds to 0 gives NaN; one that it holds does
 * not. */
Test(rowwise_formula, a_lost_probability_beside_an_infinite_sum)
{
    const double grad[] = {-INFINITY, 1, 1}, y[] = {-0.125, -300, -20};
    struct attributes attributes = last_dimension();
    struct profile profile = profile_ieee();
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), grad),
                              tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), y)};
    struct truth *truth = truth_of_call(names[1], &attributes, 2, input);
    for (int e = 1; e < 3; e++) {
        struct accept accept = accept_of(names[1], &attributes, &profile, truth, 0, e, false);
        cr_expect(accepts_double(&accept, INFINITY));
        cr_expect_eq(accepts_double(&accept, NAN), e == 1, "element %d", e);
        cr_expect_not(accepts_double(&accept, -INFINITY));
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(rowwise_formula, no_program_of_a_gradient_is_reported_falsely_and_one_of_the_input_is)
{
    struct attributes attributes = last_dimension();
    struct profile profile = profile_ieee();
    struct philox g;
    int refused = 0, wrong = 0;
    philox_start(&g, 33);
    for (int i = 0; i < 600; i++) {
        bool logarithm = i % 2;
        int n = 2 + (int)philox_below(&g, LENGTH - 1);
        double x[2][LENGTH];
        float grad[LENGTH], y[LENGTH], term[LENGTH];
        fill(&g, i, n, logarithm, x[0], x[1]);
        for (int k = 0; k < n; k++) {
            grad[k] = (float)x[0][k];
            y[k] = (float)x[1][k];
            term[k] = logarithm ? grad[k] : grad[k] * y[k];
        }
        struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x[0]),
                                  tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x[1])};
        struct truth *truth = truth_of_call(names[logarithm], &attributes, 2, input);
        float sum = by_any_tree(term, n, false, &g);
        for (int e = 0; e < n; e++) {
            struct accept accept = accept_of(names[logarithm], &attributes, &profile, truth, 0, e, false);
            float spread = y[e] * sum, got = logarithm   ? grad[e] - expf(y[e]) * sum
                                             : i / 2 % 2 ? grad[e] * y[e] - spread
                                                         : y[e] * (grad[e] - sum);
            float other = logarithm ? grad[e] - y[e] * sum : expf(y[e]) * (grad[e] - sum);
            cr_expect(accepts_double(&accept, (double)got), "%s %d, element %d: %.9g", names[logarithm], i, e,
                      (double)got);
            if (fabsf(other - got) > 1e-3F * fabsf(got)) {
                wrong++;
                refused += !accepts_double(&accept, (double)other);
            }
        }
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
    cr_expect_gt(wrong, 5000);
    cr_expect_geq(refused, wrong * 99 / 100, "%d of %d of the forward's input", refused, wrong);
}

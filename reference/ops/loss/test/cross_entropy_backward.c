/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of cross_entropy against difference quotients of the definition in Arb; right and wrong
 * float32 programs; special values; refusals. */

#include "reference/ops/loss/loss.h"
#include "reference/ops/loss/test/cross_entropy_problem.h"

enum { PRECISION = 3000, STEP = -1000 /* step of difference quotients, as a power of two */ };
static const char *const name = "cross_entropy_backward";

struct called {
    struct problem m;
    double grad[SAMPLES];
    struct attributes attributes;
    struct tensor input[1 + ENTROPY_OPERANDS];
    struct truth *truth;
};

static void call(struct called *c, const struct problem *m)
{
    c->m = *m;
    c->attributes = entropy_attributes(m);
    const struct shape each = shape_of(1, (int64_t)m->n), scalar = {.rank = 0};
    c->input[0] = tensor_from(m->dtype, m->reduction == LOSS_NONE ? each : scalar, c->grad);
    c->truth = truth_of_call(name, &c->attributes, 1 + entropy_operands(m, c->input + 1), c->input);
}

static void called_clear(struct called *c)
{
    truth_destroy(&c->truth);
    tensor_destroy(&c->input[0]);
    entropy_clear(c->input + 1);
}

static struct called call_of(struct philox *g, int i, bool probable)
{
    struct problem m = entropy_problem(g, i);
    struct called c;
    if (probable) {
        entropy_probable(g, &m);
    }
    if (i % 5 == 4) { /* the divisor of the mean is no double */
        m.dtype = DTYPE_FLOAT64;
        for (int k = 0; k < CLASSES && m.weighs; k++) {
            m.weight[k] = ldexp(0.5 + philox_unit(g) / 2, -40 * k);
        }
    }
    for (int k = 0; k < SAMPLES; k++) {
        c.grad[k] = (double)(float)(0.5 + philox_unit(g));
    }
    call(&c, &m);
    return c;
}

static double grad_of(const struct called *c, int k)
{
    return c->grad[c->m.reduction == LOSS_NONE ? k : 0];
}

/* (loss(x + h) − loss(x − h))/2h of a sample's class, times grad_output, divided by the weights of a mean. */
static void quotient(arb_t y, const struct called *c, int k, int at)
{
    arb_t h, below;
    arb_init(h);
    arb_init(below);
    arb_one(h);
    arb_mul_2exp_si(h, h, STEP);
    entropy_sample(y, &c->m, k, at, h, PRECISION);
    arb_neg(h, h);
    entropy_sample(below, &c->m, k, at, h, PRECISION);
    arb_sub(y, y, below, PRECISION);
    arb_mul_2exp_si(y, y, -STEP - 1);
    arb_set_d(h, grad_of(c, k));
    arb_mul(y, y, h, PRECISION);
    if (c->m.reduction == LOSS_MEAN) {
        entropy_weights(h, &c->m, PRECISION);
        arb_div(y, y, h, PRECISION);
    }
    arb_clear(h);
    arb_clear(below);
}

Test(losses, cross_entropy_backward_is_a_difference_quotient)
{
    struct philox g;
    philox_start(&g, 83);
    int beyond = 0;
    for (int i = 0; i < 960; i++) {
        struct called c = call_of(&g, i, i >= 480);
        arb_t y;
        arb_init(y);
        for (int e = 0; e < c.m.n * CLASSES; e++) {
            const struct value *value = &c.truth->output[0].value[e];
            const int k = e / CLASSES;
            if (!entropy_counts(&c.m, k)) {
                cr_expect_eq(value_approximately(value), 0, "%d, element %d", i, e);
                continue;
            }
            quotient(y, &c, k, e % CLASSES);
            if (arb_contains_zero(y)) { /* of probabilities that are all 0 */
                cr_expect_eq(value_approximately(value), 0, "%d, element %d", i, e);
                continue;
            }
            cr_expect_leq(value_distance_log2(value, y), -100, "%d, element %d", i, e);
        }
        beyond += c.truth->bits < 104;
        arb_clear(y);
        called_clear(&c);
    }
    cr_expect_gt(beyond, 5, "%d", beyond);
}

/* --- programs */

enum mistake { RIGHT, OVER_ALL, UNSMOOTHED, IGNORED_COUNTED, UNWEIGHTED_SUM, LABEL_KEPT, NO_MEAN, MISTAKES };
enum form { BY_LOG, BY_SOFTMAX, IN_REVERSE, FORMS };

static float share(const struct problem *m, int k, int c, float e)
{
    const float w = (float)m->weight[c], y = (float)m->y[k * CLASSES + c];
    const int64_t target = m->target[k] == m->ignore ? 0 : m->target[k];
    if (m->probable) {
        return w * (e > 0 ? (1 - e) * y + e / CLASSES : y);
    }
    return e > 0 ? (c == target ? (1 - e) * w : 0) + e / CLASSES * w : c == target ? w : 0;
}

/* The divisor of a mean; 1 for other reductions. */
static float over(const struct problem *m, enum mistake mistake, enum form form)
{
    float sum = 0;
    for (int k = 0; k < m->n; k++) {
        const int at = form == IN_REVERSE ? m->n - 1 - k : k;
        sum += m->probable ? 1 : entropy_counts(m, at) ? (float)m->weight[m->target[at]] : 0;
    }
    return m->reduction != LOSS_MEAN || mistake == NO_MEAN ? 1 : mistake == OVER_ALL ? (float)m->n : sum;
}

/* The gradient of sample k in float32. */
static void program(const struct called *call, int k, enum mistake mistake, enum form form, float *y)
{
    const struct problem *m = &call->m;
    const float e = mistake == UNSMOOTHED ? 0 : (float)m->smoothing, t = over(m, mistake, form);
    const float grad = (float)grad_of(call, k);
    float greatest = -INFINITY, sum = 0, all = 0, given = 0;
    for (int c = 0; c < CLASSES; c++) {
        greatest = fmaxf(greatest, (float)m->x[k * CLASSES + c]);
        y[c] = 0;
    }
    if (!entropy_counts(m, k) && mistake != IGNORED_COUNTED) {
        return;
    }
    for (int j = 0; j < CLASSES; j++) {
        const int c = form == IN_REVERSE ? CLASSES - 1 - j : j;
        sum += expf((float)m->x[k * CLASSES + c] - greatest);
        all += share(m, k, c, e);
        given += share(m, k, c, e) * (grad / t);
    }
    all = mistake == UNWEIGHTED_SUM ? 1 : all;
    given = mistake == UNWEIGHTED_SUM ? grad / t : given;
    for (int c = 0; c < CLASSES; c++) {
        const float d = (float)m->x[k * CLASSES + c] - greatest;
        const float q = mistake == LABEL_KEPT ? 0 : share(m, k, c, e);
        y[c] = form == BY_LOG ? expf(d - logf(sum)) * given - q * (grad / t)
                              : (expf(d) / sum * all - q) * (grad / t);
    }
}

static bool accepted(const struct called *c, int64_t element, double got)
{
    const struct profile profile = profile_ieee();
    const struct accept accept = accept_of(name, &c->attributes, &profile, c->truth, 0, element, false);
    return accepts_double(&accept, got);
}

/* The envelope of independent roundings covers the error of a program, and is no wider than a few roundings
 * of the label's share and of the softmax. */
static void check_envelope(const struct called *c, int64_t element, float right, int trial)
{
    const struct profile profile = profile_ieee();
    struct bound_query query = {.op = op_find(name),
                                .profile = &profile,
                                .attributes = &c->attributes,
                                .truth = c->truth,
                                .element = element};
    struct envelope_limit limit;
    op_envelope(&query, &limit);
    cr_expect(limit.known, "%d", trial);
    const double y = value_approximately(&c->truth->output[0].value[element]);
    const double reach = envelope_limit_reach(&limit);
    cr_expect_leq(fabs((double)right - y), reach, "%d, element %d", trial, (int)element);
    cr_expect(reach > 0x1p-25 * fabs(y) && reach < 1e-4 * (2.5 + fabs(y)), "%d: %g of %g", trial, reach, y);
}

/* Programs that are right in one of the forms are accepted; wrong ones are refused where they are wrong by
 * more than roundings may be. */
Test(losses, cross_entropy_backward_programs)
{
    struct philox g;
    int asked[MISTAKES] = {0};
    philox_start(&g, 84);
    for (int i = 0; i < 1200; i++) {
        struct called c = call_of(&g, i + i / 4 + 1, i >= 600); /* some in float64 */
        for (int k = 0; k < c.m.n && c.m.dtype == DTYPE_FLOAT32; k++) {
            float right[CLASSES], y[CLASSES];
            for (enum form form = FORMS; form-- > BY_LOG;) {
                program(&c, k, RIGHT, form, right);
                for (int e = 0; e < CLASSES; e++) {
                    cr_expect(accepted(&c, k * CLASSES + e, (double)right[e]), "%d, form %d, %d", i,
                              (int)form, e);
                    check_envelope(&c, k * CLASSES + e, right[e], i);
                }
            }
            for (enum mistake wrong = OVER_ALL; wrong < MISTAKES; wrong++) {
                program(&c, k, wrong, BY_SOFTMAX, y);
                for (int e = 0; e < CLASSES; e++) {
                    if (fabsf(y[e] - right[e]) > 1e-3F * (fabsf(right[e]) + 0.01F)) {
                        cr_expect_not(accepted(&c, k * CLASSES + e, (double)y[e]), "%d, mistake %d", i,
                                      (int)wrong);
                        asked[wrong]++;
                    }
                }
            }
        }
        called_clear(&c);
    }
    for (enum mistake wrong = OVER_ALL; wrong < MISTAKES; wrong++) {
        cr_expect_gt(asked[wrong], 100, "mistake %d: %d", (int)wrong, asked[wrong]);
    }
}

/* --- special values */

static struct called small(int n, double smoothing)
{
    struct called c = {.grad = {1, 1, 1, 1, 1, 1, 1, 1}};
    c.m = (struct problem){.n = n, .dtype = DTYPE_FLOAT32, .smoothing = smoothing, .ignore = -100};
    for (int k = 0; k < CLASSES; k++) {
        c.m.weight[k] = 1;
    }
    return c;
}

/* The gradient of an ignored sample is 0, or autograd's NaN if the sample has no softmax; −inf has a softmax
 * of 0, also as the target. */
Test(losses, cross_entropy_backward_special_values)
{
    for (int smooth = 0; smooth < 2; smooth++) {
        struct called c = small(5, smooth ? 0.5 : 0);
        const int64_t target[] = {-100, -100, 1, 0, 2};
        memcpy(c.m.target, target, sizeof target);
        c.m.x[1] = NAN;
        c.grad[1] = INFINITY;
        c.m.x[2 * CLASSES + 1] = c.m.x[2 * CLASSES + 2] = -INFINITY;
        c.m.x[3 * CLASSES + 4] = INFINITY;
        c.grad[4] = INFINITY;
        call(&c, &c.m);
        cr_expect(accepted(&c, 0, 0) && accepted(&c, 1, NAN) && !accepted(&c, 1, 1));
        cr_expect(accepted(&c, CLASSES, 0) && !accepted(&c, CLASSES, NAN));
        cr_expect(accepted(&c, 2 * CLASSES + 1, smooth ? -0.6 : -1));
        cr_expect(accepted(&c, 2 * CLASSES + 2, smooth ? -0.1 : 0));
        cr_expect(!accepted(&c, 2 * CLASSES + 2, NAN) && !accepted(&c, 2 * CLASSES + 1, 0));
        cr_expect(accepted(&c, 3 * CLASSES, NAN) && !accepted(&c, 3 * CLASSES, 0));
        for (int e = 0; e < CLASSES; e++) {
            const double infinite = e == 2 ? -INFINITY : INFINITY;
            cr_expect(accepted(&c, 4 * CLASSES + e, infinite) && accepted(&c, 4 * CLASSES + e, NAN));
            cr_expect_not(accepted(&c, 4 * CLASSES + e, -infinite), "%d", e);
        }
        called_clear(&c);
    }
}

/* If no target counts, gradients are 0 and not 0/0. Weights of 0 add up to 0: NaN. */
Test(losses, cross_entropy_backward_over_nothing)
{
    for (int ignored = 0; ignored < 2; ignored++) {
        struct called c = small(2, 0);
        c.m.reduction = LOSS_MEAN;
        c.m.weighs = true;
        c.m.weight[0] = 0;
        c.m.target[0] = c.m.target[1] = ignored ? -100 : 0;
        call(&c, &c.m);
        for (int e = 0; e < 2 * CLASSES; e++) {
            cr_expect(accepted(&c, e, ignored ? 0 : (double)NAN) && !accepted(&c, e, 1), "%d", e);
        }
        called_clear(&c);
    }
}

/* 0 where all inputs are equal and the whole label is smoothed; −e^-400 where the softmax is 1. */
Test(losses, cross_entropy_backward_where_it_vanishes)
{
    struct called c = small(2, 1);
    call(&c, &c.m);
    for (int e = 0; e < 2 * CLASSES; e++) {
        cr_expect_eq(c.truth->output[0].value[e].class, VALUE_FINITE);
        cr_expect_eq(value_approximately(&c.truth->output[0].value[e]), 0, "%d", e);
    }
    called_clear(&c);
    c = small(1, 0);
    c.m.x[0] = 400;
    call(&c, &c.m);
    const double y = value_approximately(&c.truth->output[0].value[0]);
    cr_expect_lt(fabs(y + (CLASSES - 1) * exp(-400)), 1e-12 * exp(-400), "%g", y);
    called_clear(&c);
}

/* A finding if the maximum is not subtracted, only under a profile with naive intermediates. */
Test(losses, cross_entropy_backward_naive)
{
    struct profile profile = profile_ieee();
    for (int reduction = LOSS_NONE; reduction <= LOSS_SUM; reduction++) {
        for (int large = 0; large < 2; large++) {
            struct called c = small(1, 0.125);
            c.m.reduction = reduction;
            for (int k = 0; k < CLASSES; k++) {
                c.m.x[k] = k + 200 * large;
            }
            call(&c, &c.m);
            for (int naive = 0; naive < 2; naive++) {
                profile.range = naive ? RANGE_NAIVE : RANGE_SAFE;
                struct bound_query query = {
                    .op = op_find(name), .profile = &profile, .attributes = &c.attributes, .truth = c.truth};
                cr_expect_eq(query.op->naive_may_overflow(&query), large);
                cr_expect_eq(op_range_finding(&query, NULL), naive && large);
            }
            cr_expect_not(accepted(&c, 0, NAN));
            called_clear(&c);
        }
    }
}

Test(losses, cross_entropy_backward_refuses)
{
    struct called c = small(2, 0.5);
    struct view view[1 + ENTROPY_OPERANDS];
    c.m.weighs = true;
    call(&c, &c.m);
    for (int k = 0; k < 1 + ENTROPY_OPERANDS; k++) {
        view[k] = view_contiguous(k, c.input[k].dtype, &c.input[k].shape);
    }
    cr_expect_not(refuses(name, &c.attributes, 4, view, c.input));
    c.attributes.item[0].integer = LOSS_SUM;
    cr_expect(refuses(name, &c.attributes, 4, view, c.input));
    c.attributes.item[0].integer = LOSS_NONE;
    c.attributes.item[2].real = 1.5;
    cr_expect(refuses(name, &c.attributes, 4, view, c.input));
    c.attributes.item[2].real = 0.5;
    dtype_store_integer(DTYPE_INT64, c.input[2].data, CLASSES);
    cr_expect(refuses(name, &c.attributes, 4, view, c.input));
    called_clear(&c);
}

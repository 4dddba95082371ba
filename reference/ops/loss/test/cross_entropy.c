/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy against its definition in Arb; right and wrong float32 programs; refusals. */

#include "reference/ops/loss/loss.h"
#include "reference/ops/loss/test/cross_entropy_problem.h"

enum { PRECISION = 900 };

static void expect(const struct truth_output *out, int64_t i, const arb_t y, int trial)
{
    if (arb_is_zero(y)) {
        cr_expect_eq(value_approximately(&out->value[i]), 0, "%d, element %d", trial, (int)i);
    } else {
        cr_expect_leq(value_distance_log2(&out->value[i], y), -101, "%d, element %d", trial, (int)i);
    }
}

Test(losses, cross_entropy_is_arbs)
{
    struct philox g;
    philox_start(&g, 81);
    for (int i = 0; i < 960; i++) {
        struct problem m = entropy_problem(&g, i);
        if (i >= 480) {
            entropy_probable(&g, &m);
        }
        struct attributes attributes = entropy_attributes(&m);
        struct tensor input[ENTROPY_OPERANDS];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
        arb_t all, one, weights;
        arb_init(all);
        arb_init(one);
        arb_init(weights);
        for (int k = 0; k < m.n; k++) {
            entropy_sample(one, &m, k, 0, NULL, PRECISION);
            arb_add(all, all, one, PRECISION);
            if (m.reduction == LOSS_NONE) {
                expect(&truth->output[0], k, one, i);
            }
        }
        entropy_weights(weights, &m, PRECISION);
        if (m.reduction == LOSS_MEAN && arb_is_zero(weights)) {
            cr_expect(truth->output[0].value[0].class == VALUE_NAN, "%d", i);
        } else if (m.reduction != LOSS_NONE) {
            if (m.reduction == LOSS_MEAN) {
                arb_div(all, all, weights, PRECISION);
            }
            expect(&truth->output[0], 0, all, i);
        }
        arb_clear(all);
        arb_clear(one);
        arb_clear(weights);
        truth_destroy(&truth);
        entropy_clear(input);
    }
}

/* Two samples with one loss, which have weights 1 and −1 and are added up. */
static void oppose(struct problem *m)
{
    m->n = 2;
    m->reduction = LOSS_SUM;
    m->weighs = true;
    m->probable = false;
    m->smoothing = 0;
    m->ignore = -100;
    for (int c = 0; c < CLASSES; c++) {
        m->x[CLASSES + (c < 2 ? 1 - c : c)] = m->x[c];
    }
    for (int k = 0; k < 2; k++) {
        m->target[k] = k;
        m->weight[k] = 1 - 2 * k;
    }
}

/* The certified truth lies within tier 1's radius, which is relatively small, and is the result of `certify`.
 * Losses that cancel in a sum are certified at once. */
Test(losses, cross_entropy_within_radii)
{
    struct philox g;
    int enclosed = 0;
    philox_start(&g, 83);
    for (int i = 0; i < 960; i++) {
        struct problem m = entropy_problem(&g, i);
        if (i >= 480) {
            entropy_probable(&g, &m);
        }
        const bool opposed = i % 7 == 0; /* a loss and its opposite */
        if (opposed) {
            oppose(&m);
        }
        struct attributes attributes = entropy_attributes(&m);
        struct tensor input[ENTROPY_OPERANDS];
        const int inputs = entropy_operands(&m, input);
        struct truth *within = any_truth_of_call("cross_entropy", &attributes, inputs, input, true),
                     *certain = any_truth_of_call("cross_entropy", &attributes, inputs, input, false);
        struct truth_output *out = &within->output[0];
        const struct op_call call = {.op = op_find("cross_entropy"),
                                     .attributes = &attributes,
                                     .inputs = inputs,
                                     .input = input,
                                     .enclosed = true};
        for (int64_t e = 0; e < out->elements; e++) {
            const struct value *a = &out->value[e], *b = &certain->output[0].value[e];
            const double radius = out->radius ? out->radius[e] : 0, size = fabs(b->hi);
            cr_assert_eq(a->class, b->class, "%d", i);
            cr_expect_eq(a->special_input, b->special_input);
            if (a->class == VALUE_FINITE) {
                const double apart = fabs((a->hi - b->hi) + (a->lo - b->lo));
                cr_expect_leq(apart, radius + 0x1p-100 * size, "%d: %g off", i, apart);
                cr_expect_leq(radius, 0x1p-20 * size, "%d", i);
            }
            cr_expect(!opposed || radius == 0, "%d", i);
            enclosed += radius > 0;
            struct error error = {.text = ""};
            if (radius > 0) {
                cr_assert(call.op->certify(&call, within, 0, e, &error), "%s", error.text);
                cr_expect(a->hi == b->hi && a->lo == b->lo && out->radius[e] == 0, "%d", i);
            }
        }
        truth_destroy(&within);
        truth_destroy(&certain);
        entropy_clear(input);
    }
    cr_expect_gt(enclosed, 400, "%d", enclosed);
}

enum mistake { RIGHT, OVER_ALL, UNSMOOTHED, IGNORED_COUNTED, UNWEIGHTED_REST, OVER_WEIGHTS, MISTAKES };

static float log_of_sum(const struct problem *m, int k, bool other, float *greatest)
{
    float sum = 0;
    *greatest = -INFINITY;
    for (int c = 0; c < CLASSES; c++) {
        *greatest = fmaxf(*greatest, (float)m->x[k * CLASSES + c]);
    }
    for (int c = 0; c < CLASSES; c++) {
        sum += expf((float)m->x[k * CLASSES + (other ? CLASSES - 1 - c : c)] - *greatest);
    }
    return logf(sum);
}

/* Shares times surprises; or, in the other form, each log_softmax times the probability, then times the
 * weight. */
static float of_probabilities(const struct problem *m, enum mistake mistake, int k, bool other)
{
    float greatest, log_sum = log_of_sum(m, k, other, &greatest), loss = 0;
    const float e = mistake == UNSMOOTHED ? 0 : (float)m->smoothing;
    for (int c = 0; c < CLASSES; c++) {
        const float x = (float)m->x[k * CLASSES + c], y = (float)m->y[k * CLASSES + c];
        const float q = e > 0 ? (1 - e) * y + e / CLASSES : y;
        const float w = mistake == UNWEIGHTED_REST ? 1 : (float)m->weight[c];
        loss += other ? -(((x - greatest) - log_sum) * q * w) : q * w * (log_sum - (x - greatest));
    }
    return loss;
}

/* A mean in float32; in reverse order with `other`. */
static float program(const struct problem *m, enum mistake mistake, bool other)
{
    float total = 0, weights = 0, e = mistake == UNSMOOTHED ? 0 : (float)m->smoothing;
    for (int s = 0; s < m->n; s++) {
        int k = other ? m->n - 1 - s : s;
        if (m->probable) {
            total += of_probabilities(m, mistake, k, other);
            weights += mistake == OVER_WEIGHTS ? (float)m->weight[0] : 1;
            continue;
        }
        int64_t target = m->target[k];
        if (target == m->ignore) {
            if (mistake != IGNORED_COUNTED) {
                continue;
            }
            target = 0;
        }
        float greatest, rest = 0;
        float log_sum = log_of_sum(m, k, other, &greatest), w = (float)m->weight[target];
        for (int c = 0; c < CLASSES; c++) {
            float of_class = mistake == UNWEIGHTED_REST ? 1 : (float)m->weight[c];
            rest += of_class * (log_sum - ((float)m->x[k * CLASSES + c] - greatest));
        }
        float own = w * (log_sum - ((float)m->x[k * CLASSES + target] - greatest));
        total += e > 0 ? (1 - e) * own + e / CLASSES * rest : own;
        weights += w;
    }
    return total / (mistake == OVER_ALL ? (float)m->n : weights);
}

/* The envelope of independent roundings covers the error of a program, and is no wider than a few
 * roundings. */
static void check_envelope(const struct problem *m, const struct profile *profile, const struct truth *truth,
                           float right, int trial)
{
    struct attributes attributes = entropy_attributes(m);
    struct bound_query query = {
        .op = op_find("cross_entropy"), .profile = profile, .attributes = &attributes, .truth = truth};
    struct envelope_limit limit;
    op_envelope(&query, &limit);
    const double y = value_approximately(&truth->output[0].value[0]);
    if (isfinite(y) && y > 1e-3) {
        cr_expect(limit.known, "%d", trial);
        const double reach = envelope_limit_reach(&limit);
        cr_expect_leq(fabs(right - y), reach, "%d", trial);
        cr_expect(reach > 0x1p-23 * y && reach < 1e-4 * y, "%d: %g of %g", trial, reach, y);
    }
}

/* Wrong programs are refused wherever they differ by more than roundings may. */
Test(losses, cross_entropy_programs)
{
    struct profile profile = profile_ieee();
    struct philox g;
    int asked[MISTAKES] = {0};
    philox_start(&g, 82);
    for (int i = 0; i < 1200; i++) {
        struct problem m = entropy_problem(&g, 1 + 3 * i);
        if (i >= 600) {
            entropy_probable(&g, &m);
        }
        struct attributes attributes = entropy_attributes(&m);
        struct tensor input[ENTROPY_OPERANDS];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
        struct accept accept = accept_of("cross_entropy", &attributes, &profile, truth, 0, 0, false);
        const float right = program(&m, RIGHT, false);
        cr_expect(accepts_double(&accept, (double)right), "%d", i);
        cr_expect(accepts_double(&accept, (double)program(&m, RIGHT, true)), "%d, reversed", i);
        check_envelope(&m, &profile, truth, right, i);
        for (enum mistake k = OVER_ALL; k < MISTAKES; k++) {
            float wrong = program(&m, k, false);
            if (isfinite(right) && fabsf(wrong - right) > 1e-4F * fabsf(right)) {
                cr_expect_not(accepts_double(&accept, (double)wrong), "%d, mistake %d", i, (int)k);
                asked[k]++;
            }
        }
        truth_destroy(&truth);
        entropy_clear(input);
    }
    for (enum mistake k = OVER_ALL; k < MISTAKES; k++) {
        cr_expect_gt(asked[k], 100, "mistake %d: %d", (int)k, asked[k]);
    }
}

/* Exponentials leave the range if the maximum is not subtracted: a finding only under a profile with naive
 * intermediates. */
Test(losses, cross_entropy_naive)
{
    struct profile profile = profile_ieee();
    for (int reduction = LOSS_NONE; reduction <= LOSS_SUM; reduction++) {
        for (int large = 0; large < 2; large++) {
            struct problem m = {
                .dtype = DTYPE_FLOAT32, .n = 2, .reduction = reduction, .ignore = -100, .target = {1, 2}};
            for (int k = 0; k < 2 * CLASSES; k++) {
                m.x[k] = k + (large && k >= CLASSES ? 200 : 0);
            }
            struct attributes attributes = entropy_attributes(&m);
            struct tensor input[ENTROPY_OPERANDS];
            struct truth *truth =
                truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
            const int64_t last = truth->output[0].elements - 1;
            for (int naive = 0; naive < 2; naive++) {
                profile.range = naive ? RANGE_NAIVE : RANGE_SAFE;
                struct bound_query query = {.op = op_find("cross_entropy"),
                                            .profile = &profile,
                                            .attributes = &attributes,
                                            .truth = truth,
                                            .element = last};
                struct accept accept =
                    accept_of("cross_entropy", &attributes, &profile, truth, 0, last, false);
                cr_expect_eq(query.op->naive_may_overflow(&query), large);
                cr_expect_eq(op_range_finding(&query, NULL), naive && large);
                cr_expect_not(accepts_double(&accept, INFINITY));
            }
            truth_destroy(&truth);
            entropy_clear(input);
        }
    }
}

/* Probabilities must have the input's shape and dtype, and none can be ignored. */
Test(losses, cross_entropy_of_probabilities_refuses)
{
    struct problem m = {.dtype = DTYPE_FLOAT32, .n = 2, .weighs = true, .ignore = -100, .probable = true};
    struct attributes attributes = entropy_attributes(&m);
    struct tensor input[ENTROPY_OPERANDS];
    struct view view[ENTROPY_OPERANDS];
    entropy_operands(&m, input);
    for (int k = 0; k < ENTROPY_OPERANDS; k++) {
        view[k] = view_contiguous(k, input[k].dtype, &input[k].shape);
    }
    cr_expect_not(refuses("cross_entropy", &attributes, 3, view, input));
    view[1].dtype = DTYPE_FLOAT64;
    cr_expect(refuses("cross_entropy", &attributes, 3, view, input));
    view[1].dtype = DTYPE_FLOAT32;
    attributes.item[1].integer = 0;
    cr_expect(refuses("cross_entropy", &attributes, 3, view, input));
    attributes.item[1].integer = -1;
    attributes.item[2].real = 1.5;
    cr_expect(refuses("cross_entropy", &attributes, 3, view, input));
    attributes.item[2].real = 1;
    view[1].shape.dim[1]--;
    cr_expect(refuses("cross_entropy", &attributes, 3, view, input));
    view[1].shape.dim[1]++;
    view[2].shape.dim[0]--;
    cr_expect(refuses("cross_entropy", &attributes, 3, view, input));
    entropy_clear(input);
}

Test(losses, cross_entropy_refuses)
{
    struct problem m = {.dtype = DTYPE_FLOAT32,
                        .n = 2,
                        .reduction = LOSS_MEAN,
                        .weighs = true,
                        .ignore = -100,
                        .target = {4, -100}};
    struct attributes attributes = entropy_attributes(&m);
    struct tensor input[ENTROPY_OPERANDS];
    struct view view[3];
    entropy_operands(&m, input);
    for (int k = 0; k < 3; k++) {
        view[k] = view_contiguous(k, input[k].dtype, &input[k].shape);
    }
    cr_expect_not(refuses("cross_entropy", &attributes, 3, view, input));
    for (int64_t wrong = -1; wrong <= CLASSES; wrong += CLASSES + 1) {
        dtype_store_integer(DTYPE_INT64, input[1].data, wrong);
        cr_expect(refuses("cross_entropy", &attributes, 3, view, input), "%d", (int)wrong);
    }
    dtype_store_integer(DTYPE_INT64, input[1].data, 0);
    for (int k = 0; k < 3; k++) {
        const double smoothing[] = {-0.5, 1.5, NAN};
        attributes.item[2].real = smoothing[k];
        cr_expect(refuses("cross_entropy", &attributes, 3, view, input), "%d", k);
    }
    attributes.item[2].real = 1;
    cr_expect_not(refuses("cross_entropy", &attributes, 3, view, input));
    entropy_clear(input);
}

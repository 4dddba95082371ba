/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy beside its definition in Arb; float32 programs, right and wrong ones; what counts for
 * nothing; refusals. */

#include "reference/loss.h"
#include "reference/test/support.h"

enum { SAMPLES = 8, CLASSES = 5, PRECISION = 900 };

struct problem {
    int n, reduction;
    bool weighs;
    double smoothing;
    int64_t ignore, target[SAMPLES];
    double x[SAMPLES * CLASSES], weight[CLASSES];
};

static struct problem problem_of(struct philox *g, int i)
{
    static const double smoothing[] = {0, 0.125, 0.1, 1};
    struct problem m = {.n = 1 + (int)philox_below(g, SAMPLES),
                        .reduction = i % 3,
                        .weighs = i / 3 % 2,
                        .ignore = i / 6 % 2 ? 1 : -100,
                        .smoothing = smoothing[i / 12 % 4]};
    const double size = i / 48 % 2 ? 200 : 8; /* exponentials that leave float32's range, too */
    for (int k = 0; k < m.n; k++) {
        m.target[k] = philox_below(g, 4) == 0 ? m.ignore : (int64_t)philox_below(g, CLASSES);
    }
    for (int k = 0; k < m.n * CLASSES; k++) {
        m.x[k] = (double)(float)(size * (2 * philox_unit(g) - 1));
    }
    for (int c = 0; c < CLASSES; c++) {
        m.weight[c] = m.weighs ? (double)(float)(0.25 + philox_unit(g)) : 1;
    }
    return m;
}

static struct attributes attributes_of(const struct problem *m)
{
    return (struct attributes){
        .count = 3,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .integer = m->reduction, .word = "?"},
                 {.name = "ignore_index", .type = ATTRIBUTE_INTEGER, .integer = m->ignore},
                 {.name = "label_smoothing", .type = ATTRIBUTE_REAL, .real = m->smoothing}}};
}

static int operands_of(const struct problem *m, struct tensor *input)
{
    input[0] = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)m->n, (int64_t)CLASSES), m->x);
    input[1] = tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)m->n), m->target);
    input[2] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)CLASSES), m->weight);
    return 2 + m->weighs;
}

static void clear(struct tensor *input)
{
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

/* Σ_c q_c·w_c·(log Σ exp x − x_c), q the smoothed label: no maximum is taken off. */
static void sample_of(arb_t loss, const struct problem *m, int k)
{
    arb_t sum, term, q;
    arb_init(sum);
    arb_init(term);
    arb_init(q);
    arb_zero(loss);
    for (int c = 0; c < CLASSES; c++) {
        arb_set_d(term, m->x[k * CLASSES + c]);
        arb_exp(term, term, PRECISION);
        arb_add(sum, sum, term, PRECISION);
    }
    arb_log(sum, sum, PRECISION);
    for (int c = 0; c < CLASSES && m->target[k] != m->ignore; c++) {
        arb_set_d(q, m->smoothing);
        arb_div_si(q, q, CLASSES, PRECISION);
        if (c == m->target[k]) {
            arb_set_d(term, m->smoothing);
            arb_sub_si(term, term, 1, PRECISION);
            arb_sub(q, q, term, PRECISION);
        }
        arb_set_d(term, m->weight[c]);
        arb_mul(q, q, term, PRECISION);
        arb_set_d(term, m->x[k * CLASSES + c]);
        arb_sub(term, sum, term, PRECISION);
        arb_mul(term, term, q, PRECISION);
        arb_add(loss, loss, term, PRECISION);
    }
    arb_clear(sum);
    arb_clear(term);
    arb_clear(q);
}

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
    for (int i = 0; i < 480; i++) {
        struct problem m = problem_of(&g, i);
        struct attributes attributes = attributes_of(&m);
        struct tensor input[3];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, operands_of(&m, input), input);
        arb_t all, one, weights;
        arb_init(all);
        arb_init(one);
        arb_init(weights);
        for (int k = 0; k < m.n; k++) {
            sample_of(one, &m, k);
            arb_add(all, all, one, PRECISION);
            if (m.reduction == LOSS_NONE) {
                expect(&truth->output[0], k, one, i);
            }
            arb_set_d(one, m.target[k] == m.ignore ? 0 : m.weight[m.target[k]]);
            arb_add(weights, weights, one, PRECISION);
        }
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
        clear(input);
    }
}

enum mistake { RIGHT, OVER_ALL, UNSMOOTHED, IGNORED_COUNTED, UNWEIGHTED_REST, MISTAKES };

/* A mean by float32; in reverse where `other`. */
static float program(const struct problem *m, enum mistake mistake, bool other)
{
    float total = 0, weights = 0, e = mistake == UNSMOOTHED ? 0 : (float)m->smoothing;
    for (int s = 0; s < m->n; s++) {
        int k = other ? m->n - 1 - s : s;
        int64_t target = m->target[k];
        if (target == m->ignore) {
            if (mistake != IGNORED_COUNTED) {
                continue;
            }
            target = 0;
        }
        float greatest = -INFINITY, sum = 0, rest = 0;
        for (int c = 0; c < CLASSES; c++) {
            greatest = fmaxf(greatest, (float)m->x[k * CLASSES + c]);
        }
        for (int c = 0; c < CLASSES; c++) {
            sum += expf((float)m->x[k * CLASSES + (other ? CLASSES - 1 - c : c)] - greatest);
        }
        float log_sum = logf(sum), w = (float)m->weight[target];
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

/* What independent roundings make reaches as far as a program errs, and no further than a few roundings. */
static void check_envelope(const struct problem *m, const struct profile *profile, const struct truth *truth,
                           float right, int trial)
{
    struct attributes attributes = attributes_of(m);
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

/* Wrong programs are accused wherever they differ by more than roundings may. */
Test(losses, cross_entropy_programs)
{
    struct profile profile = profile_ieee();
    struct philox g;
    int asked[MISTAKES] = {0};
    philox_start(&g, 82);
    for (int i = 0; i < 600; i++) {
        struct problem m = problem_of(&g, 1 + 3 * i);
        struct attributes attributes = attributes_of(&m);
        struct tensor input[3];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, operands_of(&m, input), input);
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
        clear(input);
    }
    for (enum mistake k = OVER_ALL; k < MISTAKES; k++) {
        cr_expect_gt(asked[k], 100, "mistake %d: %d", (int)k, asked[k]);
    }
}

/* Samples that are ignored are 0 whatever they hold; the target's -inf is a loss of inf, another class's one
 * of smoothed labels alone. */
Test(losses, cross_entropy_special_values)
{
    struct problem m = {.n = 4, .ignore = -100, .target = {-100, 1, 0, 2}};
    m.x[0] = NAN;
    m.x[CLASSES + 1] = m.x[2 * CLASSES + 1] = -INFINITY;
    m.x[3 * CLASSES] = INFINITY;
    for (int smooth = 0; smooth < 2; smooth++) {
        m.smoothing = smooth ? 0.5 : 0;
        struct attributes attributes = attributes_of(&m);
        struct tensor input[3];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, operands_of(&m, input), input);
        const struct value *value = truth->output[0].value;
        cr_expect(value[0].class == VALUE_FINITE && value_approximately(&value[0]) == 0);
        cr_expect_eq(value[1].class, VALUE_POSITIVE_INFINITY);
        cr_expect_eq(value[2].class, smooth ? VALUE_POSITIVE_INFINITY : VALUE_FINITE);
        cr_expect_eq(value[3].class, VALUE_NAN);
        truth_destroy(&truth);
        clear(input);
    }
}

/* Exponentials leave the range where no maximum is taken off: a finding under a profile that says so alone.
 */
Test(losses, cross_entropy_naive)
{
    struct profile profile = profile_ieee();
    for (int reduction = LOSS_NONE; reduction <= LOSS_SUM; reduction++) {
        for (int large = 0; large < 2; large++) {
            struct problem m = {.n = 2, .reduction = reduction, .ignore = -100, .target = {1, 2}};
            for (int k = 0; k < 2 * CLASSES; k++) {
                m.x[k] = k + (large && k >= CLASSES ? 200 : 0);
            }
            struct attributes attributes = attributes_of(&m);
            struct tensor input[3];
            struct truth *truth = truth_of_call("cross_entropy", &attributes, operands_of(&m, input), input);
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
                cr_expect_eq(query.op->naive_escapes(&query), large);
                cr_expect_eq(op_range_finding(&query), naive && large);
                cr_expect_not(accepts_double(&accept, INFINITY));
            }
            truth_destroy(&truth);
            clear(input);
        }
    }
}

Test(losses, cross_entropy_refuses)
{
    struct problem m = {.n = 2, .reduction = LOSS_MEAN, .weighs = true, .ignore = -100, .target = {4, -100}};
    struct attributes attributes = attributes_of(&m);
    struct tensor input[3];
    struct view view[3];
    operands_of(&m, input);
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
    clear(input);
}

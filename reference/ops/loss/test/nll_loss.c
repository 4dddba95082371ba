/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss and its gradient against sums and quotients in Arb, sample by sample; ignored targets;
 * refusals. */

#include "reference/ops/loss/loss.h"
#include "reference/test/support.h"

enum { SAMPLES = 12, CLASSES = 4, PRECISION = 600 };

struct problem {
    int n, reduction;
    bool weighs;
    int64_t ignore, target[SAMPLES];
    double x[SAMPLES * CLASSES], weight[CLASSES], grad[SAMPLES];
};

static struct problem problem_of(struct philox *g, int i)
{
    struct problem m = {.n = 1 + (int)philox_below(g, SAMPLES),
                        .reduction = i % 3,
                        .weighs = i / 3 % 2,
                        .ignore = i / 6 % 2 ? 1 : -100};
    for (int k = 0; k < m.n; k++) {
        m.target[k] = philox_below(g, 4) == 0 ? m.ignore : (int64_t)philox_below(g, CLASSES);
        m.grad[k] = (double)(float)(2 * philox_unit(g) - 1);
    }
    for (int k = 0; k < m.n * CLASSES; k++) {
        m.x[k] = (double)(float)(-8 * philox_unit(g));
    }
    for (int c = 0; c < CLASSES; c++) {
        m.weight[c] = m.weighs ? (double)(float)(0.25 + philox_unit(g)) : 1;
    }
    return m;
}

static struct attributes attributes_of(const struct problem *m)
{
    return (struct attributes){
        .count = 2,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .integer = m->reduction, .word = "?"},
                 {.name = "ignore_index", .type = ATTRIBUTE_INTEGER, .integer = m->ignore}}};
}

static int operands_of(const struct problem *m, bool gradient, struct tensor *input)
{
    struct shape samples = shape_of(1, (int64_t)m->n), scalar = {.rank = 0};
    int k = 0;
    if (gradient) {
        input[k++] = tensor_from(DTYPE_FLOAT32, m->reduction ? scalar : samples, m->grad);
    }
    input[k++] = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)m->n, (int64_t)CLASSES), m->x);
    input[k++] = tensor_from_integers(DTYPE_INT64, samples, m->target);
    if (m->weighs) {
        input[k++] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)CLASSES), m->weight);
    }
    return k;
}

static void expect(const struct truth_output *out, int64_t i, const arb_t y, int trial)
{
    double radius = out->radius ? out->radius[i] : 0, size = fabs(value_approximately(&out->value[i]));
    if (arb_is_zero(y)) {
        cr_expect_eq(size, 0, "%d, element %d is %g", trial, (int)i, size);
    } else {
        cr_expect_leq(value_distance_log2(&out->value[i], y), radius > 0 ? log2(radius / size) + 1e-9 : -102,
                      "%d, element %d", trial, (int)i);
    }
}

/* Σ of the weights that count. */
static void total_of(arb_t total, const struct problem *m)
{
    arb_t one;
    arb_init(one);
    arb_zero(total);
    for (int k = 0; k < m->n; k++) {
        arb_set_d(one, m->target[k] == m->ignore ? 0 : m->weight[m->target[k]]);
        arb_add(total, total, one, PRECISION);
    }
    arb_clear(one);
}

/* −w·factor of sample k, or 0. */
static void term_of(arb_t term, const struct problem *m, int k, double factor)
{
    arb_t w;
    arb_init(w);
    arb_set_d(w, m->target[k] == m->ignore ? 0 : -m->weight[m->target[k]]);
    arb_set_d(term, factor);
    arb_mul(term, term, w, PRECISION);
    arb_clear(w);
}

static void check_forward(const struct problem *m, const struct truth_output *out, int trial)
{
    arb_t all, term, total;
    arb_init(all);
    arb_init(term);
    arb_init(total);
    total_of(total, m);
    for (int k = 0; k < m->n; k++) {
        term_of(term, m, k, m->target[k] == m->ignore ? 0 : m->x[k * CLASSES + m->target[k]]);
        arb_add(all, all, term, PRECISION);
        if (m->reduction == LOSS_NONE) {
            expect(out, k, term, trial);
        }
    }
    if (m->reduction == LOSS_MEAN && arb_is_zero(total)) {
        cr_expect(out->value[0].class == VALUE_NAN, "%d", trial);
    } else if (m->reduction != LOSS_NONE) {
        if (m->reduction == LOSS_MEAN) {
            arb_div(all, all, total, PRECISION);
        }
        expect(out, 0, all, trial);
    }
    arb_clear(all);
    arb_clear(term);
    arb_clear(total);
}

static void check_backward(const struct problem *m, const struct truth_output *out, int trial)
{
    arb_t term, total;
    arb_init(term);
    arb_init(total);
    total_of(total, m);
    for (int i = 0; i < m->n * CLASSES; i++) {
        int k = i / CLASSES;
        term_of(term, m, k, m->grad[m->reduction ? 0 : k]);
        if (m->reduction == LOSS_MEAN && !arb_is_zero(total)) {
            arb_div(term, term, total, PRECISION);
        }
        if (i % CLASSES != m->target[k] || m->target[k] == m->ignore) {
            arb_zero(term);
        }
        expect(out, i, term, trial);
    }
    arb_clear(term);
    arb_clear(total);
}

Test(losses, nll_is_arbs)
{
    struct philox g;
    philox_start(&g, 71);
    for (int i = 0; i < 480; i++) {
        struct problem m = problem_of(&g, i);
        struct attributes attributes = attributes_of(&m);
        for (int gradient = 0; gradient < 2; gradient++) {
            struct tensor input[4];
            int inputs = operands_of(&m, gradient, input);
            struct truth *truth = any_truth_of_call(gradient ? "nll_loss_backward" : "nll_loss", &attributes,
                                                    inputs, input, i / 12 % 2);
            (gradient ? check_backward : check_forward)(&m, &truth->output[0], i);
            truth_destroy(&truth);
            for (int k = 0; k < inputs; k++) {
                tensor_destroy(&input[k]);
            }
        }
    }
}

/* Programs with any order of sums are accepted; a mean over the samples in place of the weights is
 * refused. */
Test(losses, nll_programs)
{
    struct profile profile = profile_ieee();
    struct philox g;
    int asked = 0;
    philox_start(&g, 72);
    for (int i = 0; i < 300; i++) {
        struct problem m = problem_of(&g, 1 + 3 * i); /* mean */
        struct attributes attributes = attributes_of(&m);
        struct tensor input[4];
        int inputs = operands_of(&m, false, input);
        struct truth *truth = truth_of_call("nll_loss", &attributes, inputs, input);
        struct accept accept = accept_of("nll_loss", &attributes, &profile, truth, 0, 0, false);
        float sum = 0, total = 0;
        for (int k = m.n; k-- > 0;) {
            float w = m.target[k] == m.ignore ? 0 : (float)m.weight[m.target[k]];
            sum -= m.target[k] == m.ignore ? 0 : w * (float)m.x[k * CLASSES + m.target[k]];
            total += w;
        }
        cr_expect(accepts_double(&accept, (double)(sum / total)), "%d", i);
        if (fabsf(total - (float)m.n) > 0.01F && sum != 0) {
            cr_expect_not(accepts_double(&accept, (double)(sum / (float)m.n)), "%d", i);
            asked++;
        }
        truth_destroy(&truth);
        for (int k = 0; k < inputs; k++) {
            tensor_destroy(&input[k]);
        }
    }
    cr_expect_gt(asked, 100);
}

Test(losses, nll_refuses_targets_and_shapes)
{
    struct problem m = {.n = 2, .reduction = LOSS_MEAN, .weighs = true, .ignore = -100, .target = {3, -100}};
    struct attributes attributes = attributes_of(&m);
    struct tensor input[4];
    struct view view[4];
    operands_of(&m, false, input);
    for (int k = 0; k < 3; k++) {
        view[k] = view_contiguous(k, input[k].dtype, &input[k].shape);
    }
    cr_expect_not(refuses("nll_loss", &attributes, 3, view, input));
    for (int64_t wrong = -1; wrong <= CLASSES; wrong += CLASSES + 1) {
        dtype_store_integer(DTYPE_INT64, input[1].data, wrong);
        cr_expect(refuses("nll_loss", &attributes, 3, view, input), "%d", (int)wrong);
    }
    cr_expect_not(refuses("nll_loss", &attributes, 3, view, NULL)); /* not known yet */
    view[2].shape.dim[0]--;
    cr_expect(refuses("nll_loss", &attributes, 3, view, NULL));
    view[2].shape.dim[0]++;
    view[1].shape.dim[0]++;
    cr_expect(refuses("nll_loss", &attributes, 3, view, NULL));
    view[1].shape.dim[0]--;
    view[1].dtype = DTYPE_INT32;
    cr_expect(refuses("nll_loss", &attributes, 3, view, NULL));
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

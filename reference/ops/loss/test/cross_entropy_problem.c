/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/loss/test/cross_entropy_problem.h"

struct problem entropy_problem(struct philox *g, int i)
{
    static const double smoothing[] = {0, 0.125, 0.1, 1};
    struct problem m = {.n = 1 + (int)philox_below(g, SAMPLES),
                        .reduction = i % 3,
                        .dtype = DTYPE_FLOAT32,
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

void entropy_probable(struct philox *g, struct problem *m)
{
    m->probable = true;
    m->ignore = -100;
    for (int k = 0; k < m->n; k++) {
        double sum = 0, *y = m->y + k * CLASSES;
        for (int c = 0; c < CLASSES; c++) {
            y[c] = philox_below(g, 4) ? philox_unit(g) : 0;
            sum += y[c];
        }
        for (int c = 0; c < CLASSES && sum > 0; c++) {
            y[c] = (double)(float)(y[c] / sum);
        }
    }
}

bool entropy_counts(const struct problem *m, int k)
{
    return m->probable || m->target[k] != m->ignore;
}

struct attributes entropy_attributes(const struct problem *m)
{
    return (struct attributes){
        .count = 3,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .integer = m->reduction, .word = "?"},
                 {.name = "ignore_index", .type = ATTRIBUTE_INTEGER, .integer = m->ignore},
                 {.name = "label_smoothing", .type = ATTRIBUTE_REAL, .real = m->smoothing}}};
}

int entropy_operands(const struct problem *m, struct tensor *input)
{
    input[0] = tensor_from(m->dtype, shape_of(2, (int64_t)m->n, (int64_t)CLASSES), m->x);
    input[1] = m->probable ? tensor_from(m->dtype, input[0].shape, m->y)
                           : tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)m->n), m->target);
    input[2] = tensor_from(m->dtype, shape_of(1, (int64_t)CLASSES), m->weight);
    return 2 + m->weighs;
}

void entropy_clear(struct tensor *input)
{
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

/* Input c of sample k, shifted where c is `at`. */
static void input_of(arb_t x, const struct problem *m, int k, int c, int at, const arb_t shift, int precision)
{
    arb_set_d(x, m->x[k * CLASSES + c]);
    if (shift && c == at) {
        arb_add(x, x, shift, precision);
    }
}

/* The smoothed label. */
static void label_of(arb_t q, const struct problem *m, int k, int c, int precision)
{
    arb_t kept;
    arb_init(kept);
    arb_set_d(q, m->smoothing);
    arb_set_d(kept, m->probable ? m->y[k * CLASSES + c] : m->target[k] == c);
    arb_submul(kept, kept, q, precision);
    arb_div_si(q, q, CLASSES, precision);
    arb_add(q, q, kept, precision);
    arb_clear(kept);
}

void entropy_sample(arb_t loss, const struct problem *m, int k, int at, const arb_t shift, int precision)
{
    arb_t sum, term, q;
    arb_init(sum);
    arb_init(term);
    arb_init(q);
    arb_zero(loss);
    for (int c = 0; c < CLASSES; c++) {
        input_of(term, m, k, c, at, shift, precision);
        arb_exp(term, term, precision);
        arb_add(sum, sum, term, precision);
    }
    arb_log(sum, sum, precision);
    for (int c = 0; c < CLASSES && entropy_counts(m, k); c++) {
        label_of(q, m, k, c, precision);
        arb_set_d(term, m->weight[c]);
        arb_mul(q, q, term, precision);
        input_of(term, m, k, c, at, shift, precision);
        arb_sub(term, sum, term, precision);
        arb_addmul(loss, term, q, precision);
    }
    arb_clear(sum);
    arb_clear(term);
    arb_clear(q);
}

void entropy_weights(arb_t weights, const struct problem *m, int precision)
{
    arb_t one;
    arb_init(one);
    arb_zero(weights);
    for (int k = 0; k < m->n; k++) {
        arb_set_d(one, m->probable ? 1 : entropy_counts(m, k) ? m->weight[m->target[k]] : 0);
        arb_add(weights, weights, one, precision);
    }
    arb_clear(one);
}

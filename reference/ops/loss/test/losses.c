/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Losses against Arb, their gradients against difference quotients of these, shapes, attributes, and float32
 * programs in the forms that PyTorch has had. */

#include "reference/ops/loss/loss.h"
#include "reference/test/support.h"

enum { PRECISION = 3000, STEP = -600, LENGTH = 24, OPERANDS = 5 };

static const char *const names[] = {"mse_loss",
                                    "l1_loss",
                                    "smooth_l1_loss",
                                    "huber_loss",
                                    "kl_div",
                                    "binary_cross_entropy",
                                    "binary_cross_entropy_with_logits"};
enum { MSE, L1, SMOOTH, HUBER, KL, BCE, LOGITS, LOSSES };

struct problem {
    int loss, n, reduction;
    double p;                          /* beta, delta, log_target */
    double x[4][LENGTH], grad[LENGTH]; /* input, target, weight, pos_weight */
    int weights;
};

/* --- by Arb */

/* max(log(x), −100). */
static void clamped_log(arb_t y, const arb_t x)
{
    arb_t least;
    arb_init(least);
    arb_set_si(least, -100);
    if (arb_is_zero(x)) {
        arb_set(y, least);
    } else {
        arb_log(y, x, PRECISION);
        if (arb_lt(y, least)) {
            arb_set(y, least);
        }
    }
    arb_clear(least);
}

static void of_difference(arb_t y, const struct problem *m, const arb_t d)
{
    arb_t p, size, half;
    arb_init(p);
    arb_init(size);
    arb_init(half);
    arb_set_d(p, m->p);
    arb_abs(size, d);
    arb_set_d(half, 0.5);
    if (m->loss == MSE) {
        arb_sqr(y, d, PRECISION);
    } else if (m->loss == L1 || (m->loss == SMOOTH && m->p == 0)) {
        arb_set(y, size);
    } else if (arb_lt(size, p)) {
        arb_sqr(y, d, PRECISION);
        arb_mul(y, y, half, PRECISION);
        if (m->loss == SMOOTH) {
            arb_div(y, y, p, PRECISION);
        }
    } else {
        arb_mul(y, half, p, PRECISION);
        arb_sub(y, size, y, PRECISION);
        if (m->loss == HUBER) {
            arb_mul(y, y, p, PRECISION);
        }
    }
    arb_clear(p);
    arb_clear(size);
    arb_clear(half);
}

/* −w·(v·y·log s(x) + (1 − y)·log s(−x)) with s(x) = 1/(1 + exp(−x)); of probabilities by clamped logarithms.
 */
static void of_classes(arb_t result, const struct problem *m, const arb_t x, const arb_t y, int i)
{
    arb_t yes, no, w;
    arb_init(yes);
    arb_init(no);
    arb_init(w);
    if (m->loss == LOGITS) {
        arb_neg(yes, x);
        arb_exp(yes, yes, PRECISION);
        arb_add_ui(yes, yes, 1, PRECISION);
        arb_log(yes, yes, PRECISION); /* −log s(x) */
        arb_add(no, yes, x, PRECISION);
        arb_set_d(w, m->weights > 1 ? m->x[3][i] : 1);
        arb_mul(yes, yes, w, PRECISION);
    } else {
        clamped_log(yes, x);
        arb_neg(yes, yes);
        arb_sub_ui(no, x, 1, PRECISION);
        arb_neg(no, no);
        clamped_log(no, no);
        arb_neg(no, no);
    }
    arb_mul(result, yes, y, PRECISION);
    arb_sub_ui(w, y, 1, PRECISION);
    arb_submul(result, w, no, PRECISION);
    arb_set_d(w, m->weights > 0 ? m->x[2][i] : 1);
    arb_mul(result, result, w, PRECISION);
    arb_clear(yes);
    arb_clear(no);
    arb_clear(w);
}

/* The term of element i, with its input moved by `moved`. */
static void by_definition(arb_t result, const struct problem *m, int i, const arb_t moved)
{
    arb_t x, y, d;
    arb_init(x);
    arb_init(y);
    arb_init(d);
    arb_set_d(x, m->x[0][i]);
    arb_add(x, x, moved, PRECISION);
    arb_set_d(y, m->x[1][i]);
    arb_sub(d, x, y, PRECISION);
    if (m->loss >= BCE) {
        of_classes(result, m, x, y, i);
    } else if (m->loss < KL) {
        of_difference(result, m, d);
    } else if (m->p != 0) {
        arb_exp(y, y, PRECISION);
        arb_neg(d, d);
        arb_mul(result, y, d, PRECISION);
    } else if (arb_is_zero(y)) {
        arb_zero(result);
    } else {
        arb_log(d, y, PRECISION);
        arb_sub(d, d, x, PRECISION);
        arb_mul(result, y, d, PRECISION);
    }
    arb_clear(x);
    arb_clear(y);
    arb_clear(d);
}

/* --- problems */

static double number(struct philox *g, int loss, int operand, int i)
{
    double unit = philox_unit(g);
    bool turns = i % 4 == 0;
    if (operand > 1) {
        return 0.25 + unit;
    }
    if (loss < KL) {
        return turns ? (double)philox_below(g, 5) / 2 - 1 : 4 * unit - 2;
    }
    if (operand == 1 || loss == BCE) {
        return turns ? (double)philox_below(g, 3) / 2 : unit;
    }
    return loss == KL ? -8 * unit : turns ? (double[]){0, 120, -120, 30}[philox_below(g, 4)] : 16 * unit - 8;
}

static struct problem problem_of(struct philox *g, int i)
{
    struct problem m = {
        .loss = i % LOSSES, .n = 1 + (int)philox_below(g, LENGTH), .reduction = i / LOSSES % 3};
    m.p = m.loss == KL ? i / 21 % 2 : (double[]){1, 0.5, 2}[i / 21 % 3];
    m.p = m.loss == SMOOTH && i % 10 == 0 ? 0 : m.p;
    m.weights = m.loss < BCE ? 0 : i / 63 % (m.loss == BCE ? 2 : 3);
    for (int k = 0; k < m.n; k++) {
        for (int o = 0; o < 4; o++) {
            m.x[o][k] = number(g, m.loss, o, (int)philox_below(g, 100));
        }
        m.x[1][k] = m.loss == KL && m.p != 0 ? -m.x[1][k] : m.x[1][k];
        m.grad[k] = 2 * philox_unit(g) - 1;
    }
    return m;
}

static struct attributes attributes_of(const struct problem *m)
{
    struct attributes a = {
        .count = 1,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .integer = m->reduction, .word = "?"}}};
    if (m->loss == SMOOTH || m->loss == HUBER) {
        a.item[a.count++] = (struct attribute){
            .name = m->loss == SMOOTH ? "beta" : "delta", .type = ATTRIBUTE_REAL, .real = m->p};
    } else if (m->loss == KL) {
        a.item[a.count++] =
            (struct attribute){.name = "log_target", .type = ATTRIBUTE_BOOL, .integer = m->p != 0};
    }
    return a;
}

/* The operands of the loss or its gradient, and the problem rounded to their dtype. */
static int operands_of(struct problem *m, enum dtype dtype, bool gradient, struct tensor input[OPERANDS])
{
    struct shape shape = shape_of(1, (int64_t)m->n), scalar = {.rank = 0};
    int inputs = 0;
    if (gradient) {
        input[inputs++] = tensor_from(dtype, m->reduction ? scalar : shape, m->grad);
        for (int k = 0; k < m->n; k++) {
            m->grad[k] = tensor_component(&input[0], m->reduction ? 0 : k);
        }
    }
    for (int o = 0; o < 2 + m->weights; o++) {
        input[inputs] = tensor_from(dtype, shape, m->x[o]);
        for (int k = 0; k < m->n; k++) {
            m->x[o][k] = tensor_component(&input[inputs], k);
        }
        inputs++;
    }
    return inputs;
}

static void expect(const struct truth_output *out, int64_t i, const arb_t y, const char *name, int trial)
{
    double radius = out->radius ? out->radius[i] : 0, size = fabs(value_approximately(&out->value[i]));
    if (arb_contains_zero(y)) {
        cr_expect_leq(size, radius, "%s %d, element %d is %g", name, trial, (int)i, size);
        return;
    }
    double off = value_distance_log2(&out->value[i], y);
    cr_expect_leq(off, radius > 0 ? log2(radius / size) + 1e-9 : -102, "%s %d, element %d: 2^%g", name, trial,
                  (int)i, off);
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

Test(losses, truths_are_arbs)
{
    struct philox g;
    arb_t term, all, zero;
    arb_init(term);
    arb_init(all);
    arb_init(zero);
    philox_start(&g, 51);
    for (int i = 0; i < 504; i++) {
        struct problem m = problem_of(&g, i);
        struct tensor input[OPERANDS];
        struct attributes attributes = attributes_of(&m);
        int inputs = operands_of(&m, dtypes[i / 5 % 4], false, input);
        struct truth *truth = any_truth_of_call(names[m.loss], &attributes, inputs, input, i / 2 % 2);
        arb_zero(all);
        for (int k = 0; k < m.n; k++) {
            by_definition(term, &m, k, zero);
            arb_add(all, all, term, PRECISION);
            if (m.reduction == LOSS_NONE) {
                expect(&truth->output[0], k, term, names[m.loss], i);
            }
        }
        if (m.reduction == LOSS_MEAN) {
            arb_div_ui(all, all, (ulong)m.n, PRECISION);
        }
        if (m.reduction != LOSS_NONE) {
            expect(&truth->output[0], 0, all, names[m.loss], i);
        }
        truth_destroy(&truth);
        for (int k = 0; k < inputs; k++) {
            tensor_destroy(&input[k]);
        }
    }
    arb_clear(term);
    arb_clear(all);
    arb_clear(zero);
}

/* A difference quotient is no gradient at a kink of the loss, or for a probability of 0 or 1. */
static bool is_smooth(const struct problem *m, int k)
{
    double d = fabs(m->x[0][k] - m->x[1][k]), p = m->x[0][k];
    return m->loss == L1 || (m->loss == SMOOTH && m->p == 0) ? d != 0
           : m->loss == SMOOTH || m->loss == HUBER           ? d != m->p
           : m->loss == BCE                                  ? p > 1e-6 && p < 1 - 1e-6
                                                             : true;
}

Test(losses, gradients_are_difference_quotients)
{
    struct philox g;
    arb_t above, below, step;
    arb_init(above);
    arb_init(below);
    arb_init(step);
    philox_start(&g, 52);
    int asked = 0;
    for (int i = 0; i < 504; i++) {
        struct problem m = problem_of(&g, i);
        struct tensor input[OPERANDS];
        struct attributes attributes = attributes_of(&m);
        char name[NAME_MOST];
        snprintf(name, sizeof name, "%s_backward", names[m.loss]);
        int inputs = operands_of(&m, dtypes[i / 5 % 4], true, input);
        struct truth *truth = truth_of_call(name, &attributes, inputs, input);
        for (int k = 0; k < m.n; k++) {
            arb_one(step);
            arb_mul_2exp_si(step, step, STEP);
            by_definition(above, &m, k, step);
            arb_neg(step, step);
            by_definition(below, &m, k, step);
            arb_sub(above, above, below, PRECISION);
            arb_mul_2exp_si(above, above, -STEP - 1);
            arb_set_d(step, m.grad[k]);
            arb_mul(above, above, step, PRECISION);
            if (m.reduction == LOSS_MEAN) {
                arb_div_ui(above, above, (ulong)m.n, PRECISION);
            }
            arb_set_d(step, 0x1p-1000); /* h²/6 of the third derivative, and what precision leaves */
            arb_add_error(above, step);
            if (is_smooth(&m, k)) {
                expect(&truth->output[0], k, above, name, i);
                asked++;
            }
        }
        truth_destroy(&truth);
        for (int k = 0; k < inputs; k++) {
            tensor_destroy(&input[k]);
        }
    }
    cr_expect_gt(asked, 4000);
    arb_clear(above);
    arb_clear(below);
    arb_clear(step);
}

/* The words of `reduction` are equal for the loss and for the operators that it is lowered to. */
Test(losses, a_reduction_left_out_is_the_mean)
{
    static const char *const losses[] = {"mse_loss",
                                         "l1_loss",
                                         "smooth_l1_loss",
                                         "huber_loss",
                                         "kl_div",
                                         "binary_cross_entropy",
                                         "binary_cross_entropy_with_logits"};
    const double x[] = {0.25, 0.5, 0.75}, y[] = {0.125, 0.75, 0.625};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), x),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), y)};
    const struct attributes mean = {
        .count = 1,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .word = "mean", .integer = LOSS_MEAN}}};
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++) {
        struct truth *out = truth_of_call(losses[k], NULL, 2, input);
        struct truth *given = truth_of_call(losses[k], &mean, 2, input);
        cr_expect_eq(out->output[0].elements, 1, "%s", losses[k]);
        cr_expect_eq(out->output[0].value[0].hi, given->output[0].value[0].hi, "%s", losses[k]);
        truth_destroy(&out);
        truth_destroy(&given);
    }
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

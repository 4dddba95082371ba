/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Losses and their gradients, in float32 and in float64; the 16-bit types are computed in float32 and then
 * rounded. Sums are pairwise. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 16, WORD_NONE = 0, WORD_MEAN, WORD_SUM, WORD_BATCHMEAN };

/* One element of each operand. p: the attribute behind the reduction; more: pos_weight, if `has`. */
struct numbers {
    double grad, x, y, weight, more, p;
    bool has;
};

#define CPU_FLOAT(name)  name##f
#define CPU_DOUBLE(name) name

#define LOSSES(LOSS, REAL, F)                                                                                \
    LOSS(mse_loss, REAL, (x - y) * (x - y))                                                                  \
    LOSS(l1_loss, REAL, F(fabs)(x - y))                                                                      \
    LOSS(smooth_l1_loss, REAL, F(fabs)(x - y) < p ? (x - y) * (x - y) / 2 / p : F(fabs)(x - y) - p / 2)      \
    LOSS(huber_loss, REAL, F(fabs)(x - y) <= p ? (x - y) * (x - y) / 2 : p * (F(fabs)(x - y) - p / 2))       \
    LOSS(kl_div, REAL, p != 0 ? F(exp)(y) * (y - x) : (y == 0 ? y : y * F(log)(y)) - y * x)                  \
    LOSS(binary_cross_entropy, REAL,                                                                         \
         -w *(y * F(at_least)(F(log)(x), -100) + (1 - y) * F(at_least)(F(log1p)(-x), -100)))                 \
    LOSS(binary_cross_entropy_with_logits, REAL,                                                             \
         w *((1 - y) * x +                                                                                   \
             (n->has ? 1 + (v - 1) * y : 1) * (F(at_least)(-x, 0) + F(log1p)(F(exp)(-F(fabs)(x))))))         \
    LOSS(mse_loss_backward, REAL, g *(2 * (x - y)))                                                          \
    LOSS(l1_loss_backward, REAL, g *(REAL)((x > y) - (x < y)))                                               \
    LOSS(smooth_l1_loss_backward, REAL,                                                                      \
         p == 0 || F(fabs)(x - y) >= p ? g * (REAL)((x > y) - (x < y)) : g * ((x - y) / p))                  \
    LOSS(huber_loss_backward, REAL, F(fabs)(x - y) >= p ? g * p * (REAL)((x > y) - (x < y)) : g * (x - y))   \
    LOSS(kl_div_backward, REAL, -(p != 0 ? F(exp)(y) : y) * g)                                               \
    LOSS(binary_cross_entropy_backward, REAL, g *(w * ((x - y) / F(at_least)((1 - x) * x, (REAL)1e-12))))    \
    LOSS(binary_cross_entropy_with_logits_backward, REAL,                                                    \
         g *(w * ((1 - y) / (1 + F(exp)(-x)) - v * y / (1 + F(exp)(x)))))

static float at_leastf(float x, float least)
{
    return x < least ? least : x;
}

static double at_least(double x, double least)
{
    return x < least ? least : x;
}

#define DEFINE_LOSS(name, REAL, term)                                                                        \
    static double name##_##REAL(const struct numbers *n)                                                     \
    {                                                                                                        \
        const REAL x = (REAL)n->x, y = (REAL)n->y, w = (REAL)n->weight, v = (REAL)n->more,                   \
                   g = (REAL)n->grad, p = (REAL)n->p;                                                        \
        (void)x, (void)w, (void)v, (void)g, (void)p;                                                         \
        return (double)(REAL)(term);                                                                         \
    }
LOSSES(DEFINE_LOSS, float, CPU_FLOAT)
LOSSES(DEFINE_LOSS, double, CPU_DOUBLE)

typedef double function(const struct numbers *n);
#define PAIR(name, REAL, term) {#name, {name##_float, name##_double}},
static const struct {
    const char *name;
    function *of[2];
} functions[] = {LOSSES(PAIR, , )};

static function *function_of(const char *name, bool wide)
{
    int k = 0;
    while (strcmp(functions[k].name, name) != 0) {
        k++;
    }
    return functions[k].of[wide];
}

/* --- operands */

enum { GRAD, INPUT, TARGET, WEIGHT, MORE, OPERANDS };

/* Broadcasts the operands to their common shape, each at its place in `operand`; false if they do not fit. */
static bool take(const struct cpu_op *op, int inputs, const struct cpu_view *input,
                 struct cpu_view operand[OPERANDS], bool gradient, bool reduced)
{
    const int first = gradient ? GRAD : INPUT;
    struct shape whole = input[INPUT - first].shape;
    const struct shape *y = &input[TARGET - first].shape;
    bool equal = gradient || strncmp(op->name, "binary", 6) == 0, good = !equal || shape_equal(&whole, y);
    for (int d = 1; !equal && d <= y->rank; d++) { /* the shape that both broadcast to */
        if (d > whole.rank) {
            memmove(whole.dim + 1, whole.dim, (size_t)whole.rank * sizeof *whole.dim);
            whole.dim[0] = y->dim[y->rank - d];
            whole.rank++;
        } else if (whole.dim[whole.rank - d] == 1) {
            whole.dim[whole.rank - d] = y->dim[y->rank - d];
        }
    }
    for (int k = 0; k < OPERANDS; k++) {
        const struct cpu_view *from = k >= first && k - first < inputs ? &input[k - first] : NULL;
        operand[k] = (struct cpu_view){.data = NULL, .shape = whole};
        if (!from || !from->data) {
            continue;
        }
        good = good && shape_broadcasts(&from->shape, &whole) && from->dtype == input[INPUT - first].dtype &&
               (k != GRAD || (reduced ? from->shape.rank == 0 : shape_equal(&from->shape, &whole)));
        operand[k].data = from->data;
        operand[k].dtype = from->dtype;
        for (int d = 1; d <= from->shape.rank && d <= whole.rank; d++) {
            operand[k].stride[whole.rank - d] =
                from->shape.dim[from->shape.rank - d] == 1 ? 0 : from->stride[from->shape.rank - d];
        }
    }
    return good;
}

static double number(const struct cpu_view *view, int64_t i, double otherwise)
{
    return view->data ? cpu_load(view, i) : otherwise;
}

static double term(const struct cpu_view operand[OPERANDS], int64_t i, function *f, double p, double divisor,
                   bool wide)
{
    struct numbers n = {.grad = number(&operand[GRAD], i, 1),
                        .x = number(&operand[INPUT], i, 0),
                        .y = number(&operand[TARGET], i, 0),
                        .weight = number(&operand[WEIGHT], i, 1),
                        .more = number(&operand[MORE], i, 1),
                        .p = p,
                        .has = operand[MORE].data != NULL};
    n.grad = wide ? n.grad / divisor : (double)((float)n.grad / (float)divisor);
    return f(&n);
}

static double total(const double *x, int64_t n, bool wide)
{
    if (n > RUN) {
        int64_t half = (n / RUN + 1) / 2 * RUN;
        double sum = total(x, half, wide) + total(x + half, n - half, wide);
        return wide ? sum : (double)(float)sum;
    }
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        sum = wide ? sum + x[k] : (double)((float)sum + (float)x[k]);
    }
    return sum;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)outputs;
    const bool gradient = strstr(op->name, "_backward") != NULL;
    const struct cpu_view *x = &input[gradient];
    const int64_t reduction = attributes_integer(attributes, "reduction", WORD_MEAN);
    const bool wide = x->dtype == DTYPE_FLOAT64,
               divides = reduction == WORD_MEAN || reduction == WORD_BATCHMEAN;
    const double beta = attributes_real(attributes, "beta", 1),
                 delta = attributes_real(attributes, "delta", 1);
    const double p = strncmp(op->name, "kl", 2) == 0 ? (double)attributes_integer(attributes, "log_target", 0)
                     : *op->name == 'h'              ? delta
                                                     : beta;
    struct cpu_view operand[OPERANDS];
    if (!dtype_is_real(x->dtype)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!take(op, inputs, input, operand, gradient, reduction != WORD_NONE) || beta < 0 || delta <= 0) {
        return cpu_reject(reason, "shapes, dtypes or attributes do not fit");
    }
    const int64_t count = shape_elements(&operand[INPUT].shape);
    double divisor =
        reduction == WORD_BATCHMEAN ? (x->shape.rank > 0 ? (double)x->shape.dim[0] : 1) : (double)count;
    function *f = function_of(op->name, wide);
    double *terms = cpu_allocate(count, sizeof *terms, reason);
    for (int64_t i = 0; terms && i < count; i++) {
        terms[i] = term(operand, i, f, p, gradient && divides ? divisor : 1, wide);
    }
    if (terms && !gradient && reduction != WORD_NONE) {
        double sum = total(terms, count, wide);
        cpu_store(&output[0], 0,
                  !divides ? sum
                  : wide   ? sum / divisor
                           : (double)((float)sum / (float)divisor));
    } else {
        for (int64_t i = 0; terms && i < count; i++) {
            cpu_store(&output[0], i, terms[i]);
        }
    }
    free(terms);
    return terms ? CPU_OK : CPU_OUT_OF_MEMORY;
}

#define CPU_LOSS(name_, REAL, term) {.name = #name_, .run = run},
static const struct cpu_op ops[] = {LOSSES(CPU_LOSS, , )};

const struct cpu_op_set cpu_op_set_losses = {.op = ops, .count = sizeof ops / sizeof *ops};

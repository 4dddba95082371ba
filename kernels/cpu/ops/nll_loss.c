/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss, cross_entropy and their gradients, sample by sample, in float32 and in float64; the 16-bit types
 * are computed in float32 and then rounded. Sums are taken over blocks of 64 terms, then over the blocks. The
 * targets of a cross_entropy may be class probabilities. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <stdlib.h>

enum { WORD_NONE, WORD_MEAN, WORD_SUM, RUN = 64 };
enum { FORWARD, BACKWARD, ENTROPY, ENTROPY_BACKWARD };

struct samples {
    const struct cpu_view *grad, *input, *target, *weight; /* weight->data NULL: absent */
    int64_t classes, inner, count, ignore;
    double smoothing;
    bool wide, entropy, probable;
};

static bool take(struct samples *s, bool gradient, int64_t reduction, int inputs,
                 const struct cpu_view *input)
{
    static const struct cpu_view none = {.data = NULL};
    const struct shape *x = &input[gradient].shape, *t = &input[gradient + 1].shape;
    const int at = x->rank > 1;
    s->grad = input;
    s->input = &input[gradient];
    s->target = &input[gradient + 1];
    s->weight = inputs > gradient + 2 ? &input[gradient + 2] : &none;
    s->classes = x->rank ? x->dim[at] : 0;
    s->count = s->inner = 1;
    s->probable = s->entropy && s->target->dtype == s->input->dtype;
    bool good = x->rank > 0 && (s->probable ? shape_equal(x, t) && s->ignore < 0
                                            : t->rank == x->rank - 1 && s->target->dtype == DTYPE_INT64);
    struct shape others = {.rank = 0};
    for (int d = 0; good && d < x->rank; d++) {
        if (d != at) {
            others.dim[others.rank++] = x->dim[d];
            s->count *= x->dim[d];
            s->inner *= d ? x->dim[d] : 1;
        }
    }
    good = good && (s->probable || shape_equal(&others, t));
    if (good && s->weight->data) {
        good = s->weight->dtype == s->input->dtype && s->weight->shape.rank == 1 &&
               s->weight->shape.dim[0] == s->classes;
    }
    if (good && gradient) {
        good = reduction == WORD_NONE ? shape_equal(&s->grad->shape, &others) : s->grad->shape.rank == 0;
    }
    for (int64_t i = 0; good && !s->probable && i < s->count; i++) {
        int64_t c = cpu_load_integer(s->target, i);
        good = c == s->ignore || (c >= 0 && c < s->classes);
    }
    return good;
}

static double rounded(const struct samples *s, double x)
{
    return s->wide ? x : (double)(float)x;
}

/* Returns the weight of sample i, 0 if it is ignored, and sets *element to the input element at its target,
 * or to −1 if it is ignored. For targets that are probabilities, returns 1 and sets 0. */
static double weight_of(const struct samples *s, int64_t i, int64_t *element)
{
    if (s->probable) {
        *element = 0;
        return 1;
    }
    int64_t c = cpu_load_integer(s->target, i);
    if (c == s->ignore) {
        *element = -1;
        return 0;
    }
    *element = (i / s->inner * s->classes + c) * s->inner + i % s->inner;
    return s->weight->data ? cpu_load(s->weight, c) : 1;
}

static double total(const struct samples *s, const double *x, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k += RUN) {
        double run = 0;
        for (int64_t i = k; i < n && i < k + RUN; i++) {
            run = rounded(s, run + x[i]);
        }
        sum = rounded(s, sum + run);
    }
    return sum;
}

/* Returns the number of the input element of class c of sample i. */
static int64_t place_of(const struct samples *s, int64_t i, int64_t c)
{
    return (i / s->inner * s->classes + c) * s->inner + i % s->inner;
}

/* Returns −log_softmax of sample i at class c. `greatest` is the greatest input m of the sample, and `log` is
 * log Σ exp(x − m). */
static double surprise(const struct samples *s, int64_t i, int64_t c, double greatest, double log)
{
    double x = cpu_load(s->input, place_of(s, i, c));
    return rounded(s, log - rounded(s, x - greatest));
}

/* Returns e^x in the precision of the computation. */
static double power(const struct samples *s, double x)
{
    return s->wide ? exp(x) : (double)expf((float)x);
}

/* Returns Σ exp(x − m) over the classes of sample i, and its greatest input m. */
static double sum_of_powers(const struct samples *s, int64_t i, double *greatest)
{
    double sum = 0;
    *greatest = -INFINITY;
    for (int64_t c = 0; c < s->classes; c++) {
        double x = -surprise(s, i, c, 0, 0);
        *greatest = isnan(x) || x > *greatest ? x : *greatest;
    }
    for (int64_t k = 0; k < s->classes; k += RUN) {
        double run = 0;
        for (int64_t c = k; c < s->classes && c < k + RUN; c++) {
            run = rounded(s, run + power(s, -surprise(s, i, c, *greatest, 0)));
        }
        sum = rounded(s, sum + run);
    }
    return sum;
}

/* Returns the share of class c in the target of sample i, which is not ignored: its smoothed target
 * probability times its weight. */
static double share(const struct samples *s, int64_t i, int64_t c)
{
    const double kept = rounded(s, 1 - s->smoothing), all = rounded(s, s->smoothing / (double)s->classes);
    const double w = s->weight->data ? cpu_load(s->weight, c) : 1;
    if (s->probable) {
        const double y = cpu_load(s->target, place_of(s, i, c));
        return rounded(s, w * (s->smoothing > 0 ? rounded(s, rounded(s, kept * y) + all) : y));
    }
    const bool hit = cpu_load_integer(s->target, i) == c;
    if (!hit && s->smoothing == 0) {
        return 0;
    }
    const double own = hit ? rounded(s, kept * w) : 0;
    return s->smoothing > 0 ? rounded(s, own + rounded(s, all * w)) : own;
}

/* Returns the cross-entropy of sample i for targets that are probabilities. */
static double expected(const struct samples *s, int64_t i)
{
    double greatest, loss = 0;
    const double sum = sum_of_powers(s, i, &greatest),
                 log_sum = s->wide ? log(sum) : (double)logf((float)sum);
    for (int64_t k = 0; k < s->classes; k += RUN) {
        double run = 0;
        for (int64_t c = k; c < s->classes && c < k + RUN; c++) {
            run = rounded(s, run + rounded(s, share(s, i, c) * surprise(s, i, c, greatest, log_sum)));
        }
        loss = rounded(s, loss + run);
    }
    return loss;
}

/* Returns the cross-entropy of sample i, whose target is a class index that is not ignored. */
static double entropy(const struct samples *s, int64_t i)
{
    const int64_t target = cpu_load_integer(s->target, i);
    double greatest, smooth = 0;
    const double sum = sum_of_powers(s, i, &greatest);
    const double log_sum = s->wide ? log(sum) : (double)logf((float)sum);
    for (int64_t k = 0; k < s->classes && s->smoothing > 0; k += RUN) {
        double run = 0;
        for (int64_t c = k; c < s->classes && c < k + RUN; c++) {
            double w = s->weight->data ? cpu_load(s->weight, c) : 1;
            run = rounded(s, run + rounded(s, w * surprise(s, i, c, greatest, log_sum)));
        }
        smooth = rounded(s, smooth + run);
    }
    double w = s->weight->data ? cpu_load(s->weight, target) : 1;
    double loss = rounded(s, w * surprise(s, i, target, greatest, log_sum));
    if (s->smoothing > 0) {
        double rest = rounded(s, rounded(s, s->smoothing / (double)s->classes) * smooth);
        loss = rounded(s, rounded(s, rounded(s, 1 - s->smoothing) * loss) + rest);
    }
    return loss;
}

static void forward(const struct samples *s, int64_t reduction, double *term, double *weight,
                    const struct cpu_view *y)
{
    for (int64_t i = 0; i < s->count; i++) {
        int64_t element;
        weight[i] = weight_of(s, i, &element);
        term[i] = element < 0   ? 0
                  : s->probable ? expected(s, i)
                  : s->entropy  ? entropy(s, i)
                                : rounded(s, -(weight[i] * cpu_load(s->input, element)));
        if (reduction == WORD_NONE) {
            cpu_store(y, i, term[i]);
        }
    }
    if (reduction != WORD_NONE) {
        double sum = total(s, term, s->count),
               divisor = reduction == WORD_MEAN ? total(s, weight, s->count) : 1;
        cpu_store(y, 0, rounded(s, sum / divisor));
    }
}

static void backward(const struct samples *s, int64_t reduction, double *weight, const struct cpu_view *y)
{
    int64_t element;
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        cpu_store(y, e, 0);
    }
    for (int64_t i = 0; i < s->count; i++) {
        weight[i] = weight_of(s, i, &element);
    }
    double divisor = reduction == WORD_MEAN ? total(s, weight, s->count) : 1;
    for (int64_t i = 0; i < s->count; i++) {
        double w = weight_of(s, i, &element), grad = cpu_load(s->grad, reduction == WORD_NONE ? i : 0);
        if (element >= 0) {
            cpu_store(y, element, rounded(s, rounded(s, -(w * grad)) / divisor));
        }
    }
}

static void entropy_backward(const struct samples *s, int64_t reduction, double *weight,
                             const struct cpu_view *y)
{
    int64_t element;
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        cpu_store(y, e, 0);
    }
    for (int64_t i = 0; i < s->count; i++) {
        weight[i] = weight_of(s, i, &element);
    }
    const double divisor = reduction == WORD_MEAN ? total(s, weight, s->count) : 1;
    for (int64_t i = 0; i < s->count; i++) {
        weight_of(s, i, &element);
        if (element < 0) {
            continue;
        }
        double greatest, all = 0;
        const double sum = sum_of_powers(s, i, &greatest);
        const double grad = rounded(s, cpu_load(s->grad, reduction == WORD_NONE ? i : 0) / divisor);
        for (int64_t k = 0; k < s->classes; k += RUN) {
            double run = 0;
            for (int64_t c = k; c < s->classes && c < k + RUN; c++) {
                run = rounded(s, run + share(s, i, c));
            }
            all = rounded(s, all + run);
        }
        for (int64_t c = 0; c < s->classes; c++) {
            double p = rounded(s, power(s, -surprise(s, i, c, greatest, 0)) / sum);
            double slope = rounded(s, rounded(s, p * all) - share(s, i, c));
            cpu_store(y, place_of(s, i, c), rounded(s, slope * grad));
        }
    }
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)outputs;
    const bool gradient = op->variant == BACKWARD || op->variant == ENTROPY_BACKWARD;
    const int64_t reduction = attributes_integer(attributes, "reduction", WORD_MEAN);
    struct samples s = {.wide = input[gradient].dtype == DTYPE_FLOAT64,
                        .ignore = attributes_integer(attributes, "ignore_index", -100),
                        .smoothing = attributes_real(attributes, "label_smoothing", 0),
                        .entropy = op->variant >= ENTROPY};
    if (!dtype_is_real(input[gradient].dtype)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name,
                  dtype_info(input[gradient].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!take(&s, gradient, reduction, inputs, input) || !(s.smoothing >= 0 && s.smoothing <= 1)) {
        return cpu_reject(reason, "shapes, dtypes or targets do not fit");
    }
    double *term = cpu_allocate(2 * s.count, sizeof *term, reason);
    if (term && gradient) {
        (s.entropy ? entropy_backward : backward)(&s, reduction, term, &output[0]);
    } else if (term) {
        forward(&s, reduction, term, term + s.count, &output[0]);
    }
    free(term);
    return term ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static const struct cpu_op ops[] = {
    {.name = "nll_loss", .variant = FORWARD, .run = run},
    {.name = "nll_loss_backward", .variant = BACKWARD, .run = run},
    {.name = "cross_entropy", .variant = ENTROPY, .run = run},
    {.name = "cross_entropy_backward", .variant = ENTROPY_BACKWARD, .run = run}};

const struct cpu_op_set cpu_op_set_nll_loss = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Average and maximum pooling and their gradients, window by window in float32 and in float64. The gradients
 * are gathered: for each element of the input the windows that hold it. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/dot.h"
#include "kernels/shapes/pool_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 3, GRADIENT = 4, MAXIMUM = 8 };

/* The operands, and room for the terms of one sum. */
struct work {
    const struct pool_sizes *s;
    const struct cpu_view *from, *indices;
    bool wide;
    double *a, *ones;
    float *p, *units;
    int64_t count;
};

static void meet(struct work *w, double x)
{
    if (w->wide) {
        w->a[w->count] = x;
        w->ones[w->count++] = 1;
    } else {
        w->p[w->count] = (float)x;
        w->units[w->count++] = 1;
    }
}

static double sum(struct work *w)
{
    const int64_t count = w->count;
    w->count = 0;
    return w->wide ? dot_double(w->a, w->ones, count) : (double)dot_float(w->p, w->units, count);
}

static double quotient(const struct work *w, double x, double divisor)
{
    return w->wide ? x / divisor : (double)((float)x / (float)divisor);
}

static int64_t volume(const int64_t size[3])
{
    return size[0] * size[1] * size[2];
}

static void place(int64_t i, const int64_t size[3], int64_t at[3])
{
    at[2] = i % size[2];
    at[1] = i / size[2] % size[1];
    at[0] = i / size[2] / size[1];
}

static int64_t flat(const int64_t at[3], const int64_t size[3])
{
    return (at[0] * size[1] + at[1]) * size[2] + at[2];
}

/* What the window at y is divided by. */
static double divisor(const struct pool_sizes *s, const int64_t y[3])
{
    int64_t count = 1;
    for (int i = 0; i < 3; i++) {
        int64_t first = y[i] * s->stride[i] - s->before[i], last = first + s->kernel[i] - 1;
        const int64_t least = s->counts_padding ? -s->before[i] : 0,
                      most = s->x[i] - 1 + (s->counts_padding ? s->before[i] : 0);
        first = first < least ? least : first;
        last = last > most ? most : last;
        count *= last - first + 1;
    }
    return (double)(s->divisor ? s->divisor : count);
}

/* Sets x to what tap t of the window at y meets; false in the padding. */
static bool meet_x(const struct pool_sizes *s, const int64_t y[3], const int64_t t[3], int64_t x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = y[i] * s->stride[i] + t[i] * s->dilation[i] - s->before[i];
        if (x[i] < 0 || x[i] >= s->x[i]) {
            return false;
        }
    }
    return true;
}

/* Sets y to the window whose tap t is x; false if there is none. */
static bool meet_y(const struct pool_sizes *s, const int64_t x[3], const int64_t t[3], int64_t y[3])
{
    for (int i = 0; i < 3; i++) {
        const int64_t from = x[i] + s->before[i] - t[i] * s->dilation[i];
        y[i] = from / s->stride[i];
        if (from < 0 || from % s->stride[i] || y[i] >= s->y[i]) {
            return false;
        }
    }
    return true;
}

static double average(struct work *w, int64_t plane, const int64_t y[3])
{
    const struct pool_sizes *s = w->s;
    int64_t t[3], x[3];
    for (int64_t k = 0; k < volume(s->kernel); k++) {
        place(k, s->kernel, t);
        if (meet_x(s, y, t, x)) {
            meet(w, cpu_load(w->from, plane * volume(s->x) + flat(x, s->x)));
        }
    }
    return quotient(w, sum(w), divisor(s, y));
}

/* Returns the place of the first greatest element of a window. */
static int64_t greatest(const struct work *w, int64_t plane, const int64_t y[3])
{
    const struct pool_sizes *s = w->s;
    int64_t t[3], x[3], best = -1;
    double most = 0;
    for (int64_t k = 0; k < volume(s->kernel); k++) {
        place(k, s->kernel, t);
        if (meet_x(s, y, t, x)) {
            const double z = cpu_load(w->from, plane * volume(s->x) + flat(x, s->x));
            if (best < 0 || z > most || (isnan(z) && !isnan(most))) {
                best = flat(x, s->x);
                most = z;
            }
        }
    }
    return best;
}

static void all_windows(struct work *w, bool maximum, const struct cpu_view *output)
{
    const struct pool_sizes *s = w->s;
    const int64_t windows = volume(s->y);
    for (int64_t i = 0; i < s->samples * s->channels * windows; i++) {
        int64_t y[3], plane = i / windows;
        place(i % windows, s->y, y);
        if (maximum) {
            const int64_t at = greatest(w, plane, y);
            memcpy(cpu_at(&output[0], i), cpu_at(w->from, plane * volume(s->x) + at),
                   dtype_info(w->from->dtype)->size);
            memcpy(cpu_at(&output[1], i), &at, sizeof at);
        } else {
            cpu_store(&output[0], i, average(w, plane, y));
        }
    }
}

static void all_gradients(struct work *w, const struct cpu_view *output)
{
    const struct pool_sizes *s = w->s;
    const int64_t elements = volume(s->x), windows = volume(s->y);
    for (int64_t i = 0; i < s->samples * s->channels * elements; i++) {
        const int64_t plane = i / elements;
        int64_t x[3], y[3], t[3];
        place(i % elements, s->x, x);
        for (int64_t k = 0; k < volume(s->kernel); k++) {
            place(k, s->kernel, t);
            if (!meet_y(s, x, t, y)) {
                continue;
            }
            const int64_t at = plane * windows + flat(y, s->y);
            const double grad = cpu_load(w->from, at);
            if (!w->indices) {
                meet(w, quotient(w, grad, divisor(s, y)));
            } else if (cpu_load_integer(w->indices, at) == i % elements) {
                meet(w, grad);
            }
        }
        cpu_store(output, i, sum(w));
    }
}

static bool indices_fit(const struct cpu_view *indices, const struct pool_sizes *s)
{
    bool fit = indices->dtype == DTYPE_INT64 && pool_sizes_fit(s, &indices->shape);
    for (int64_t i = 0; fit && i < shape_elements(&indices->shape); i++) {
        const int64_t at = cpu_load_integer(indices, i);
        fit = at >= 0 && at < volume(s->x);
    }
    return fit;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    const bool gradient = op->variant & GRADIENT, maximum = op->variant & MAXIMUM;
    struct pool_sizes s;
    (void)inputs;
    if (!dtype_is_real(input[0].dtype) || input[gradient].dtype != input[0].dtype ||
        !pool_sizes_of(op->variant & RANK, attributes, &input[gradient].shape, &s) ||
        (gradient && (!pool_sizes_fit(&s, &input[0].shape) || (maximum && !indices_fit(&input[2], &s))))) {
        return cpu_reject(reason, "operands and attributes do not fit");
    }
    struct work w = {.s = &s, .from = &input[0], .wide = input[0].dtype == DTYPE_FLOAT64};
    w.indices = gradient && maximum ? &input[2] : NULL;
    const size_t size = w.wide ? sizeof(double) : sizeof(float);
    void *a = cpu_allocate(volume(s.kernel), size, reason), *b = cpu_allocate(volume(s.kernel), size, reason);
    w.a = a;
    w.p = a;
    w.ones = b;
    w.units = b;
    if (a && b && outputs > 0) {
        if (gradient) {
            all_gradients(&w, &output[0]);
        } else {
            all_windows(&w, maximum, output);
        }
    }
    free(a);
    free(b);
    return a && b ? CPU_OK : CPU_OUT_OF_MEMORY;
}

#define OP(name_, variant_)                                                                                  \
    {.name = name_, .variant = (variant_), .run = run},                                                      \
    {                                                                                                        \
        .name = name_ "_backward", .variant = (variant_) | GRADIENT, .run = run                              \
    }

static const struct cpu_op ops[] = {OP("avg_pool1d", 1),           OP("avg_pool2d", 2),
                                    OP("avg_pool3d", 3),           OP("max_pool1d", MAXIMUM | 1),
                                    OP("max_pool2d", MAXIMUM | 2), OP("max_pool3d", MAXIMUM | 3)};

const struct cpu_op_set cpu_op_set_pooling = {.op = ops, .count = sizeof ops / sizeof *ops};

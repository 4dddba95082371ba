/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradients of a linear layer, summed as in dot.h, in float32 for the 16-bit types. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/dot.h"

#include <stdlib.h>

/* One sum: elements a + i·a_step of x times elements b + i·b_step of y; y NULL: times 1. */
struct sum {
    const struct cpu_view *x, *y;
    int64_t a, a_step, b, b_step, count;
};

static double sum_of(const struct sum *s, void *room, bool wide)
{
    double *p = room, *q = p + s->count;
    float *f = room, *g = f + s->count;
    for (int64_t i = 0; i < s->count; i++) {
        double a = cpu_load(s->x, s->a + i * s->a_step), b = s->y ? cpu_load(s->y, s->b + i * s->b_step) : 1;
        if (wide) {
            p[i] = a;
            q[i] = b;
        } else {
            f[i] = (float)a;
            g[i] = (float)b;
        }
    }
    return wide ? dot_double(p, q, s->count) : (double)dot_float(f, g, s->count);
}

static bool fits(const struct cpu_view *input, int64_t *rows)
{
    const struct shape *grad = &input[0].shape, *x = &input[1].shape, *w = &input[2].shape;
    if (!dtype_is_real(input[0].dtype) || input[1].dtype != input[0].dtype ||
        input[2].dtype != input[0].dtype || w->rank != 2 || x->rank < 1 || grad->rank != x->rank ||
        x->dim[x->rank - 1] != w->dim[1] || grad->dim[x->rank - 1] != w->dim[0]) {
        return false;
    }
    *rows = 1;
    for (int d = 0; d + 1 < x->rank; d++) {
        if (grad->dim[d] != x->dim[d]) {
            return false;
        }
        *rows *= x->dim[d];
    }
    return true;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)op, (void)attributes, (void)inputs;
    int64_t rows;
    if (!fits(input, &rows)) {
        return cpu_reject(reason, "the operands' dtypes and shapes do not fit");
    }
    const int64_t n = input[2].shape.dim[0], k = input[2].shape.dim[1], most = n > rows ? n : rows;
    const bool wide = input[0].dtype == DTYPE_FLOAT64;
    void *room = outputs ? cpu_allocate(2 * most, wide ? sizeof(double) : sizeof(float), reason) : NULL;
    if (outputs && !room) {
        return CPU_OUT_OF_MEMORY;
    }
    for (int64_t e = 0; outputs && e < rows * k; e++) {
        struct sum s = {&input[0], &input[2], e / k * n, 1, e % k, k, n};
        cpu_store(&output[0], e, sum_of(&s, room, wide));
    }
    for (int64_t e = 0; outputs && e < n * k; e++) {
        struct sum s = {&input[0], &input[1], e / k, n, e % k, k, rows};
        cpu_store(&output[1], e, sum_of(&s, room, wide));
    }
    for (int64_t e = 0; outputs && e < n; e++) {
        struct sum s = {&input[0], NULL, e, n, 0, 0, rows};
        cpu_store(&output[2], e, sum_of(&s, room, wide));
    }
    free(room);
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "linear_backward", .run = run}};
const struct cpu_op_set cpu_op_set_linear_backward = {.op = ops, .count = sizeof ops / sizeof *ops};

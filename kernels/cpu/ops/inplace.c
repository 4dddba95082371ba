/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_: through pointers into self's own memory. What must be refused is found here, apart from
 * reference/: by marking bytes. */

#include "kernels/cpu/strided.h"

#include <math.h>
#include <stdlib.h>

enum update { ADD, MUL };

/* other's stride along self's dimension d: 0 where it broadcasts. False when it does not fit. */
static bool broadcast_strides(const struct cpu_view *other, const struct cpu_view *self,
                              int64_t stride[RANK_MAX])
{
    int shift = self->shape.rank - other->shape.rank;
    for (int d = 0; d < self->shape.rank; d++) {
        stride[d] = 0;
        if (d >= shift && other->shape.dim[d - shift] != 1) {
            if (other->shape.dim[d - shift] != self->shape.dim[d]) {
                return false;
            }
            stride[d] = other->stride[d - shift];
        }
    }
    return shift >= 0;
}

/* First byte and byte after the last that a non-empty view spans. */
static void span(const struct cpu_view *view, const unsigned char **low, const unsigned char **high)
{
    int64_t size = (int64_t)dtype_info(view->dtype)->size;
    *low = view->data;
    *high = view->data + size;
    for (int d = 0; d < view->shape.rank; d++) {
        int64_t reach = (view->shape.dim[d] - 1) * view->stride[d] * size;
        *low += reach < 0 ? reach : 0;
        *high += reach > 0 ? reach : 0;
    }
}

/* NULL when self may be written while `other` is read; else why not. Marks the elements of self, refuses one
 * marked twice, then looks for other's elements among the marks unless they are the same in the same order.
 */
static const char *overlap(const struct cpu_view *self, const struct cpu_view *other,
                           const int64_t *other_stride)
{
    static const char *const memory = "out of memory",
                             *const twice = "self refers to an element more than once",
                             *const shared = "other shares part of self's memory";
    int64_t size = (int64_t)dtype_info(self->dtype)->size, offset[2] = {0, 0};
    const int64_t *const stride[] = {self->stride, other_stride};
    const unsigned char *low, *high;
    span(self, &low, &high);
    unsigned char *mark = calloc((size_t)(high - low), 1);
    const char *fault = mark ? NULL : memory;
    bool same = self->data == other->data;
    struct cpu_walk walk = cpu_walk_start(&self->shape);
    for (; !fault && walk.left > 0; cpu_walk_next(&walk, 2, stride, offset)) {
        unsigned char *at = mark + (self->data + offset[0] * size - low);
        fault = *at ? twice : NULL;
        *at = 1;
        same = same && offset[0] == offset[1];
    }
    walk = cpu_walk_start(&self->shape);
    offset[1] = 0;
    for (; !fault && !same && walk.left > 0; cpu_walk_next(&walk, 2, stride, offset)) {
        const unsigned char *at = other->data + offset[1] * size;
        for (int64_t byte = -size + 1; byte < size && at + byte >= low && at + byte < high; byte++) {
            fault = mark[at + byte - low] ? shared : fault;
        }
    }
    free(mark);
    return fault;
}

static void update_float(enum update update, enum dtype dtype, float alpha, unsigned char *x,
                         const unsigned char *y)
{
    float a = cpu_load_float(dtype, x), b = cpu_load_float(dtype, y);
    cpu_store_float(dtype, x, update == ADD ? a + alpha * b : a * b);
}

static void update_double(enum update update, double alpha, unsigned char *x, const unsigned char *y)
{
    double a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    a = update == ADD ? a + alpha * b : a * b;
    memcpy(x, &a, sizeof a);
}

static void update_int(enum update update, int64_t alpha, unsigned char *x, const unsigned char *y)
{
    uint32_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    a = update == ADD ? a + (uint32_t)alpha * b : a * b;
    memcpy(x, &a, sizeof a);
}

static enum cpu_status check(const struct cpu_view *self, const struct cpu_view *other, double alpha,
                             int64_t other_stride[RANK_MAX], struct error *reason)
{
    const char *fault = NULL;
    if (self->dtype == DTYPE_INT32 && (dtype_is_floating(other->dtype) || alpha != floor(alpha))) {
        fault = "a fraction does not fit into an integer self";
    } else if (self->dtype != other->dtype) {
        fault = "operands of different dtypes";
    } else if (!broadcast_strides(other, self, other_stride)) {
        fault = "other does not broadcast to self";
    } else if (cpu_count(&self->shape) > 0) {
        fault = overlap(self, other, other_stride);
    }
    if (fault) {
        error_set(reason, "%s", fault);
        return CPU_REJECTED;
    }
    return CPU_OK;
}

static enum cpu_status run(enum update update, const struct attributes *attributes,
                           const struct cpu_view *self, const struct cpu_view *other, struct error *reason)
{
    double alpha = update == ADD ? attributes_real(attributes, "alpha", 1) : 1;
    int64_t other_stride[RANK_MAX] = {0}, offset[2] = {0, 0};
    enum cpu_status status = check(self, other, alpha, other_stride, reason);
    if (status != CPU_OK) {
        return status;
    }
    const int64_t *const stride[] = {self->stride, other_stride};
    int64_t size = (int64_t)dtype_info(self->dtype)->size;
    struct cpu_walk walk = cpu_walk_start(&self->shape);
    for (; walk.left > 0; cpu_walk_next(&walk, 2, stride, offset)) {
        unsigned char *x = self->data + offset[0] * size;
        const unsigned char *y = other->data + offset[1] * size;
        switch (self->dtype) {
        case DTYPE_FLOAT16:
        case DTYPE_BFLOAT16:
        case DTYPE_FLOAT32:
            update_float(update, self->dtype, (float)alpha, x, y);
            break;
        case DTYPE_FLOAT64:
            update_double(update, alpha, x, y);
            break;
        case DTYPE_INT32:
            update_int(update, (int64_t)alpha, x, y);
            break;
        default:
            error_set(reason, "in-place update of %s is not implemented", dtype_info(self->dtype)->name);
            return CPU_UNSUPPORTED;
        }
    }
    return CPU_OK;
}

static enum cpu_status run_add(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                               int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)inputs;
    (void)outputs;
    (void)output;
    return run(ADD, attributes, &input[0], &input[1], reason);
}

static enum cpu_status run_mul(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                               int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)inputs;
    (void)outputs;
    (void)output;
    return run(MUL, attributes, &input[0], &input[1], reason);
}

static const struct cpu_op ops[] = {{"add_", run_add}, {"mul_", run_mul}};

const struct cpu_op_set cpu_op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};

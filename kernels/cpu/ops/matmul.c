/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of dense matrices: pairwise sums over blocks of 16 products, in float32 for the 16-bit types.
 * autocast rounds the operands first. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/dot.h"
#include "kernels/cpu/half.h"

#include <stdlib.h>

enum { CAST_FLOAT16 = 10, CAST_BFLOAT16 = 16 }; /* ONNX's numbers */

static double take(const struct cpu_view *view, int64_t i, int64_t cast)
{
    double x = cpu_load(view, i);
    return cast == CAST_FLOAT16    ? (double)float16_to_float(float16_from_float((float)x))
           : cast == CAST_BFLOAT16 ? (double)bfloat16_to_float(bfloat16_from_float((float)x))
                                   : x;
}

static int64_t from_end(const struct shape *shape, int d, int vector_place)
{
    if (shape->rank == 1) {
        return d == vector_place ? shape->dim[0] : 1;
    }
    return d < shape->rank ? shape->dim[shape->rank - 1 - d] : 1;
}

/* Returns the number of the operand's matrix that belongs to matrix `batch` of the result. */
static int64_t member(const struct shape *own, const struct shape *other, int64_t batch)
{
    int64_t place = 0, stride = 1;
    for (int d = 2; d < own->rank || d < other->rank; d++) {
        int64_t x = d < own->rank ? own->dim[own->rank - 1 - d] : 1;
        int64_t y = d < other->rank ? other->dim[other->rank - 1 - d] : 1, all = x == 1 ? y : x;
        place += x == 1 ? 0 : batch % all * stride;
        stride *= x;
        batch /= all;
    }
    return place;
}

static bool batches_fit(const struct shape *a, const struct shape *b)
{
    for (int d = 2; d < a->rank && d < b->rank; d++) {
        int64_t x = a->dim[a->rank - 1 - d], y = b->dim[b->rank - 1 - d];
        if (x != y && x != 1 && y != 1) {
            return false;
        }
    }
    return true;
}

static enum cpu_status check(const struct cpu_view *input, int inputs, bool linear, int64_t cast,
                             struct error *reason)
{
    const struct shape *a = &input[0].shape, *b = &input[1].shape;
    for (int i = 0; i < inputs; i++) {
        bool twice = input[i].dtype == DTYPE_FLOAT64, first = input[0].dtype == DTYPE_FLOAT64;
        if (!dtype_is_real(input[i].dtype) || twice != first || (!cast && input[i].dtype != input[0].dtype)) {
            return cpu_reject(reason, "the operands' dtypes do not fit");
        }
    }
    if (a->rank == 0 || b->rank == 0 || (linear && b->rank != 2) ||
        from_end(a, 0, 0) != from_end(b, linear ? 0 : 1, 1) || (!linear && !batches_fit(a, b))) {
        return cpu_reject(reason, "the shapes cannot be multiplied");
    }
    if (inputs > 2 && (input[2].shape.rank != 1 || input[2].shape.dim[0] != b->dim[0])) {
        return cpu_reject(reason, "bias must have one element for each row of weight");
    }
    return CPU_OK;
}

struct product {
    const struct cpu_view *a, *b, *bias; /* bias NULL: absent */
    bool linear;
    int64_t m, k, n;
};

static int64_t left_of(const struct product *p, int64_t batch)
{
    const struct shape flat = {.rank = 0};
    return member(&p->a->shape, p->linear ? &flat : &p->b->shape, batch);
}

static int64_t right_of(const struct product *p, int64_t batch)
{
    return p->linear ? 0 : member(&p->b->shape, &p->a->shape, batch);
}

/* The products in one precision: rows of a times rows of bᵀ, both copied to contiguous memory. */
#define DEFINE_PRODUCTS(real)                                                                                \
    static bool multiply_##real(const struct product *p, int64_t cast, const struct cpu_view *output,        \
                                struct error *reason)                                                        \
    {                                                                                                        \
        int64_t lefts = shape_elements(&p->a->shape), rights = shape_elements(&p->b->shape);                 \
        int64_t count = shape_elements(&output->shape), k = p->k;                                            \
        real *a = cpu_allocate(lefts, sizeof *a, reason), *b = cpu_allocate(rights, sizeof *b, reason);      \
        for (int64_t i = 0; a && b && i < lefts; i++) {                                                      \
            a[i] = (real)take(p->a, i, cast);                                                                \
        }                                                                                                    \
        for (int64_t i = 0; a && b && i < rights; i++) { /* transposed, matrix by matrix */                  \
            int64_t at = p->linear ? i : i / (k * p->n) * k * p->n + i % p->n * k + i / p->n % k;            \
            b[at] = (real)take(p->b, i, cast);                                                               \
        }                                                                                                    \
        for (int64_t e = 0; a && b && e < count; e++) {                                                      \
            int64_t batch = e / (p->m * p->n), i = e / p->n % p->m, j = e % p->n;                            \
            const real *row = a + (left_of(p, batch) * p->m + i) * k;                                        \
            real y = dot_##real(row, b + (right_of(p, batch) * p->n + j) * k, k);                            \
            cpu_store(output, e, (double)(p->bias ? y + (real)take(p->bias, j, cast) : y));                  \
        }                                                                                                    \
        free(a);                                                                                             \
        free(b);                                                                                             \
        return a && b;                                                                                       \
    }

DEFINE_PRODUCTS(float)
DEFINE_PRODUCTS(double)

static bool multiply(const struct cpu_view *input, int inputs, bool linear, int64_t cast,
                     const struct cpu_view *output, struct error *reason)
{
    const struct shape *a = &input[0].shape, *b = &input[1].shape;
    const struct product p = {.a = &input[0],
                              .b = &input[1],
                              .bias = inputs > 2 ? &input[2] : NULL,
                              .linear = linear,
                              .m = from_end(a, 1, 0),
                              .k = from_end(a, 0, 0),
                              .n = linear ? b->dim[0] : from_end(b, 0, 1)};
    return input[0].dtype == DTYPE_FLOAT64 ? multiply_double(&p, 0, output, reason)
                                           : multiply_float(&p, cast, output, reason);
}

enum { LINEAR = 1, AUTOCAST = 2, VECTOR = 4 }; /* flags of the variants */

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    bool linear = op->variant & LINEAR, autocast = op->variant & AUTOCAST;
    int64_t cast = autocast ? attributes_integer(attributes, "dtype", 0) : 0;
    if (autocast && cast != CAST_FLOAT16 && cast != CAST_BFLOAT16) {
        return cpu_reject(reason, "dtype must be 10 (float16) or 16 (bfloat16)");
    }
    inputs = inputs > 2 && !input[2].data ? 2 : inputs;
    if ((op->variant & VECTOR) && (input[0].shape.rank != 2 || input[1].shape.rank != 1)) {
        return cpu_reject(reason, "mv multiplies a matrix by a vector");
    }
    enum cpu_status status = check(input, inputs, linear, cast, reason);
    if (status == CPU_OK && outputs > 0) {
        return multiply(input, inputs, linear, cast, output, reason) ? CPU_OK : CPU_OUT_OF_MEMORY;
    }
    return status;
}

static const struct cpu_op ops[] = {{.name = "matmul", .variant = 0, .run = run},
                                    {.name = "mv", .variant = VECTOR, .run = run},
                                    {.name = "linear", .variant = LINEAR, .run = run},
                                    {.name = "autocast_matmul", .variant = AUTOCAST, .run = run},
                                    {.name = "autocast_linear", .variant = LINEAR | AUTOCAST, .run = run}};

const struct cpu_op_set cpu_op_set_matmul = {.op = ops, .count = sizeof ops / sizeof *ops};

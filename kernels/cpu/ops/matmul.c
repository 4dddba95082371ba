/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of dense matrices in plain C: pairwise sums of runs of 16 products, in float for the 16-bit
 * formats; autocast rounds the operands first. */

#include "kernels/cpu/half.h"
#include "kernels/cpu/witness.h"

enum { RUN = 16, CAST_FLOAT16 = 10, CAST_BFLOAT16 = 16 }; /* ONNX's numbers */

/* Rows of `a` times columns of `b`, for one batch. */
struct lines {
    const struct cpu_view *a, *b;
    int64_t a_at, b_at, a_step, b_step, cast; /* places in row-major order */
};

static double take(const struct cpu_view *view, int64_t i, int64_t cast)
{
    double x = cpu_load(view, i);
    return cast == CAST_FLOAT16    ? (double)float16_to_float(float16_from_float((float)x))
           : cast == CAST_BFLOAT16 ? (double)bfloat16_to_float(bfloat16_from_float((float)x))
                                   : x;
}

#define DEFINE_DOT(name, real)                                                                               \
    static real name(const struct lines *l, int64_t from, int64_t count)                                     \
    {                                                                                                        \
        real sum = 0;                                                                                        \
        if (count > RUN) {                                                                                   \
            int64_t half = (count / RUN + 1) / 2 * RUN;                                                      \
            return name(l, from, half) + name(l, from + half, count - half);                                 \
        }                                                                                                    \
        for (int64_t k = from; k < from + count; k++) {                                                      \
            sum += (real)take(l->a, l->a_at + k * l->a_step, l->cast) *                                      \
                   (real)take(l->b, l->b_at + k * l->b_step, l->cast);                                       \
        }                                                                                                    \
        return sum;                                                                                          \
    }

DEFINE_DOT(dot_float, float)
DEFINE_DOT(dot_double, double)

static int64_t from_end(const struct shape *shape, int d, int vector_place)
{
    if (shape->rank == 1) {
        return d == vector_place ? shape->dim[0] : 1;
    }
    return d < shape->rank ? shape->dim[shape->rank - 1 - d] : 1;
}

/* Which matrix of an operand batch number `batch` of the result takes. */
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

static enum cpu_status refuse(struct error *reason, const char *text)
{
    error_set(reason, "%s", text);
    return CPU_REJECTED;
}

static enum cpu_status check(const struct cpu_view *input, int inputs, bool linear, int64_t cast,
                             struct error *reason)
{
    const struct shape *a = &input[0].shape, *b = &input[1].shape;
    for (int i = 0; i < inputs; i++) {
        bool twice = input[i].dtype == DTYPE_FLOAT64, first = input[0].dtype == DTYPE_FLOAT64;
        if (!cpu_is_real(input[i].dtype) || twice != first || (!cast && input[i].dtype != input[0].dtype)) {
            return refuse(reason, "the operands' dtypes do not fit");
        }
    }
    if (a->rank == 0 || b->rank == 0 || (linear && b->rank != 2) ||
        from_end(a, 0, 0) != from_end(b, linear ? 0 : 1, 1) || (!linear && !batches_fit(a, b))) {
        return refuse(reason, "the shapes cannot be multiplied");
    }
    if (inputs > 2 && (input[2].shape.rank != 1 || input[2].shape.dim[0] != b->dim[0])) {
        return refuse(reason, "bias must have one element for each row of weight");
    }
    return CPU_OK;
}

static void multiply(const struct cpu_view *input, int inputs, bool linear, int64_t cast,
                     const struct cpu_view *output)
{
    const struct shape *a = &input[0].shape, *b = &input[1].shape;
    const struct shape flat = {.rank = 0};
    int64_t k = from_end(a, 0, 0), m = from_end(a, 1, 0);
    int64_t n = linear ? b->dim[0] : from_end(b, 0, 1), count = shape_elements(&output->shape);
    for (int64_t e = 0; e < count; e++) {
        int64_t batch = e / (m * n), i = e / n % m, j = e % n;
        struct lines l = {
            .a = &input[0], .b = &input[1], .a_step = 1, .b_step = linear ? 1 : n, .cast = cast};
        l.a_at = member(a, linear ? &flat : b, batch) * m * k + i * k;
        l.b_at = linear ? j * k : member(b, a, batch) * k * n + j;
        double bias = inputs > 2 ? take(&input[2], j, cast) : 0;
        if (input[0].dtype == DTYPE_FLOAT64) {
            double y = dot_double(&l, 0, k);
            cpu_store(output, e, inputs > 2 ? y + bias : y);
        } else {
            float y = dot_float(&l, 0, k);
            cpu_store(output, e, (double)(inputs > 2 ? y + (float)bias : y));
        }
    }
}

enum { LINEAR = 1, AUTOCAST = 2 }; /* flags of the variants */

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    bool linear = op->variant & LINEAR, autocast = op->variant & AUTOCAST;
    int64_t cast = autocast ? attributes_integer(attributes, "dtype", 0) : 0;
    if (autocast && cast != CAST_FLOAT16 && cast != CAST_BFLOAT16) {
        return refuse(reason, "dtype must be 10 (float16) or 16 (bfloat16)");
    }
    inputs = inputs > 2 && !input[2].data ? 2 : inputs;
    enum cpu_status status = check(input, inputs, linear, cast, reason);
    if (status == CPU_OK && outputs > 0) {
        multiply(input, inputs, linear, input[0].dtype == DTYPE_FLOAT64 ? 0 : cast, output);
    }
    return status;
}

static const struct cpu_op ops[] = {{.name = "matmul", .variant = 0, .run = run},
                                    {.name = "linear", .variant = LINEAR, .run = run},
                                    {.name = "autocast_matmul", .variant = AUTOCAST, .run = run},
                                    {.name = "autocast_linear", .variant = LINEAR | AUTOCAST, .run = run}};

const struct cpu_op_set cpu_op_set_matmul = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of int8 matrices, summed modulo 2^32. int8_linear converts the sum to float32 and multiplies it by
 * one scale after the other. */

#include "kernels/cpu/cpu_backend.h"

#include <string.h>

enum { INT_MM, INT8_LINEAR };

static int32_t sum_of(const struct cpu_view *a, const struct cpu_view *b, bool linear, int64_t row,
                      int64_t column)
{
    int64_t k = a->shape.dim[a->shape.rank - 1];
    uint32_t sum = 0;
    for (int64_t t = 0; t < k; t++) {
        int8_t x = (int8_t)*cpu_at(a, row * k + t);
        int8_t y = (int8_t)b->data[linear ? column * b->stride[0] + t * b->stride[1]
                                          : t * b->stride[0] + column * b->stride[1]];
        sum += (uint32_t)(x * y);
    }
    int32_t result;
    memcpy(&result, &sum, sizeof result);
    return result;
}

static bool fits(bool linear, const struct cpu_view *input)
{
    const struct shape *a = &input[0].shape, *b = &input[1].shape;
    if (input[0].dtype != DTYPE_INT8 || input[1].dtype != DTYPE_INT8 || b->rank != 2 || a->rank < 1 ||
        (!linear && a->rank != 2) || a->dim[a->rank - 1] != b->dim[linear]) {
        return false;
    }
    return !linear ||
           (input[2].shape.rank == 0 && input[3].shape.rank == 1 && input[3].shape.dim[0] == b->dim[0]);
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)attributes, (void)inputs, (void)outputs;
    bool linear = op->variant == INT8_LINEAR;
    if (!fits(linear, input)) {
        return cpu_reject(reason,
                          "int8 matrices whose inner dimensions agree are multiplied, by scales that fit");
    }
    int64_t n = output->shape.dim[output->shape.rank - 1];
    for (int64_t i = 0; i < shape_elements(&output->shape); i++) {
        int32_t sum = sum_of(&input[0], &input[1], linear, i / n, i % n);
        if (linear) {
            float result = (float)sum * (float)cpu_load(&input[2], 0) * (float)cpu_load(&input[3], i % n);
            cpu_store(output, i, (double)result);
        } else {
            memcpy(cpu_at(output, i), &sum, sizeof sum);
        }
    }
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "int_mm", .variant = INT_MM, .run = run},
                                    {.name = "int8_linear", .variant = INT8_LINEAR, .run = run}};
const struct cpu_op_set cpu_op_set_int_mm = {.op = ops, .count = sizeof ops / sizeof *ops};

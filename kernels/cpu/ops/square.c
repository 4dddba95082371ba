/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* square. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/half.h"

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)op, (void)attributes, (void)inputs, (void)outputs;
    enum dtype dtype = input[0].dtype;
    if (dtype != DTYPE_FLOAT16 && dtype != DTYPE_FLOAT32 && dtype != DTYPE_INT32) {
        error_set(reason, "the CPU backend has no square for %s", dtype_info(dtype)->name);
        return CPU_UNSUPPORTED;
    }
    int64_t count = shape_elements(&output[0].shape);
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, cpu_at(&input[0], i), dtype_info(dtype)->size);
        float x = dtype == DTYPE_FLOAT16 ? float16_to_float((uint16_t)bits) : half_from_bits32(bits);
        bits = dtype == DTYPE_INT32     ? bits * bits
               : dtype == DTYPE_FLOAT16 ? float16_from_float(x * x)
                                        : half_bits32(x * x);
        memcpy(cpu_at(&output[0], i), &bits, dtype_info(dtype)->size);
    }
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "square", .run = run}};

const struct cpu_op_set cpu_op_set_square = {.op = ops, .count = 1};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* to and clone: converts every element to the dtype of the output. */

#include "kernels/cpu/convert.h"

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)op, (void)attributes, (void)inputs, (void)outputs, (void)reason;
    for (int64_t i = 0; i < shape_elements(&output->shape); i++) {
        cpu_convert(input->dtype, cpu_at(input, i), output->dtype, cpu_at(output, i));
    }
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "to", .run = run}, {.name = "clone", .run = run}};
const struct cpu_op_set cpu_op_set_conversion = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* square: x·x.
 *
 * Definition: PyTorch torch.square. The result is one correctly rounded product, to the bit (rule 10); int32
 * wraps. The truth is exact, because the significands have at most 24 bits. */

#include "reference/operator/op.h"

#include <math.h>
#include <string.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_INT32 };

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = &operands->input[0];
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = x->dtype;
    out->output[0].shape = x->shape;
    return (op->dtypes >> x->dtype & 1) ||
           error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct tensor *x = &call->input[0];
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; x->dtype == DTYPE_FLOAT32 && i < out->elements; i++) {
        float value;
        memcpy(&value, x->data + (size_t)i * sizeof value, sizeof value);
        double square = (double)value * (double)value;
        out->value[i] = isfinite(square) ? (struct value){.hi = square, .exact = true} : value_of(square);
    }
    for (int64_t i = 0; x->dtype != DTYPE_FLOAT32 && i < out->elements; i++) {
        double value = tensor_component(x, i);
        uint32_t wrapped = x->dtype == DTYPE_INT32 ? (uint32_t)(int64_t)value : 0;
        out->value[i] =
            value_of(x->dtype == DTYPE_INT32 ? (double)(int32_t)(wrapped * wrapped) : value * value);
    }
    return true;
}

static const struct op ops[] = {{.family = "elementwise",
                                 .name = "square",
                                 .operands = {{"input", OPERAND_READ}},
                                 .outputs = 1,
                                 .elementwise = true,
                                 .dtypes = DTYPES,
                                 .signature = signature,
                                 .one_rounding = op_rounds_once,
                                 .truth = truth}};

const struct op_set op_set_square = {.op = ops, .count = 1};

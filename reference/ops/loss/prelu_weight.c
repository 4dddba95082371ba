/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* prelu_backward_weight: the gradient of prelu by the weight, the second result of ATen's
 * _prelu_kernel_backward, summed over all elements that share one weight, as autograd does.
 *
 * Definition: PyTorch's torch.nn.functional.prelu. For each channel Σ grad_output·input over the inputs that
 * are not positive; positive inputs do not count, whatever grad_output is. An empty channel gives 0. The
 * weight's numbers are not used: the result has its shape.
 *
 * A call is lowered to a row-wise sum (reference/ops/rowwise/rowwise.h): a row is all of a channel, or the
 * whole input if there is one weight. */

#include "reference/operator/lowering.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/rowwise/rowwise.h"

enum { GRAD, INPUT, WEIGHT };

static const struct op rows = {.name = "prelu_backward_weight",
                               .outputs = 1,
                               .dtypes = ROWWISE_FLOATS,
                               .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}},
                               ROWWISE_BY_FORMULA,
                               .accept = rowwise_accept_formula,
                               ROWWISE_ROW(.formula = "sum(x > 0 ? 0 : grad * x)", .open_zero = true)};

#define OPERANDS                                                                                             \
    {                                                                                                        \
        {"grad_output", OPERAND_READ}, {"input", OPERAND_READ},                                              \
        {                                                                                                    \
            "weight", OPERAND_READ                                                                           \
        }                                                                                                    \
    }

/* Checks operands as for the gradient by the input. */
static const struct op of_input = {.name = "prelu_backward_weight",
                                   .operands = OPERANDS,
                                   .dtypes = ELEMENTWISE_FLOATS,
                                   ELEMENTWISE_ROW(.views = VIEWS_CHANNELS)};

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    (void)op;
    bool good = elementwise_signature(&of_input, operands, out, reason);
    out->output[0].shape = operands->input[WEIGHT].shape;
    return good;
}

static const struct op *stands_for(const struct op *op, const struct attributes *attributes)
{
    (void)op;
    (void)attributes;
    return &rows;
}

/* Returns `dim`: all dimensions except that of the channels; absent, that is all of them, if there is one
 * weight. */
static struct attributes summed_over(const struct op_call *call)
{
    struct attributes attributes = {.count = 0};
    struct integers others = {.count = 0};
    for (int d = 0; d < call->input[INPUT].shape.rank; d++) {
        if (d != 1) {
            others.item[others.count++] = d;
        }
    }
    if (shape_elements(&call->input[WEIGHT].shape) != 1) {
        attributes.count = 1;
        attributes.item[0] =
            (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = others};
    }
    return attributes;
}

static bool lower(struct lowered_call *s, const struct op_call *call)
{
    s->attributes = summed_over(call);
    s->call.attributes = &s->attributes;
    for (int k = 0; k < WEIGHT; k++) {
        s->input[k] = call->input[k];
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    const struct attributes attributes = summed_over(call);
    struct op_call inner = *call;
    inner.op = &rows;
    inner.inputs = WEIGHT;
    inner.attributes = &attributes;
    return rowwise_sensitivities(&inner, output);
}

static const struct op ops[] = {
    {.family = "elementwise",
     .name = "prelu_backward_weight",
     .operands = OPERANDS,
     .outputs = 1,
     .dtypes = ELEMENTWISE_FLOATS,
     .signature = signature,
     .lowering = &(const struct lowering){.op = stands_for, .lower = lower},
     .sensitivities = sensitivities,
     LOWERING_TRUTHS,
     LOWERING_LIMITS},
};

const struct op_set op_set_prelu_weight = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* prelu_backward_weight: the second result of ATen's _prelu_kernel_backward, with respect to the weight,
 * summed over all that one weight stands for, as autograd does.
 *
 * Definition: PyTorch's torch.nn.functional.prelu. Of each channel Σ grad_output·input where the input is not
 * positive; what it is at positive ones does not count, whatever grad_output is. Of nothing 0. The weight
 * itself is not looked at: the result has its shape.
 *
 * A call is one of the row kit (reference/rowwise.h): a row is all of a channel, or of the whole where there
 * is one weight. */

#include "reference/bound_memo.h"
#include "reference/elementwise.h"
#include "reference/rowwise.h"

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

/* Operands fit where those of the input's gradient do. */
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

/* The call as the row kit takes it. */
struct summed {
    struct op_call call;
    struct attributes attributes;
};

static const struct op_call *as_rows(const struct op_call *call, struct summed *s)
{
    const int rank = call->input[INPUT].shape.rank;
    struct integers others = {.count = 0};
    for (int d = 0; d < rank; d++) {
        if (d != 1) {
            others.item[others.count++] = d;
        }
    }
    *s = (struct summed){.call = *call};
    if (shape_elements(&call->input[WEIGHT].shape) != 1) {
        s->attributes.count = 1;
        s->attributes.item[0] =
            (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = others};
    }
    s->call.op = &rows;
    s->call.inputs = WEIGHT;
    s->call.attributes = &s->attributes;
    return &s->call;
}

static bool whole_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct summed s;
    return rowwise_truth(as_rows(call, &s), truth, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct summed s;
    return rowwise_enclose(as_rows(call, &s), truth, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct summed s;
    return rowwise_certify(as_rows(call, &s), truth, output, element, error);
}

static int sensitivities(const struct op_call *call, int output)
{
    struct summed s;
    return rowwise_sensitivities(as_rows(call, &s), output);
}

static struct bound_query of_rows(const struct bound_query *query)
{
    struct bound_query inner = *query;
    inner.op = &rows;
    return inner;
}

static double bound(const struct bound_query *query)
{
    const struct bound_query inner = of_rows(query);
    return op_bound(&inner);
}

static double allowance(const struct bound_query *query)
{
    const struct bound_query inner = of_rows(query);
    return op_allowance(&inner);
}

static void accepts(const struct bound_query *query, struct accept *accept)
{
    const struct bound_query inner = of_rows(query);
    rowwise_accept_formula(&inner, accept);
}

static const struct op ops[] = {
    {.family = "elementwise",
     .name = "prelu_backward_weight",
     .operands = OPERANDS,
     .outputs = 1,
     .dtypes = ELEMENTWISE_FLOATS,
     .signature = signature,
     .truth = whole_truth,
     .enclose = enclose,
     .certify = certify,
     .sensitivities = sensitivities,
     .bound = bound,
     .allowance = allowance,
     .accept = accepts},
};

const struct op_set op_set_prelu_weight = {.op = ops, .count = sizeof ops / sizeof *ops};

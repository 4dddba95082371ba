/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss and its gradient by the input: −weight·input at the place that the target names.
 *
 * Definition: PyTorch's torch.nn.functional.nll_loss. input [C], [N, C] or [N, C, d…], target (int64) the
 * same without C, weight [C]. A target equal to ignore_index counts for nothing; any other target lies in [0,
 * C). The mean divides by the sum of the weights of the targets that count: NaN if there are none. The
 * gradient is 0 at all other places, whatever grad_output is.
 *
 * Gathered numbers are judged by formulas of the element-wise and the row-wise class
 * (reference/ops/loss/loss.h): x is the input at the target, z the weight there, 0 where the target does not
 * count, and count the number of targets that count, or −1 for a call with weights, whose sum is rounded. */

#include "reference/ops/loss/class_loss.h"
#include "reference/ops/loss/loss.h"

#include <math.h>

enum { COUNT = 2, GIVEN }; /* operands of the lowered call */

#define OVER "c = row_max(count); t = c >= 0 ? c : sum(z); "
#define PICKED                                                                                               \
    {"input", OPERAND_READ},                                                                                 \
    {                                                                                                        \
        "weight", OPERAND_READ                                                                               \
    }
#define COUNTED                                                                                              \
    PICKED,                                                                                                  \
    {                                                                                                        \
        "count", OPERAND_READ                                                                                \
    }
#define OWN .name = "nll_loss", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS
#define ROWS(...)                                                                                            \
    OWN, ROWWISE_BY_FORMULA, .accept = rowwise_accept_formula, .operands = {COUNTED}, ROWWISE_ROW(__VA_ARGS__)
static const struct loss_forms forward = {
    {[LOSS_NONE] = {OWN, .elementwise = true, ELEMENTWISE_BY_FORMULA, .accept = elementwise_accept_formula,
                    .operands = {PICKED}, ELEMENTWISE_ROW(.formula = "-(x * y)", .open_zero = true)},
     [LOSS_MEAN] = {ROWS(.formula = OVER "sum(-(x * z)) / t", .empty = NAN, .open_zero = true)},
     [LOSS_SUM] = {ROWS(.formula = "sum(-(x * z))", .open_zero = true)}}};

#define MAP(...)                                                                                             \
    .name = "nll_loss_backward", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, ROWWISE_BY_FORMULA,             \
    .accept = rowwise_accept_formula,                                                                        \
    .operands = {{"grad_output", OPERAND_READ}, {"weight", OPERAND_READ}, {"count", OPERAND_READ}},          \
    ROWWISE_ROW(.maps = true, .open_zero = true, __VA_ARGS__)
static const struct loss_forms backward = {
    {[LOSS_NONE] = {MAP(.formula = "z == 0 ? 0 : -(z * grad)")},
     [LOSS_SUM] = {MAP(.formula = "z == 0 ? 0 : -(z * grad)")},
     [LOSS_MEAN] = {MAP(.formula = OVER "z == 0 ? 0 : -(z * grad) / t",
                        .form = OVER "z == 0 ? 0 : -(z * (grad / t))")}}};

static bool is_gradient(const struct op *op)
{
    return op->variant != 0;
}

static const struct op *stands_for(const struct op *op, const struct attributes *attributes)
{
    return &(is_gradient(op) ? &backward : &forward)
                ->op[attributes_integer(attributes, "reduction", LOSS_MEAN)];
}

/* --- calls */

/* Returns the sample of judged element i, and the class that its target names; −1 where the element counts
 * for nothing. */
static int64_t sample_of(const struct class_loss_lay *lay, const struct op_call *call, int64_t i,
                         int64_t *target)
{
    const int first = is_gradient(call->op);
    const int64_t sample = first ? i / (lay->classes * lay->inner) * lay->inner + i % lay->inner : i;
    *target = class_loss_target(&call->input[first + 1], sample);
    bool counts = *target != class_loss_ignored(call->attributes) &&
                  (!first || *target == i / lay->inner % lay->classes);
    *target = counts ? *target : -1;
    return sample;
}

static double targets_counted(const struct op_call *call, const struct tensor *target)
{
    double count = 0;
    for (int64_t i = 0; i < shape_elements(&target->shape); i++) {
        count += class_loss_target(target, i) != class_loss_ignored(call->attributes);
    }
    return count;
}

/* Gathers the operands of the lowered call, in the shape of the input for a gradient, else of the target. */
static bool gather(struct lowered_call *s, const struct op_call *call)
{
    const int first = is_gradient(call->op);
    const struct tensor *x = &call->input[first], *weight = call->inputs > first + 2 ? x + 2 : NULL;
    const struct tensor *target = x + 1;
    const struct shape *shape = first ? &x->shape : &target->shape;
    const struct class_loss_lay lay = class_loss_lay(&x->shape);
    const double count = targets_counted(call, target);
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    for (int k = 0; k < s->call.inputs; k++) {
        s->own[k] = true;
        if (!tensor_create(&s->input[k], DTYPE_FLOAT64, shape)) {
            return false;
        }
    }
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        int64_t t, sample = sample_of(&lay, call, i, &t);
        int64_t at =
            first ? (call->input[0].shape.rank == 0 ? 0 : sample) : class_loss_element(&lay, sample, t);
        tensor_put(&s->input[0], i, t < 0 ? 0 : tensor_component(first ? &call->input[0] : x, at));
        tensor_put(&s->input[1], i, t < 0 ? 0 : weight ? tensor_component(weight, t) : 1);
        if (s->call.inputs > COUNT) {
            tensor_put(&s->input[COUNT], i, weight ? -1 : count);
        }
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    const int first = is_gradient(call->op);
    struct tensor input[GIVEN] = {
        {.dtype = call->input[first].dtype, .shape = call->input[first + !first].shape}};
    struct op_call inner = *call;
    inner.op = stands_for(call->op, call->attributes);
    inner.inputs = op_inputs_max(inner.op);
    inner.input = input;
    return inner.op->sensitivities(&inner, output);
}

static const struct lowering lowering = {.op = stands_for, .lower = gather};

#define NLL(name_, variant_, ...)                                                                            \
    {                                                                                                        \
        .family = "loss", .name = name_, .variant = variant_, .operands = {__VA_ARGS__}, .outputs = 1,       \
        .dtypes = ELEMENTWISE_FLOATS,                                                                        \
        .attributes = {{"reduction", ATTRIBUTE_CHOICE}, {"ignore_index", ATTRIBUTE_INTEGER}},                \
        .defaults = {{"reduction", DEFAULT_VALUE, LOSS_MEAN}, {"ignore_index", DEFAULT_VALUE, -100}},        \
        LOSS_REDUCTION, .signature = class_loss_signature, .lowering = &lowering, LOWERING_TRUTHS,           \
        .sensitivities = sensitivities, LOWERING_LIMITS, .bounded = true                                     \
    }
#define OPERANDS                                                                                             \
    {"input", OPERAND_READ}, {"target", OPERAND_INDICES},                                                    \
    {                                                                                                        \
        "weight", OPERAND_OPTIONAL                                                                           \
    }
static const struct op ops[] = {
    NLL("nll_loss", 0, OPERANDS),
    NLL("nll_loss_backward", 1, {"grad_output", OPERAND_READ}, OPERANDS),
};

const struct op_set op_set_nll_loss = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* copy_, fill_, masked_fill_: elements are copied or converted, not computed.
 *
 * Definitions: PyTorch Tensor.copy_(src), fill_(value), masked_fill_(mask, value), where mask is a bool
 * tensor that broadcasts to self. A copy within a dtype, and the elements that masked_fill_ does not fill,
 * must keep every bit, including −0, subnormals and the payload of a NaN, also on devices that flush
 * subnormals. A copy into another dtype follows reference/ops/conversion/conversion_rules.h. Operands are
 * rejected as in inplace.c; but fill_ accepts a self that refers to an element twice. */

#include "reference/ops/conversion/conversion_rules.h"
#include "reference/ops/inplace/inplace_operands.h"

static bool copies_bits(const struct op_call *call)
{
    return call->input[1].dtype == call->input[0].dtype;
}

static bool always(const struct op_call *call)
{
    (void)call;
    return true;
}

static bool copy_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason)
{
    *signature = (struct op_signature){.outputs = 0};
    for (int i = 0; i < 2; i++) {
        if (!(op->dtypes >> operands->input[i].dtype & 1)) {
            return error_set(reason, "%s: dtype %s is not supported", op->name,
                             dtype_info(operands->input[i].dtype)->name);
        }
    }
    return inplace_memory(op, operands, reason);
}

static bool copy_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        enum conversion kind;
        const unsigned char *bytes = inplace_bytes(call, 1, &out->shape, i);
        out->value[i] = conversion_of(call->input[1].dtype, bytes, out->dtype, &kind);
        out->sensitivity[i] = kind;
    }
    return true;
}

/* The acceptance set of fill_, whose value is a float64 number that is converted. */
static void filled_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_converted(accept, out->dtype, query->profile, &out->value[query->element]);
}

static bool fill_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason)
{
    *signature = (struct op_signature){.outputs = 0};
    if (!(op->dtypes >> operands->input[0].dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name,
                         dtype_info(operands->input[0].dtype)->name);
    }
    return true;
}

static struct value filling(const struct op_call *call, enum dtype dtype)
{
    return dtype_is_floating(dtype)
               ? value_of(attributes_real(call->attributes, "value", 0))
               : inplace_wrapped(dtype, (uint64_t)attributes_integer(call->attributes, "value", 0));
}

static bool fill_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        out->value[i] = filling(call, out->dtype);
    }
    return true;
}

static bool masked_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *signature, struct error *reason)
{
    if (operands->input[1].dtype != DTYPE_BOOL) {
        return error_set(reason, "%s: the mask must be bool", op->name);
    }
    return fill_signature(op, operands, signature, reason) && inplace_memory(op, operands, reason);
}

static bool masked_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        bool masked = inplace_integer(call, 1, &out->shape, i) != 0;
        out->value[i] = masked ? filling(call, out->dtype)
                               : value_of_element(out->dtype, inplace_bytes(call, 0, &out->shape, i));
        out->sensitivity[i] = masked ? CONVERSION_ROUNDS : CONVERSION_MOVES;
    }
    return true;
}

#define ROW(name_, dtypes_, ...)                                                                             \
    {                                                                                                        \
        .family = "inplace", .name = name_, .dtypes = dtypes_, .elementwise = true, __VA_ARGS__              \
    }

static const struct op ops[] = {
    ROW("copy_", INPLACE_DTYPES, .operands = {{"self", OPERAND_MUTATED}, {"src", OPERAND_READ}},
        .signature = copy_signature, .truth = copy_truth, .sensitivities = conversion_sensitivities,
        .moves = copies_bits, .one_rounding = conversion_is_defined, .accept = conversion_accept),
    ROW("fill_", INPLACE_DTYPES, .operands = {{"self", OPERAND_MUTATED}},
        .attributes = {{"value", ATTRIBUTE_NUMBER}}, .signature = fill_signature, .truth = fill_truth,
        .moves = always, .one_rounding = op_rounds_once, .accept = filled_accept),
    ROW("masked_fill_", INPLACE_DTYPES, .operands = {{"self", OPERAND_MUTATED}, {"mask", OPERAND_READ}},
        .attributes = {{"value", ATTRIBUTE_NUMBER}}, .signature = masked_signature, .truth = masked_truth,
        .sensitivities = conversion_sensitivities, .moves = always, .one_rounding = conversion_is_defined,
        .accept = conversion_accept),
};

const struct op_set op_set_inplace_copy = {.op = ops, .count = sizeof ops / sizeof *ops};

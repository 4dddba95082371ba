/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Arithmetic that writes its result into self or into a last operand `out`.
 *
 * Definition: PyTorch Tensor.add_(other, *, alpha=1), sub_, mul_, div_, addcmul_(t1, t2, *, value=1),
 * addcdiv_, lerp_(end, weight), whose weight is a tensor or a number; and torch.add(self, other, *, alpha=1,
 * out), sub, mul, div, which are called add_out, … here (PyTorch's overload add.out). Values and acceptance
 * sets are those of the functional operators (reference/ops/elementwise/arithmetic.h). Operands broadcast to
 * the written one, never the other way. Integers wrap modulo 2^bits and cannot hold a quotient. Must be
 * rejected: a written view that overlaps itself, an operand that shares part of its memory without being the
 * same view, a broadcasting self, a floating operand into an integer self, a fractional alpha for
 * integers. */

#include "reference/ops/elementwise/arithmetic.h"
#include "reference/ops/inplace/inplace_operands.h"

static bool lerp_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason)
{
    bool tensor = operands->inputs > 2 && operands->input[2].storage >= 0;
    if (tensor == attributes_given(operands->attributes, "weight")) {
        return error_set(reason, "%s: a weight must be given, as a tensor or a number, and only one",
                         op->name);
    }
    return inplace_signature(op, operands, signature, reason);
}

#define FORMULA(row_)                                                                                        \
    .family = "inplace", .elementwise = true, ELEMENTWISE_BY_FORMULA, .bounded = true,                       \
    .row = &arithmetic_##row_
#define EITHER   .accept = elementwise_accept_either, .accepts_rounded = true
#define SPECIALS .accept = elementwise_accept_formula
#define ALPHA    .attributes = {{"alpha", ATTRIBUTE_NUMBER}}, .defaults = {{"alpha", DEFAULT_VALUE, 1}}
#define VALUE    .attributes = {{"value", ATTRIBUTE_NUMBER}}, .defaults = {{"value", DEFAULT_VALUE, 1}}
#define WHOLE    .dtypes = INPLACE_DTYPES, .signature = inplace_signature
#define QUOTIENT .dtypes = INPLACE_DTYPES, .signature = inplace_quotient_signature

/* The operator in place, and the one with an additional operand `out`. */
#define TWO(name_, ...)                                                                                      \
    {FORMULA(name_), EITHER, .name = #name_ "_",                                                             \
     .operands = {{"self", OPERAND_MUTATED}, {"other", OPERAND_READ}}, __VA_ARGS__},                         \
    {                                                                                                        \
        FORMULA(name_), EITHER,                                                                              \
            .name = #name_ "_out",                                                                           \
            .operands = {{"input", OPERAND_READ}, {"other", OPERAND_READ}, {"out", OPERAND_MUTATED}},        \
            __VA_ARGS__                                                                                      \
    }
#define THREE(name_, second, third, role, ...)                                                               \
    {                                                                                                        \
        FORMULA(name_), SPECIALS,                                                                            \
            .name = #name_ "_",                                                                              \
            .operands = {{"self", OPERAND_MUTATED}, {second, OPERAND_READ}, {third, role}}, __VA_ARGS__      \
    }

static const struct op ops[] = {
    TWO(add, WHOLE, ALPHA, .plain = true),
    TWO(sub, WHOLE, ALPHA, .plain = true),
    TWO(mul, WHOLE, .plain = true),
    TWO(div, QUOTIENT),
    THREE(addcmul, "tensor1", "tensor2", OPERAND_READ, WHOLE, VALUE),
    THREE(addcdiv, "tensor1", "tensor2", OPERAND_READ, QUOTIENT, VALUE),
    THREE(lerp, "end", "weight", OPERAND_OPTIONAL, .dtypes = INPLACE_FLOATS, .signature = lerp_signature,
          .attributes = {{"weight", ATTRIBUTE_REAL}}),
};

const struct op_set op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};

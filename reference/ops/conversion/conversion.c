/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* to, clone: copies a tensor to another dtype, or bit by bit.
 *
 * Definitions: PyTorch Tensor.to(dtype) and torch.clone. For the dtype that the tensor already has, `to`
 * returns the tensor itself, so every bit is kept. Rules and sources:
 * reference/ops/conversion/conversion_rules.h. clone takes complex64 too; a conversion of it to a real dtype
 * would drop a part (PyTorch warns). */

#include "reference/ops/conversion/conversion_rules.h"

enum {
    REALS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    NUMBERS = REALS | 1U << DTYPE_INT8 | 1U << DTYPE_UINT8 | 1U << DTYPE_INT32 | 1U << DTYPE_INT64,
    ALL = NUMBERS | 1U << DTYPE_BOOL | 1U << DTYPE_COMPLEX64
};

/* Returns the dtype that the attribute names; the number of a word is the dtype itself. */
static enum dtype target_of(const struct attributes *attributes, enum dtype otherwise)
{
    return (enum dtype)attributes_integer(attributes, "dtype", otherwise);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = &operands->input[0];
    *out = (struct op_signature){
        .outputs = 1, .output = {{.dtype = target_of(operands->attributes, x->dtype), .shape = x->shape}}};
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (op->choices[0].word && !attributes_given(operands->attributes, "dtype")) {
        return error_set(reason, "%s: names no dtype", op->name);
    }
    return true;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    const struct tensor *x = &call->input[0];
    enum dtype from = dtype_info(x->dtype)->component, to = dtype_info(out->dtype)->component;
    int components = dtype_info(out->dtype)->components;
    for (int64_t k = 0; k < out->elements * components; k++) {
        enum conversion kind;
        out->value[k] = conversion_of(from, x->data + (size_t)k * dtype_info(from)->size, to, &kind);
        out->sensitivity[k / components] = kind;
    }
    return true;
}

static bool keeps_dtype(const struct op_call *call)
{
    return target_of(call->attributes, call->input[0].dtype) == call->input[0].dtype;
}

#define ROW(name_, dtypes_, ...)                                                                             \
    {                                                                                                        \
        .family = "conversion", .name = name_, .dtypes = dtypes_, .elementwise = true, .outputs = 1,         \
        .operands = {{"input", OPERAND_READ}}, .signature = signature, .truth = truth,                       \
        .sensitivities = conversion_sensitivities, .moves = keeps_dtype,                                     \
        .one_rounding = conversion_is_defined, .accept = conversion_accept, __VA_ARGS__                      \
    }
#define WORD(word_, dtype_)                                                                                  \
    {                                                                                                        \
        "dtype", word_, DTYPE_##dtype_                                                                       \
    }

static const struct op ops[] = {
    ROW("to", NUMBERS | 1U << DTYPE_BOOL, .attributes = {{"dtype", ATTRIBUTE_CHOICE}},
        .choices = {WORD("float16", FLOAT16), WORD("bfloat16", BFLOAT16), WORD("float32", FLOAT32),
                    WORD("float64", FLOAT64), WORD("int8", INT8), WORD("uint8", UINT8), WORD("int32", INT32),
                    WORD("int64", INT64), WORD("bool", BOOL)}),
    ROW("clone", ALL, .variant = 0),
};

const struct op_set op_set_conversion = {.op = ops, .count = sizeof ops / sizeof *ops};

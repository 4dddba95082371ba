/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matmul [a, b], mv [input, vec], linear [input, weight, bias?], and matmul and linear under autocast.
 *
 * Definition: PyTorch torch.matmul (batches broadcast, a vector is a row on the left and a column on the
 * right), torch.mv (only one matrix times one vector) and torch.nn.functional.linear: input·weightᵀ + bias.
 * autocast_matmul and autocast_linear are the same calls inside torch.autocast: every operand except float64
 * is cast to the dtype that the attribute `dtype` names, which is also the result's dtype; float64 operands
 * are not cast. `dtype` is numbered as in ONNX's TensorProto.DataType: 10 is float16, 16 is bfloat16.
 *
 * Truth: exact sums of products of the operands, after a cast that rounds to nearest even (matmul_sums.c).
 * Error bound: matmul_bound.c. */

#include "reference/ops/matmul/matmul.h"
#include "reference/ops/matmul/matmul_bound.h"
#include "reference/ops/matmul/matmul_sums.h"

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

enum dtype matmul_autocast_dtype(const struct attributes *attributes)
{
    int64_t code = attributes_integer(attributes, "dtype", 0);
    return code == ONNX_FLOAT16 ? DTYPE_FLOAT16 : code == ONNX_BFLOAT16 ? DTYPE_BFLOAT16 : DTYPE_COUNT;
}

static bool is_linear(const struct op *op)
{
    return op->variant & MATMUL_LINEAR;
}

static bool is_vector(const struct op *op)
{
    return op->variant & MATMUL_VECTOR;
}

static bool is_autocast(const struct op *op)
{
    return op->variant & MATMUL_AUTOCAST;
}

/* The dtype of an operand after the cast. */
static enum dtype taken_as(const struct op *op, const struct attributes *attributes, enum dtype dtype)
{
    return is_autocast(op) && dtype != DTYPE_FLOAT64 ? matmul_autocast_dtype(attributes) : dtype;
}

static bool has_bias(int inputs, const struct view *input)
{
    return inputs > 2 && input[2].storage >= 0;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *input = operands->input;
    bool bias = has_bias(operands->inputs, input);
    if (is_autocast(op) && matmul_autocast_dtype(operands->attributes) == DTYPE_COUNT) {
        return error_set(reason, "%s: dtype must be 10 (float16) or 16 (bfloat16)", op->name);
    }
    enum dtype dtype = taken_as(op, operands->attributes, input[0].dtype);
    for (int i = 0; i < (bias ? 3 : 2); i++) {
        if (!(op->dtypes >> input[i].dtype & 1)) {
            return error_set(reason, "%s: dtype %s is not supported", op->name,
                             dtype_info(input[i].dtype)->name);
        }
        if (taken_as(op, operands->attributes, input[i].dtype) != dtype) {
            return error_set(reason, "%s: input %d (%s) is %s beside %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), dtype_info(input[i].dtype)->name,
                             dtype_info(input[0].dtype)->name);
        }
    }
    struct product p;
    if ((is_vector(op) && (input[0].shape.rank != 2 || input[1].shape.rank != 1)) ||
        !product_of(is_linear(op), &input[0].shape, &input[1].shape, &p)) {
        char a[SHAPE_TEXT], b[SHAPE_TEXT];
        shape_print(&input[0].shape, a, sizeof a);
        shape_print(&input[1].shape, b, sizeof b);
        return error_set(reason, "%s: shapes %s and %s cannot be multiplied; expected are %s", op->name, a, b,
                         is_linear(op)   ? "[…, k] and [n, k]"
                         : is_vector(op) ? "[n, m] and [m]"
                                         : "[…, m, k] and […, k, n], or a vector [k] for either");
    }
    if (bias && (input[2].shape.rank != 1 || input[2].shape.dim[0] != p.n)) {
        return error_set(reason, "%s: bias must be [%lld], as many as weight has rows", op->name,
                         (long long)p.n);
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = dtype;
    out->output[0].shape = p.result;
    return true;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return matmul_truth(call, is_linear(call->op), truth, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return matmul_enclose(call, is_linear(call->op), truth, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    (void)output;
    return matmul_certify(call, is_linear(call->op), truth, element, error);
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return MATMUL_SENSITIVITIES;
}

/* A call has rows if the right operand is one matrix or vector. They are judged by the truth of the whole
 * call, because the sensitivity GREATEST depends on all rows (for fast products). */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    rows->whole = true;
    rows->output = rows->input[0] = operands->input[0].shape.rank - 1;
    return rows->output > 0 && operands->input[1].shape.rank <= 2;
}

#define OP(family_, name_, variant_, ...)                                                                    \
    {                                                                                                        \
        .family = family_, .name = name_, .variant = variant_, .outputs = 1, .dtypes = DTYPES,               \
        .costly = true, .plain = true, .signature = signature, .truth = truth, .enclose = enclose,           \
        .certify = certify, .sensitivities = sensitivities, .rows = rows, .bound = matmul_bound,             \
        .primitive_error = matmul_primitive_error, .may_overflow = matmul_may_overflow,                      \
        .accept = matmul_accept, .bounded = true, __VA_ARGS__                                                \
    }
#define MATRICES .operands = {{"input", OPERAND_READ}, {"other", OPERAND_READ}}
#define LINEAR   .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_READ}, {"bias", OPERAND_OPTIONAL}}
#define CAST                                                                                                 \
    .attributes = {{"dtype", ATTRIBUTE_CODE}},                                                               \
    .choices = {{"dtype", "float16", ONNX_FLOAT16}, {"dtype", "bfloat16", ONNX_BFLOAT16}}

static const struct op ops[] = {
    OP("linalg", "matmul", 0, MATRICES),
    OP("linalg", "mv", MATMUL_VECTOR, .operands = {{"input", OPERAND_READ}, {"vec", OPERAND_READ}}),
    OP("linalg", "linear", MATMUL_LINEAR, LINEAR),
    OP("amp", "autocast_matmul", MATMUL_AUTOCAST, MATRICES, CAST),
    OP("amp", "autocast_linear", MATMUL_LINEAR | MATMUL_AUTOCAST, LINEAR, CAST),
};

const struct op_set op_set_matmul = {.op = ops, .count = sizeof ops / sizeof *ops};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* embedding [weight, indices]: the rows of a matrix that indices name; embedding_backward [grad_output,
 * indices]: its gradient by the matrix.
 *
 * Definition: PyTorch torch.nn.functional.embedding. weight [rows, width], indices (int64) of any shape,
 * result [*indices, width]. An index lies in [0, rows). padding_idx lies in [−rows, rows) and counts from the
 * end where it is negative. It does not change the result, but the gradient of its row is 0. The gradient has
 * num_weights rows; each is the sum of those of grad_output whose index names it, exactly 0 if there are
 * none.
 *
 * Truth: the rows are moved bit by bit; the gradients are plain sums over equal indices
 * (reference/ops/product_sum/scatter_sum.h). */

#include "reference/ops/conversion/conversion_rules.h"
#include "reference/ops/product_sum/product_sum_bound.h"
#include "reference/ops/product_sum/scatter_sum.h"

#include <inttypes.h>
#include <math.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { TABLE, INDICES };

static int64_t index_at(const struct tensor *indices, int64_t i)
{
    return dtype_load_integer(indices->dtype, indices->data + (size_t)i * dtype_info(indices->dtype)->size);
}

/* Returns the row of padding_idx; −1: there is none. */
static int64_t padding_of(const struct attributes *attributes, int64_t rows)
{
    const int64_t at = attributes_integer(attributes, "padding_idx", -1);
    return attributes_given(attributes, "padding_idx") ? (at < 0 ? at + rows : at) : -1;
}

static bool check_dtypes(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    if (!(op->dtypes >> operands->input[0].dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name,
                         dtype_info(operands->input[0].dtype)->name);
    }
    return operands->input[INDICES].dtype == DTYPE_INT64 ||
           error_set(reason, "%s: indices are %s; expected is int64", op->name,
                     dtype_info(operands->input[INDICES].dtype)->name);
}

/* Refuses indices and a padding_idx that name no row. */
static bool check_rows(const struct op *op, const struct op_operands *operands, int64_t rows,
                       struct error *reason)
{
    const struct tensor *indices = operands->value ? &operands->value[INDICES] : NULL;
    const int64_t padding = attributes_integer(operands->attributes, "padding_idx", 0);
    if (attributes_given(operands->attributes, "padding_idx") && (padding < -rows || padding >= rows)) {
        return error_set(reason, "%s: padding_idx %" PRId64 " is not in [%" PRId64 ", %" PRId64 ")", op->name,
                         padding, -rows, rows);
    }
    for (int64_t i = 0; indices && indices->data && i < shape_elements(&indices->shape); i++) {
        const int64_t index = index_at(indices, i);
        if (index < 0 || index >= rows) {
            return error_set(reason, "%s: index %" PRId64 " is not in [0, %" PRId64 ")", op->name, index,
                             rows);
        }
    }
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct shape *table = &operands->input[TABLE].shape, *indices = &operands->input[INDICES].shape;
    if (!check_dtypes(op, operands, reason)) {
        return false;
    }
    if (table->rank != 2 || indices->rank >= RANK_MAX) {
        return error_set(reason, "%s: weight must be [rows, width], indices have less than %d dimensions",
                         op->name, RANK_MAX);
    }
    *out = (struct op_signature){.outputs = 1, .output[0] = {operands->input[TABLE].dtype, *indices}};
    out->output[0].shape.dim[out->output[0].shape.rank++] = table->dim[1];
    return check_rows(op, operands, table->dim[0], reason);
}

static bool gradient_signature(const struct op *op, const struct op_operands *operands,
                               struct op_signature *out, struct error *reason)
{
    const struct shape *grad = &operands->input[0].shape, *indices = &operands->input[INDICES].shape;
    const int64_t rows = attributes_integer(operands->attributes, "num_weights", -1);
    if (!check_dtypes(op, operands, reason)) {
        return false;
    }
    bool fits = grad->rank == indices->rank + 1;
    for (int d = 0; fits && d < indices->rank; d++) {
        fits = grad->dim[d] == indices->dim[d];
    }
    if (!fits || rows < 0) {
        return error_set(
            reason, "%s: grad_output must have the shape of indices and one dimension more, num_weights ≥ 0",
            op->name);
    }
    *out = (struct op_signature){
        .outputs = 1, .output[0] = {operands->input[0].dtype, shape_of(2, rows, grad->dim[grad->rank - 1])}};
    return check_rows(op, operands, rows, reason);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    const struct tensor *table = &call->input[TABLE];
    const int64_t rows = table->shape.dim[0], width = table->shape.dim[1];
    const size_t size = dtype_info(table->dtype)->size;
    for (int64_t i = 0; i < out->elements; i++) {
        const int64_t row = index_at(&call->input[INDICES], i / width), from = row * width + i % width;
        out->value[i] = row < 0 || row >= rows /* computed by an earlier step */
                            ? value_of(NAN)
                            : value_of_element(table->dtype, table->data + (size_t)from * size);
        out->sensitivity[i] = CONVERSION_MOVES;
    }
    return true;
}

static bool moves(const struct op_call *call)
{
    (void)call;
    return true;
}

/* --- the gradient */

struct named {
    const struct tensor *indices;
    int64_t rows, padding;
};

static int64_t row_of(const void *user, int64_t source)
{
    const struct named *named = user;
    const int64_t row = index_at(named->indices, source);
    return row == named->padding || row >= named->rows ? -1 : row;
}

static bool open_gradient(const struct op_call *call, int output, struct product_sum *sum)
{
    (void)output;
    const struct shape *grad = &call->input[0].shape;
    const int64_t rows = attributes_integer(call->attributes, "num_weights", 0);
    const struct named named = {&call->input[INDICES], rows, padding_of(call->attributes, rows)};
    return scatter_sum_open(sum, 0, shape_elements(&named.indices->shape), rows, grad->dim[grad->rank - 1],
                            row_of, &named);
}

static const struct product_sum_map map = {.open = open_gradient, SCATTER_SUM};

static const struct op ops[] = {
    {.family = "embedding",
     .name = "embedding",
     .outputs = 1,
     .dtypes = DTYPES,
     .operands = {{"weight", OPERAND_READ}, {"indices", OPERAND_INDICES}},
     .attributes = {{"padding_idx", ATTRIBUTE_INTEGER}},
     .signature = signature,
     .truth = truth,
     .sensitivities = conversion_sensitivities,
     .moves = moves,
     .one_rounding = conversion_is_defined,
     .accept = conversion_accept},
    {.family = "embedding",
     .name = "embedding_backward",
     .outputs = 1,
     .dtypes = DTYPES,
     .operands = {{"grad_output", OPERAND_READ}, {"indices", OPERAND_INDICES}},
     .results = {{"grad_weight", 0}},
     .attributes = {{"num_weights", ATTRIBUTE_INTEGER}, {"padding_idx", ATTRIBUTE_INTEGER}},
     .signature = gradient_signature,
     PRODUCT_SUM(&map)},
};

const struct op_set op_set_embedding = {.op = ops, .count = sizeof ops / sizeof *ops};

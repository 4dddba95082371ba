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
 * Truth and error bound: sums of products (reference/ops/product_sum) of the operands after a cast that
 * rounds to nearest even. A block of the index map is a batch, or all batches that multiply consecutive rows
 * by the same right matrix. */

#include "reference/ops/matmul/matmul.h"
#include "reference/ops/matmul/matmul_shape.h"
#include "reference/ops/product_sum/product_sum.h"
#include "reference/ops/product_sum/product_sum_bound.h"

#include <stdlib.h>

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

struct matmul_geometry {
    struct product p;
    bool linear;
    int64_t merged; /* batches in a block */
};

static bool map_open(const struct op_call *call, int output, struct product_sum *sum)
{
    struct matmul_geometry *g = malloc(sizeof *g);
    (void)output;
    sum->geometry = g;
    if (!g) {
        return false;
    }
    g->linear = is_linear(call->op);
    product_of(g->linear, &call->input[0].shape, &call->input[1].shape, &g->p);
    const int64_t batches = shape_elements(&g->p.all);
    g->merged = shape_equal(&g->p.a, &g->p.all) && shape_elements(&g->p.b) == 1 ? batches : 1;
    sum->left = 0;
    sum->right = 1;
    sum->bias = call->inputs > 2 && !tensor_absent(&call->input[2]) ? 2 : -1;
    sum->blocks = g->merged > 0 ? batches / g->merged : 0;
    return true;
}

static void map_block(const struct product_sum *sum, int64_t number, struct product_sum_block *block)
{
    const struct matmul_geometry *g = sum->geometry;
    *block = (struct product_sum_block){.number = number,
                                        .rows = g->merged * g->p.m,
                                        .columns = g->p.n,
                                        .terms = g->p.k,
                                        .padded = g->p.k,
                                        .alike = g->p.m};
}

static void map_left(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                     int64_t *index)
{
    const struct matmul_geometry *g = sum->geometry;
    const struct product *p = &g->p;
    int64_t batch = block->number * g->merged;
    int64_t first = shape_broadcast_element(&p->a, &p->all, batch) * p->m * p->k + row * p->k;
    for (int64_t k = 0; k < p->k; k++) {
        index[k] = first + k;
    }
}

static void map_right(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                      int64_t *index)
{
    const struct matmul_geometry *g = sum->geometry;
    const struct product *p = &g->p;
    int64_t batch = block->number * g->merged;
    int64_t first =
        shape_broadcast_element(&p->b, &p->all, batch) * p->k * p->n + column * (g->linear ? p->k : 1);
    for (int64_t k = 0; k < p->k; k++) {
        index[k] = first + k * (g->linear ? 1 : p->n);
    }
}

static int64_t map_element(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                           int64_t column)
{
    (void)sum;
    return (block->number * block->rows + row) * block->columns + column;
}

static void map_place(const struct product_sum *sum, int64_t element, struct product_sum_block *block,
                      int64_t *row, int64_t *column)
{
    const struct matmul_geometry *g = sum->geometry;
    int64_t line = element / g->p.n, rows = g->merged * g->p.m;
    map_block(sum, line / rows, block);
    *row = line % rows;
    *column = element % g->p.n;
}

static const struct product_sum_map map = {.fast = true,
                                           .open = map_open,
                                           .block = map_block,
                                           .left = map_left,
                                           .right = map_right,
                                           .element = map_element,
                                           .place = map_place};

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
        .signature = signature, .rows = rows, PRODUCT_SUM(&map), __VA_ARGS__                                 \
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

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* linear_backward [grad_output, input, weight]: grad_input, grad_weight and grad_bias of linear.
 *
 * Definition: the gradients of torch.nn.functional.linear: grad_output·weight, grad_outputᵀ·input summed over
 * all rows of the batch, and the sums of grad_output's columns.
 *
 * Truth and error bound: sums of products (reference/ops/product_sum). Each result is one block. */

#include "reference/ops/product_sum/product_sum.h"
#include "reference/ops/product_sum/product_sum_bound.h"

#include <stdlib.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { GRAD_OUTPUT, INPUT, WEIGHT };
enum { GRAD_INPUT, GRAD_WEIGHT, GRAD_BIAS };

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *input = operands->input;
    const struct shape *grad = &input[GRAD_OUTPUT].shape, *x = &input[INPUT].shape, *w = &input[WEIGHT].shape;
    for (int i = 0; i < operands->inputs; i++) {
        if (!(op->dtypes >> input[i].dtype & 1) || input[i].dtype != input[0].dtype) {
            return error_set(reason, "%s: input %d (%s) is %s beside %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), dtype_info(input[i].dtype)->name,
                             dtype_info(input[0].dtype)->name);
        }
    }
    if (w->rank != 2 || x->rank < 1 || x->dim[x->rank - 1] != w->dim[1]) {
        return error_set(reason, "%s: input must be […, k] and weight [n, k]", op->name);
    }
    struct shape result = *x;
    result.dim[x->rank - 1] = w->dim[0];
    if (!shape_equal(grad, &result)) {
        char wanted[SHAPE_TEXT];
        shape_print(&result, wanted, sizeof wanted);
        return error_set(reason, "%s: grad_output must have the shape of the result, %s", op->name, wanted);
    }
    *out = (struct op_signature){
        .outputs = 3,
        .output = {{input[0].dtype, *x}, {input[0].dtype, *w}, {input[0].dtype, shape_of(1, w->dim[0])}}};
    return true;
}

struct geometry {
    int output;
    int64_t batch, n, k; /* rows of the batch, and the sizes of the weight */
};

static bool map_open(const struct op_call *call, int output, struct product_sum *sum)
{
    struct geometry *g = malloc(sizeof *g);
    const struct shape *w = &call->input[WEIGHT].shape, *x = &call->input[INPUT].shape;
    sum->geometry = g;
    if (!g) {
        return false;
    }
    *g = (struct geometry){.output = output, .batch = 1, .n = w->dim[0], .k = w->dim[1]};
    for (int d = 0; d + 1 < x->rank; d++) {
        g->batch = count_product(g->batch, x->dim[d]);
    }
    sum->left = output == GRAD_BIAS ? -1 : GRAD_OUTPUT;
    sum->right = output == GRAD_INPUT ? WEIGHT : output == GRAD_WEIGHT ? INPUT : GRAD_OUTPUT;
    sum->blocks = 1;
    return true;
}

static void map_block(const struct product_sum *sum, int64_t number, struct product_sum_block *block)
{
    const struct geometry *g = sum->geometry;
    *block = (struct product_sum_block){.number = number,
                                        .rows = g->output == GRAD_INPUT    ? g->batch
                                                : g->output == GRAD_WEIGHT ? g->n
                                                                           : 1,
                                        .columns = g->output == GRAD_BIAS ? g->n : g->k,
                                        .terms = g->output == GRAD_INPUT ? g->n : g->batch};
    block->padded = block->terms;
}

/* Rows of grad_output, or its columns for the gradient of the weight. */
static void map_left(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                     int64_t *index)
{
    const struct geometry *g = sum->geometry;
    for (int64_t t = 0; t < block->terms; t++) {
        index[t] = g->output == GRAD_INPUT ? row * g->n + t : t * g->n + row;
    }
}

/* Columns of weight, input or grad_output: the terms are their rows. */
static void map_right(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                      int64_t *index)
{
    (void)sum;
    for (int64_t t = 0; t < block->terms; t++) {
        index[t] = t * block->columns + column;
    }
}

static int64_t map_element(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                           int64_t column)
{
    (void)sum;
    return row * block->columns + column;
}

static void map_place(const struct product_sum *sum, int64_t element, struct product_sum_block *block,
                      int64_t *row, int64_t *column)
{
    map_block(sum, 0, block);
    *row = element / block->columns;
    *column = element % block->columns;
}

static const struct product_sum_map map = {.open = map_open,
                                           .block = map_block,
                                           .left = map_left,
                                           .right = map_right,
                                           .element = map_element,
                                           .place = map_place};

static const struct op ops[] = {
    {.family = "linalg",
     .name = "linear_backward",
     .outputs = 3,
     .dtypes = DTYPES,
     .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}, {"weight", OPERAND_READ}},
     .results = {{"grad_input", 0}, {"grad_weight", 0}, {"grad_bias", 0}},
     .signature = signature,
     PRODUCT_SUM(&map)},
};

const struct op_set op_set_linear_backward = {.op = ops, .count = sizeof ops / sizeof *ops};

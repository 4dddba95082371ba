/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* max_pool1d, max_pool2d, max_pool3d [input]: the greatest elements of windows, and their places in the
 * plane; and their gradients [grad_output, input, indices], of whose input only the shape counts.
 *
 * Definition: PyTorch torch.nn.functional.max_pool2d with return_indices. The padding is −inf and never
 * chosen. A NaN counts as greater than every number; of several greatest elements any may be chosen, only the
 * first one if the profile promises that. The gradient adds each element of grad_output to the place that its
 * index names.
 *
 * Values are moved: a bit pattern of the window. Where the device may treat subnormals as zeros, the greatest
 * of the numbers so flushed are right as well. Indices are judged by `verify` (max_pool_verify.c). The
 * gradient is a plain sum over equal indices. */

#include "reference/ops/pooling/max_pool.h"
#include "reference/ops/product_sum/product_sum_bound.h"
#include "reference/ops/product_sum/scatter_sum.h"

#include <math.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { GRAD_OUTPUT, INPUT, INDICES };

static bool check_dtype(const struct op *op, const struct op_operands *operands, int i, struct error *reason)
{
    const enum dtype dtype = operands->input[i].dtype;
    return ((op->dtypes >> dtype & 1) && dtype == operands->input[0].dtype) ||
           error_set(reason, "%s: operands are floating and of one dtype", op->name);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    struct pool p;
    if (!check_dtype(op, operands, 0, reason) ||
        !pool_of(op, operands->attributes, &operands->input[0].shape, &p, reason)) {
        return false;
    }
    *out = (struct op_signature){.outputs = 2,
                                 .output = {{operands->input[0].dtype, p.output}, {DTYPE_INT64, p.output}}};
    return true;
}

static int64_t index_at(const struct tensor *indices, int64_t i)
{
    return dtype_load_integer(indices->dtype, indices->data + (size_t)i * dtype_info(indices->dtype)->size);
}

static bool gradient_signature(const struct op *op, const struct op_operands *operands,
                               struct op_signature *out, struct error *reason)
{
    const struct view *input = operands->input;
    const struct tensor *indices = operands->value ? &operands->value[INDICES] : NULL;
    struct pool p;
    if (!check_dtype(op, operands, GRAD_OUTPUT, reason) || !check_dtype(op, operands, INPUT, reason) ||
        !pool_of(op, operands->attributes, &input[INPUT].shape, &p, reason)) {
        return false;
    }
    if (!shape_equal(&input[GRAD_OUTPUT].shape, &p.output) ||
        !shape_equal(&input[INDICES].shape, &p.output) || input[INDICES].dtype != DTYPE_INT64) {
        char wanted[SHAPE_TEXT];
        shape_print(&p.output, wanted, sizeof wanted);
        return error_set(reason, "%s: grad_output and indices (int64) must have the shape of the result, %s",
                         op->name, wanted);
    }
    for (int64_t i = 0; indices && indices->data && i < shape_elements(&indices->shape); i++) {
        const int64_t index = index_at(indices, i);
        if (index < 0 || index >= pool_x_size(&p)) {
            return error_set(reason, "%s: index %lld is not in [0, %lld)", op->name, (long long)index,
                             (long long)pool_x_size(&p));
        }
    }
    *out = (struct op_signature){.outputs = 1, .output[0] = {input[INPUT].dtype, input[INPUT].shape}};
    return true;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct pool p = max_pool_of_call(call, 0);
    const struct tensor *x = &call->input[0];
    const int64_t size = pool_y_size(&p), all = truth->output[0].elements;
    for (int64_t i = 0; i < all; i++) {
        const struct max_pool_window window = {&p, x, i / size * pool_x_size(&p), i % size, false};
        int64_t count, first = max_pool_first(&window, &count);
        const double best = max_pool_element(&window, first);
        truth->output[0].value[i] = value_of(best);
        truth->output[1].value[i] = value_of_integer(first);
        truth->output[1].value[i].exact = count == 1;
    }
    return true;
}

static bool moves(const struct op_call *call)
{
    (void)call;
    return true;
}

/* A NaN may have any payload, because several may be in the window; a zero either sign. */
static void accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const struct value *value = truth_value(out, query->element);
    struct profile profile = *query->profile;
    const bool flushes = profile_loses_subnormals(query->profile, out->dtype);
    const bool small = value->class == VALUE_FINITE && fabs(value->hi) < dtype_least_normal(out->dtype);
    profile.subnormals[out->dtype] = SUBNORMALS_KEPT;
    accept_default(accept, out->dtype, &profile, value,
                   flushes && small ? 2 * dtype_least_normal(out->dtype) : 0);
    if (value->class == VALUE_FINITE && value->hi == 0) {
        accept_any_zero(accept);
    }
}

/* --- the gradient */

struct chosen {
    const struct tensor *indices;
    int64_t x_size, y_size;
};

static int64_t place_of(const void *user, int64_t source)
{
    const struct chosen *c = user;
    const int64_t at = index_at(c->indices, source);
    return at < 0 || at >= c->x_size ? -1 : source / c->y_size * c->x_size + at;
}

static bool open_gradient(const struct op_call *call, int output, struct product_sum *sum)
{
    (void)output;
    const struct pool p = max_pool_of_call(call, INPUT);
    const struct chosen chosen = {&call->input[INDICES], pool_x_size(&p), pool_y_size(&p)};
    return scatter_sum_open(sum, GRAD_OUTPUT, shape_elements(&chosen.indices->shape),
                            shape_elements(&call->input[INPUT].shape), 1, place_of, &chosen);
}

static const struct product_sum_map map = {.open = open_gradient, SCATTER_SUM};

#define LISTS                                                                                                \
    .attributes = {{"kernel_size", ATTRIBUTE_INTEGERS},                                                      \
                   {"stride", ATTRIBUTE_INTEGERS},                                                           \
                   {"padding", ATTRIBUTE_INTEGERS},                                                          \
                   {"dilation", ATTRIBUTE_INTEGERS},                                                         \
                   {"ceil_mode", ATTRIBUTE_BOOL}},                                                           \
    .defaults = {{"ceil_mode", DEFAULT_VALUE, 0}}
#define TWO(name_, rank_)                                                                                    \
    {.family = "pooling",                                                                                    \
     .name = name_,                                                                                          \
     .variant = (rank_) | POOL_MAXIMUM,                                                                      \
     .outputs = 2,                                                                                           \
     .dtypes = DTYPES,                                                                                       \
     .operands = {{"input", OPERAND_READ}},                                                                  \
     .results = {{"values", 0}, {"indices", RESULT_VERIFIED}},                                               \
     .signature = signature,                                                                                 \
     .truth = truth,                                                                                         \
     .moves = moves,                                                                                         \
     .accept = accept,                                                                                       \
     .verify = max_pool_verify,                                                                              \
     LISTS},                                                                                                 \
    {                                                                                                        \
        .family = "pooling", .name = name_ "_backward", .variant = (rank_) | POOL_MAXIMUM | POOL_GRADIENT,   \
        .outputs = 1, .dtypes = DTYPES,                                                                      \
        .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}, {"indices", OPERAND_INDICES}},  \
        .results = {{"grad_input", 0}}, .signature = gradient_signature, PRODUCT_SUM(&map), LISTS            \
    }

static const struct op ops[] = {TWO("max_pool1d", 1), TWO("max_pool2d", 2), TWO("max_pool3d", 3)};

const struct op_set op_set_max_pool = {.op = ops, .count = sizeof ops / sizeof *ops};

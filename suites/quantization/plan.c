/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: quantization, and products of int8. */
#include "suites/linalg/plan_products.h"
#include "suites/plan/measure.h"
#include "suites/shared/int_products.h"
#include "suites/shared/products.h"
#include "suites/shared/quantize.h"

/* Channels along the first or last dimension in turn; blocks of one element or of all. Scales differ. */
static void build(const struct call_builder *m)
{
    const struct shape flat = call_flat_shape(m), *shape = &flat;
    int64_t last = shape->rank > 0 ? shape->dim[shape->rank - 1] : 1;
    bool back = quantization_action(m->b->c->op) == DEQUANTIZE;
    struct quantize_call call = {.shape = *shape,
                                 .layout = m->call->layout,
                                 .to = back                ? DTYPE_FLOAT32
                                       : m->call->turn % 3 ? DTYPE_INT8
                                                           : DTYPE_UINT8,
                                 .scale = 0.11,
                                 .zero = 3,
                                 .axis = m->call->turn % 2 ? -1 : 0,
                                 .block = m->call->turn % 2 && last > 0 ? last : 1};
    quantize_step(m->b, &call);
}

/* The number of channels: the length of the scales, the last input but one. */
static int64_t channels(const struct op *op, const struct step *step)
{
    return quantization_grain(op) != GRAIN_CHANNEL ? -1
           : step                                  ? shape_elements(&step->input[step->inputs - 2].shape)
                                                   : 0;
}

static void build_product(const struct call_builder *m)
{
    int64_t rows = call_size(m, PLAN_ROWS);
    bool linear = product_is_linear(m->b->c->op);
    struct int_product p = {.m = rows,
                            .k = call_size(m, PLAN_TERMS),
                            .n = call_size(m, PLAN_COLUMNS),
                            .data = m->call->turn % 3 ? INT_RANDOM : INT_EXTREMES,
                            .laid = call_laid(m, 2),
                            .layout = m->call->layout,
                            .scale = 0.37,
                            .vector = linear && rows == 1 && m->call->turn % 2};
    int_product_step(m->b, &p);
}

/* The number of channels of int8_linear: the length of its scales, the last input. */
static int64_t product_channels(const struct op *op, const struct step *step)
{
    return !product_is_linear(op) ? -1 : step ? shape_elements(&step->input[step->inputs - 1].shape) : 0;
}

extern const struct plan_form plan_form_quantization, plan_form_quantization_products;

#define FLAT(name_) PLAN_OPERATOR(name_, quantization, PLAN_FLAT)
static const struct plan_operator operators[] = {
    FLAT("quantize_per_tensor"),
    FLAT("quantize_per_channel"),
    FLAT("quantize_per_block"),
    FLAT("dequantize_per_tensor"),
    FLAT("dequantize_per_channel"),
    FLAT("dequantize_per_block"),
    FLAT("fake_quantize_per_tensor_affine"),
    FLAT("fake_quantize_per_channel_affine"),
    FLAT("fake_quantize_per_tensor_affine_backward"),
    FLAT("fake_quantize_per_channel_affine_backward"),
};

const struct plan_form plan_form_quantization = {
    .place = 30,
    PLAN_OPERATORS(operators),
    .dtypes = plan_common_dtypes,
    .build = build,
    .measure = measure_first_input,
    .zero_points = true,
    .channels = channels,
};

#define PRODUCT(name_) PLAN_OPERATOR(name_, quantization_products, PLAN_FLAT, PLAN_AXIS(TERMS, 0, 65537))
static const struct plan_operator products[] = {PRODUCT("int_mm"), PRODUCT("int8_linear")};

const struct plan_form plan_form_quantization_products = {
    .place = 100,
    PLAN_OPERATORS(products),
    PRODUCT_FORM,
    .build = build_product,
    .channels = product_channels,
};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Quantization per tensor, channel and block, dequantization, fake quantization and its gradient: ties and
 * their neighbours, both ends of the interval and beyond, dequantization of every 8-bit number, scales and
 * zero points of each channel and block, layouts, refusals. */

#include "suites/shared/quantize.h"
#include "suites/shared/rows.h"

#include <string.h>

enum grains { TENSORS = 1, CHANNELS = 2, BLOCKS = 4, GRAINS = 7 };
enum actions {
    FORTH = 1 << QUANTIZE,
    BACK = 1 << DEQUANTIZE,
    FAKE = 1 << FAKE_QUANTIZE,
    SLOPE = 1 << FAKE_QUANTIZE_BACKWARD
};

enum { FLAT, SQUARE, BOX, LONG, MANY, MORE, SHAPES }; /* shapes */

struct row {
    struct suite_row row;
    unsigned actions, grains; /* bits of operators; 0: all but dequantization */
    struct quantize_call call;
    int shape;
};

static struct quantize_call call_of(const struct builder *b)
{
    const struct row *row = b->c->row;
    const struct shape shapes[SHAPES] = {shape_of(2, (int64_t)27, (int64_t)24),
                                         shape_of(2, (int64_t)12, (int64_t)12),
                                         shape_of(3, (int64_t)5, (int64_t)7, (int64_t)6),
                                         shape_of(1, (int64_t)1224),
                                         shape_of(2, (int64_t)3, (int64_t)65),
                                         shape_of(3, (int64_t)2, (int64_t)130, (int64_t)2)};
    struct quantize_call call = row->call;
    bool back = quantization_action(b->c->op) == DEQUANTIZE;
    call.shape = shapes[row->shape];
    /* number 0: the row leaves `to` out, int8 is the default */
    call.to = call.to == DTYPE_FLOAT16 && !back ? DTYPE_INT8 : call.to;
    call.scale = call.scale == 0 ? 0.125 : call.scale;
    call.block = call.block == 0 ? 6 : call.block;
    return call;
}

static void build(struct builder *b)
{
    struct quantize_call call = call_of(b);
    quantize_step(b, &call);
}

/* A shape without rows, and one without columns. */
static void build_empty(struct builder *b)
{
    struct quantize_call call = call_of(b);
    call.shape = shape_of(2, (int64_t)0, (int64_t)6);
    quantize_step(b, &call);
    call.shape = shape_of(2, (int64_t)6, (int64_t)0);
    quantize_step(b, &call);
    if (quantization_grain(b->c->op) == GRAIN_TENSOR) {
        call.shape = (struct shape){.rank = 0};
        quantize_step(b, &call);
    }
}

static void build_refusal(struct builder *b)
{
    struct quantize_call call = call_of(b);
    quantize_rejection(b, &call, (enum quantize_fault)b->c->parameter);
}

/* The call with several scales, zero points and data in turn, on one shape: anything cached from an earlier
 * call shows. */
static void build_again(struct builder *b)
{
    struct quantize_call call = call_of(b);
    static const double scales[] = {0.5, 0.1, 0.5, 8};
    for (int turn = 0; turn < 4 && !b->failed; turn++) {
        call.scale = scales[turn];
        call.zero = turn % 3;
        b->stream = 16 * (turn % 2);
        quantize_step(b, &call);
    }
}

#define ROW(name, level, covers, ...) SUITE_ROW(name, level, covers), .call = {__VA_ARGS__}
#define POWERS                        .powers = true, .scale

static const struct row rows[] = {
    {ROW("ties", SMOKE, "quantize_ties", POWERS = 0.25, .zero = 3, .data = QUANTIZE_TIES)},
    {ROW("ties-uint8", STANDARD, "quantize_ties", POWERS = 0.125, .zero = 77, .to = DTYPE_UINT8,
         .data = QUANTIZE_TIES)},
    {ROW("ties-int32", STANDARD, "quantize_ties", POWERS = 2, .zero = -5, .to = DTYPE_INT32,
         .data = QUANTIZE_TIES)},
    {ROW("ties-narrow", STANDARD, "quantize_ties quantize_saturates", POWERS = 1, .zero = 1, .narrow = true,
         .data = QUANTIZE_TIES)},
    {ROW("edges", SMOKE, "quantize_saturates", POWERS = 0.5, .zero = -1, .data = QUANTIZE_EDGES)},
    {ROW("edges-uint8", STANDARD, "quantize_saturates", POWERS = 0.25, .zero = 128, .to = DTYPE_UINT8,
         .data = QUANTIZE_EDGES)},
    {ROW("edges-int32", STANDARD, "quantize_saturates", POWERS = 0x1p-12, .zero = 9, .to = DTYPE_INT32,
         .data = QUANTIZE_EDGES)},
    {ROW("edges-narrow", STANDARD, "quantize_saturates flags", .scale = 0.7, .zero = 5, .narrow = true,
         .data = QUANTIZE_EDGES)},
    {ROW("random", SMOKE, "quantize_band signed_bias", .scale = 0.1, .zero = -7)},
    {ROW("random-uint8", STANDARD, "quantize_band", .scale = 0.0371, .zero = 200, .to = DTYPE_UINT8)},
    {ROW("random-int32", STANDARD, "quantize_band", .scale = 0x1p-20, .zero = 31, .to = DTYPE_INT32)},
    {ROW("random-narrow", STANDARD, "quantize_band flags", .scale = 0.3, .zero = -2, .narrow = true)},
    {ROW("near-ties", STANDARD, "quantize_band", .scale = 0.3, .data = QUANTIZE_NEAR)},
    {ROW("near-ties-powers", STANDARD, "quantize_band quantize_ties", POWERS = 0.5, .zero = 2,
         .data = QUANTIZE_NEAR)},
    {ROW("specials", STANDARD, "special_values", POWERS = 0.5, .zero = 1, .data = QUANTIZE_SPECIAL)},
    {ROW("axis-0-square", SMOKE, "quantize_parameters", .scale = 0.11, .zero = 3), .shape = SQUARE,
     .grains = CHANNELS},
    {ROW("axis-1-square", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .axis = 1),
     .shape = SQUARE, .grains = CHANNELS},
    {ROW("axis-0-box", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3), .shape = BOX,
     .grains = CHANNELS},
    {ROW("axis-1-box", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .axis = 1), .shape = BOX,
     .grains = CHANNELS},
    {ROW("axis-last-box", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .axis = -1),
     .shape = BOX, .grains = CHANNELS},
    {ROW("channels-65", STANDARD, "quantize_parameters many_channels", .scale = 0.11, .zero = 3, .axis = -1),
     .shape = MANY, .grains = CHANNELS},
    {ROW("channels-130", STANDARD, "quantize_parameters many_channels", .scale = 0.11, .zero = 3, .axis = 1),
     .shape = MORE, .grains = CHANNELS},
    {ROW("zero-129-uint8", STANDARD, "quantize_upper_zero", POWERS = 0.25, .zero = 129, .to = DTYPE_UINT8)},
    {ROW("zero-255-uint8", STANDARD, "quantize_upper_zero", .scale = 0.0371, .zero = 255, .to = DTYPE_UINT8)},
    {ROW("block-1", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .block = 1), .shape = SQUARE,
     .grains = BLOCKS},
    {ROW("block-3-box", SMOKE, "quantize_parameters", .scale = 0.11, .zero = 3, .block = 3), .shape = BOX,
     .grains = BLOCKS},
    {ROW("block-all", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .block = 24),
     .grains = BLOCKS},
    {ROW("block-8-long", STANDARD, "quantize_parameters", .scale = 0.11, .zero = 3, .block = 8),
     .shape = LONG, .grains = BLOCKS},
    {ROW("transposed-block", SMOKE, "layout_grid poison", .scale = 0.1, .layout = LAYOUT_TRANSPOSED_BLOCK)},
    {ROW("stepped3", STANDARD, "layout_grid poison", .scale = 0.1, .layout = LAYOUT_STEPPED3)},
    {ROW("offset3", STANDARD, "layout_grid poison", .scale = 0.1, .layout = LAYOUT_OFFSET3)},
    {ROW("reversed-box", STANDARD, "layout_grid poison", .scale = 0.1, .layout = LAYOUT_REVERSED),
     .shape = BOX},
    {SUITE_ROW("empty", STANDARD, "size_limits", .build = build_empty), .call = {.scale = 0.5}},
    {SUITE_ROW("again", STANDARD, "order flags", .build = build_again), .call = {.axis = 0}},
};

static const struct row back_rows[] = {
    {ROW("all", SMOKE, "quantize_back", POWERS = 0.25, .zero = 3, .to = DTYPE_FLOAT32)},
    {ROW("all-tenths", STANDARD, "quantize_back", .scale = 0.1, .zero = 5, .to = DTYPE_FLOAT32)},
    {ROW("all-float16", STANDARD, "quantize_back", .scale = 0.3, .zero = 9, .to = DTYPE_FLOAT16)},
    {ROW("all-bfloat16", STANDARD, "quantize_back", POWERS = 2, .zero = 100, .to = DTYPE_BFLOAT16)},
    {ROW("overflow-float16", STANDARD, "quantize_back", POWERS = 1024, .to = DTYPE_FLOAT16)},
    {ROW("axis-0-square", SMOKE, "quantize_parameters", .scale = 0.11, .to = DTYPE_FLOAT32), .shape = SQUARE,
     .grains = CHANNELS},
    {ROW("axis-last-box", STANDARD, "quantize_parameters", .scale = 0.11, .to = DTYPE_FLOAT32, .axis = -1),
     .shape = BOX, .grains = CHANNELS},
    {ROW("channels-65", STANDARD, "quantize_parameters many_channels", .scale = 0.11, .to = DTYPE_FLOAT32,
         .axis = -1),
     .shape = MANY, .grains = CHANNELS},
    {ROW("channels-130", STANDARD, "quantize_parameters many_channels", .scale = 0.11, .to = DTYPE_FLOAT32,
         .axis = 1),
     .shape = MORE, .grains = CHANNELS},
    {SUITE_ROW("zero-129", STANDARD, "quantize_upper_zero", .dtypes = 1 << DTYPE_UINT8),
     .call = {POWERS = 0.25, .zero = 129, .to = DTYPE_FLOAT32}},
    {SUITE_ROW("zero-255", STANDARD, "quantize_upper_zero", .dtypes = 1 << DTYPE_UINT8),
     .call = {.scale = 0.0371, .zero = 255, .to = DTYPE_FLOAT32}},
    {ROW("block-3-box", SMOKE, "quantize_parameters", .scale = 0.11, .to = DTYPE_FLOAT32, .block = 3),
     .shape = BOX, .grains = BLOCKS},
    {ROW("transposed-block", STANDARD, "layout_grid poison", .scale = 0.1, .to = DTYPE_FLOAT32,
         .layout = LAYOUT_TRANSPOSED_BLOCK)},
    {ROW("stepped3", STANDARD, "layout_grid poison", .scale = 0.1, .to = DTYPE_FLOAT32,
         .layout = LAYOUT_STEPPED3)},
    {SUITE_ROW("empty", STANDARD, "size_limits", .build = build_empty), .call = {.to = DTYPE_FLOAT32}},
};

static const struct row refusals[] = {
    {SUITE_ROW("refuse-scales", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_SCALES),
     .grains = CHANNELS | BLOCKS},
    {SUITE_ROW("refuse-zero-points", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_ZEROS),
     .grains = CHANNELS | BLOCKS},
    {SUITE_ROW("refuse-axis", STANDARD, "quantize_refusals", .build = build_refusal, .parameter = FAULT_AXIS),
     .grains = CHANNELS},
    {SUITE_ROW("refuse-block-size", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_BLOCK),
     .grains = BLOCKS},
    {SUITE_ROW("refuse-zero-point", SMOKE, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_ZERO_POINT),
     .actions = FORTH | FAKE | SLOPE, .grains = TENSORS},
    {SUITE_ROW("refuse-interval", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_INTERVAL),
     .actions = FAKE},
    {SUITE_ROW("refuse-beyond-dtype", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_BEYOND),
     .actions = FORTH},
    {SUITE_ROW("refuse-gradient", STANDARD, "quantize_refusals", .build = build_refusal,
               .parameter = FAULT_GRAD),
     .actions = SLOPE},
};

static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    const struct row *row = at;
    bool whole = row->call.to == DTYPE_INT32 && quantization_action(op) != QUANTIZE;
    return (!row->actions || row->actions >> quantization_action(op) & 1) && !whole &&
           (!row->grains || row->grains >> quantization_grain(op) & 1);
}

static void declare(struct suite_list *list)
{
    static const char *const forth[] = {"quantize_per_tensor",
                                        "quantize_per_channel",
                                        "quantize_per_block",
                                        "fake_quantize_per_tensor_affine",
                                        "fake_quantize_per_channel_affine",
                                        "fake_quantize_per_tensor_affine_backward",
                                        "fake_quantize_per_channel_affine_backward"};
    static const char *const back[] = {"dequantize_per_tensor", "dequantize_per_channel",
                                       "dequantize_per_block"};
    for (size_t k = 0; k < sizeof forth / sizeof *forth; k++) {
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {forth[k]}, .build = build,
                                                       .asks = asks, .level = level_beyond_float32});
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(refusals), .ops = {forth[k]},
                                                       .dtypes = 1 << DTYPE_FLOAT32, .asks = asks});
    }
    for (size_t k = 0; k < sizeof back / sizeof *back; k++) {
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(back_rows), .ops = {back[k]},
                                                       .build = build, .asks = asks});
        suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(refusals), .ops = {back[k]}, .asks = asks,
                                                       .dtypes = 1 << DTYPE_INT8});
    }
}

const struct suite suite_quantization_quantization = {.declare = declare};

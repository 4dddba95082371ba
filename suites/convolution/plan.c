/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: convolutions, transposed ones, and their gradients. */
#include "suites/convolution/call.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

#include <string.h>

extern const struct plan_form plan_form_convolution_windows;

/* Bits of a variant. */
enum { STRIDE_2 = 1, DILATION_2 = 2, GROUPS_2 = 4, VARIANTS = 8 };
enum { DEPTH = 2, DEPTH_KERNEL = 2 }; /* of the first dimension of three */

static struct convolution_call call_of(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const int rank = convolution_rank(op), variant = m->call->variant, turn = m->call->turn;
    const enum layout layout = m->call->layout;
    const int laid = call_laid(m, 3);
    struct convolution_call call = {.batch = call_size(m, PLAN_BATCH),
                                    .in = call_size(m, PLAN_IN_CHANNELS),
                                    .out = call_size(m, PLAN_OUT_CHANNELS),
                                    .groups = variant & GROUPS_2 ? 2 : 0,
                                    .no_bias = turn % 5 == 4};
    for (int i = 0; i < rank; i++) {
        const bool depth = rank == 3 && i == 0, last = i == rank - 1;
        call.size[i] = depth ? DEPTH : call_size(m, last ? PLAN_COLUMNS : PLAN_ROWS);
        call.kernel[i] = depth ? DEPTH_KERNEL : call_size(m, PLAN_KERNEL);
        call.stride[i] = variant & STRIDE_2 ? 2 : 0;
        call.dilation[i] = variant & DILATION_2 && !depth ? 2 : 0;
        /* a kernel beyond the input needs padding; else there is some in turn */
        int64_t reach = (call.kernel[i] - 1) * (call.dilation[i] ? 2 : 1) + 1;
        int64_t needed =
            convolution_is_transposed(op) || reach <= call.size[i] ? 0 : (reach - call.size[i] + 1) / 2;
        call.padding[i] = needed > 0 ? needed : reach > 1 && turn % 3 == 1 && !convolution_is_transposed(op);
    }
    call.input = laid < 0 || laid == 0 ? layout : LAYOUT_CONTIGUOUS;
    call.weight = laid < 0 || laid == 1 ? layout : LAYOUT_CONTIGUOUS;
    call.grad = laid < 0 || laid == 2 ? layout : LAYOUT_CONTIGUOUS;
    return call;
}

static void build(const struct call_builder *m)
{
    struct convolution_call call = call_of(m);
    const bool gradient = convolution_is_gradient(m->b->c->op);
    struct convolution_operands o;
    if (!convolution_make(m->b, &call, &o)) {
        return;
    }
    const struct view *weight = &o.input[gradient + 1];
    const int64_t channels = weight->shape.dim[0],
                  each = channels > 0 ? shape_elements(&weight->shape) / channels : 0;
    for (int64_t c = 0; c < channels && c < 64; c++) {
        call_set_decisive(m, weight, (struct run){c * each, 1, each}, c, channels, 64, false);
    }
    convolution_step(m->b, &call, &o);
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const bool gradient = convolution_is_gradient(step->op), transposed = convolution_is_transposed(step->op);
    const struct shape *input = &step->input[gradient].shape, *weight = &step->input[gradient + 1].shape;
    const int rank = convolution_rank(step->op);
    const int64_t groups = attributes_integer(&step->attributes, "groups", 1);
    switch (kind) {
    case PLAN_BATCH:
        return input->rank == rank + 2 ? input->dim[0] : 1;
    case PLAN_IN_CHANNELS:
        return transposed ? weight->dim[0] / groups : weight->dim[1];
    case PLAN_OUT_CHANNELS:
        return transposed ? weight->dim[1] : weight->dim[0] / groups;
    case PLAN_ROWS:
        return measure_last(input, 2);
    case PLAN_COLUMNS:
        return measure_last(input, 1);
    case PLAN_KERNEL: /* the longest */
        return measure_last(weight, 1);
    default:
        return -1;
    }
}

static int64_t work(const struct plan_choice *choice)
{
    const int64_t side = choice->size[PLAN_KERNEL], taps = side * (choice->size[PLAN_ROWS] > 1 ? side : 1);
    const int64_t positions = choice->size[PLAN_ROWS] * choice->size[PLAN_COLUMNS];
    return choice->size[PLAN_BATCH] * choice->size[PLAN_IN_CHANNELS] * choice->size[PLAN_OUT_CHANNELS] *
           taps * (positions + 1);
}

/* Attributes that belong to the shapes of the operands. */
static bool decides_operands(const struct op *op, const char *attribute)
{
    return convolution_is_gradient(op) || strcmp(attribute, "groups") == 0;
}

static int64_t channels(const struct op *op, const struct step *step)
{
    if (!step) {
        return 1;
    }
    const struct shape *weight = &step->input[convolution_is_gradient(op) + 1].shape;
    return convolution_is_transposed(op) ? weight->dim[1] * attributes_integer(&step->attributes, "groups", 1)
                                         : weight->dim[0];
}

static void prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    call_resize(call, planned, PLAN_BATCH, 2);
    call_resize(call, planned, PLAN_IN_CHANNELS, 2);
    call_resize(call, planned, PLAN_OUT_CHANNELS, 3);
    call_resize(call, planned, PLAN_KERNEL, n > 2 ? 2 : 1);
    if (convolution_is_transposed(op_find(planned->name))) {
        call->variant = STRIDE_2; /* which allows an output_padding */
    }
}

#define OPERATOR(name_, kernel_, ...)                                                                        \
    PLAN_OPERATOR(name_, convolution_windows, PLAN_AXIS(BATCH, 0, 4097), PLAN_AXIS(IN_CHANNELS, 1, 4097),    \
                  PLAN_AXIS(OUT_CHANNELS, 1, 4097), __VA_ARGS__, PLAN_AXIS(KERNEL, 1, kernel_))
#define FOUR(rank_, kernel_, ...)                                                                            \
    OPERATOR("conv" rank_, kernel_, __VA_ARGS__), OPERATOR("conv" rank_ "_backward", kernel_, __VA_ARGS__),  \
        OPERATOR("conv_transpose" rank_, kernel_, __VA_ARGS__),                                              \
        OPERATOR("conv_transpose" rank_ "_backward", kernel_, __VA_ARGS__)

static const struct plan_operator operators[] = {
    FOUR("1d", 65, PLAN_AXIS(COLUMNS, 1, 4097)),
    FOUR("2d", 9, PLAN_AXIS(ROWS, 1, 1025), PLAN_AXIS(COLUMNS, 1, 1025)),
    FOUR("3d", 5, PLAN_AXIS(ROWS, 1, 1025), PLAN_AXIS(COLUMNS, 1, 1025)),
};

const struct plan_form plan_form_convolution_windows = {
    .place = 85,
    PLAN_OPERATORS(operators),
    .variants = VARIANTS,
    .places = true,
    .pairs_to = 9,
    .budget = {.least = 4096, .times = 8, .plus = 8},
    .work = work,
    .build = build,
    .measure = measure,
    .decides_operands = decides_operands,
    .channels = channels,
    .prepare_turn = prepare_turn,
    .distant = true,
};

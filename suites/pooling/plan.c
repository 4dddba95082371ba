/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: pooling and its gradients. */
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"
#include "suites/pooling/calls.h"

#include <string.h>

extern const struct plan_form plan_form_pooling_windows;

/* Bits of a variant. */
enum { STRIDE_2 = 1, CEIL = 2, VARIANTS = 4 };
enum { DEPTH = 2, DEPTH_KERNEL = 2 }; /* of the first dimension of three */

static struct pool_call call_of(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const int rank = pool_rank(op), variant = m->call->variant, turn = m->call->turn;
    struct pool_call call = {.batch = call_size(m, PLAN_BATCH),
                             .channels = call_size(m, PLAN_GROUPS),
                             .ceil = variant & CEIL,
                             .uncounted = turn % 3 == 2};
    for (int i = 0; i < rank; i++) {
        const bool depth = rank == 3 && i == 0, last = i == rank - 1;
        call.size[i] = depth ? DEPTH : call_size(m, last ? PLAN_COLUMNS : PLAN_ROWS);
        call.kernel[i] = depth ? DEPTH_KERNEL : call_size(m, PLAN_KERNEL);
        call.stride[i] = variant & STRIDE_2 ? 2 : turn % 2;
        /* a window beyond the input needs padding, and a larger input where that is not enough */
        call.padding[i] = call.kernel[i] > call.size[i] || turn % 5 == 1 ? call.kernel[i] / 2 : 0;
        if (call.kernel[i] > call.size[i] + 2 * call.padding[i]) {
            call.size[i] = call.kernel[i] - 2 * call.padding[i];
        }
    }
    const int laid = call_laid(m, 2);
    call.layout = laid != 1 || !pool_is_gradient(op) ? m->call->layout : LAYOUT_CONTIGUOUS;
    call.grad = laid != 0 ? m->call->layout : LAYOUT_CONTIGUOUS;
    return call;
}

static void build(const struct call_builder *m)
{
    const struct pool_call call = call_of(m);
    struct pool_operands o;
    if (!pool_make(m->b, &call, &o)) {
        return;
    }
    /* Elements that decide: one in each of the first planes. */
    const struct view *x = &o.input[0];
    const int64_t planes = o.shape.planes, each = planes > 0 ? shape_elements(&x->shape) / planes : 0;
    for (int64_t plane = 0;
         plane < planes && plane < 64 && !layout_repeats(call.layout) && !layout_repeats(call.grad);
         plane++) {
        call_set_decisive(m, x, (struct run){plane * each, 1, each}, plane, planes, 64, false);
    }
    pool_step(m->b, &o);
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *input = &step->input[pool_is_gradient(step->op)].shape;
    const struct integers *kernel = attributes_integers(&step->attributes, "kernel_size");
    const int rank = pool_rank(step->op);
    switch (kind) {
    case PLAN_BATCH:
        return input->rank == rank + 2 ? input->dim[0] : 1;
    case PLAN_GROUPS:
        return input->dim[input->rank - rank - 1];
    case PLAN_ROWS:
        return measure_last(input, 2);
    case PLAN_COLUMNS:
        return measure_last(input, 1);
    case PLAN_KERNEL: /* the last */
        return kernel ? kernel->item[kernel->count - 1] : -1;
    default:
        return -1;
    }
}

static int64_t work(const struct plan_choice *choice)
{
    const int64_t side = choice->size[PLAN_KERNEL], taps = side * (choice->size[PLAN_ROWS] > 1 ? side : 1);
    return choice->size[PLAN_BATCH] * choice->size[PLAN_GROUPS] * taps *
           (choice->size[PLAN_ROWS] * choice->size[PLAN_COLUMNS] + 1);
}

/* Attributes that the shapes of grad_output and indices follow from. */
static bool decides_operands(const struct op *op, const char *attribute)
{
    return pool_is_gradient(op) && strcmp(attribute, "count_include_pad") != 0 &&
           strcmp(attribute, "divisor_override") != 0;
}

static int64_t channels(const struct op *op, const struct step *step)
{
    if (!step) {
        return 1;
    }
    const struct shape *input = &step->input[pool_is_gradient(op)].shape;
    return input->dim[input->rank - pool_rank(op) - 1];
}

static void prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    call_resize(call, planned, PLAN_BATCH, 2);
    call_resize(call, planned, PLAN_GROUPS, 3);
    call_resize(call, planned, PLAN_KERNEL, n > 2 ? 2 : 1);
    call->turn = 11; /* with padding, which counts or not */
}

#define OPERATOR(name_, kernel_, ...)                                                                        \
    PLAN_OPERATOR(name_, pooling_windows, PLAN_AXIS(BATCH, 0, 4097), PLAN_AXIS(GROUPS, 1, 4097),             \
                  __VA_ARGS__, PLAN_AXIS(KERNEL, 1, kernel_))
#define FOUR(rank_, kernel_, ...)                                                                            \
    OPERATOR("avg_pool" rank_, kernel_, __VA_ARGS__),                                                        \
        OPERATOR("avg_pool" rank_ "_backward", kernel_, __VA_ARGS__),                                        \
        OPERATOR("max_pool" rank_, kernel_, __VA_ARGS__),                                                    \
        OPERATOR("max_pool" rank_ "_backward", kernel_, __VA_ARGS__)

static const struct plan_operator operators[] = {
    FOUR("1d", 65, PLAN_AXIS(COLUMNS, 1, 4097)),
    FOUR("2d", 9, PLAN_AXIS(ROWS, 1, 1025), PLAN_AXIS(COLUMNS, 1, 1025)),
    FOUR("3d", 5, PLAN_AXIS(ROWS, 1, 1025), PLAN_AXIS(COLUMNS, 1, 1025)),
};

const struct plan_form plan_form_pooling_windows = {
    .place = 86,
    PLAN_OPERATORS(operators),
    .variants = VARIANTS,
    .pairs_to = 9,
    .budget = {.least = 128, .times = 3, .plus = 8},
    .work = work,
    .build = build,
    .measure = measure,
    .decides_operands = decides_operands,
    .channels = channels,
    .prepare_turn = prepare_turn,
    .distant = true,
};

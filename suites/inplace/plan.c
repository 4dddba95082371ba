/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: operators that write into one of their operands. */
#include "suites/inplace/operands.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

#include <string.h>

/* Appends the step; addcmul_ and addcdiv_ without their factor `value`. */
static void call_step(struct builder *b, const struct writes *w, const struct view *operand)
{
    const struct attributes none = {.count = 0};
    const bool value = w->attribute && strcmp(w->attribute, "value") == 0 && w->operands == 3;
    writes_step(b, w, w->operands, operand, value ? &none : NULL, false);
}

/* The variant says how one of the read operands broadcasts. */
static void build(const struct call_builder *m)
{
    const struct writes *w = writes_find(m->planned->name);
    const bool moves = w->role[0] == ROLE_BITS;
    const int read = w->operands < 2   ? -1
                     : w->written == 0 ? 1 + m->call->turn % (w->operands - 1)
                                       : m->call->turn % w->written;
    struct shape shapes[CALL_BROADCASTS];
    struct view operand[WRITES_OPERANDS];
    call_broadcast_shapes(m, shapes);
    for (int k = 0; k < w->operands; k++) {
        const struct shape *shape = &shapes[k == read ? m->call->variant : 0];
        operand[k] = writes_operand(m->b, w, k, shape, call_layout(m, k, w->operands),
                                    moves ? DATA_INTEGERS : DATA_RANDOM);
        if (moves && shape_elements(shape) > 0) {
            build_set(m->b, &operand[k], shape_elements(shape) - 1, w->role[k] == ROLE_MASK ? 0 : 5 + k);
        }
    }
    call_step(m->b, w, operand);
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_flat(&step->input[op_written_input(step->op)].shape, kind);
}

static unsigned dtypes(const struct op *op)
{
    return writes_find(op->name)->dtypes & op->dtypes;
}

static bool broadcasts(const struct op *op, int operand)
{
    const struct writes *w = writes_find(op->name);
    return w->operands > 1 && operand < w->operands && operand != w->written;
}

static void build_middle(struct builder *b, int turn)
{
    const struct writes *w = writes_find(b->c->op->name);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        const struct shape shape = plan_middle_shape(b, k, turn);
        operand[k] = writes_operand(b, w, k, &shape, LAYOUT_CONTIGUOUS,
                                    w->role[0] == ROLE_BITS ? DATA_INTEGERS : DATA_RANDOM);
    }
    call_step(b, w, operand);
}

extern const struct plan_form plan_form_inplace;

#define WRITES(name_) PLAN_OPERATOR(name_, inplace, PLAN_FLAT)
static const struct plan_operator operators[] = {
    WRITES("add_"),    WRITES("sub_"),    WRITES("mul_"),    WRITES("div_"),     WRITES("add_out"),
    WRITES("sub_out"), WRITES("mul_out"), WRITES("div_out"), WRITES("addcmul_"), WRITES("addcdiv_"),
    WRITES("lerp_"),   WRITES("clamp_"),  WRITES("copy_"),   WRITES("fill_"),    WRITES("masked_fill_"),
};

const struct plan_form plan_form_inplace = {
    .place = 60,
    PLAN_OPERATORS(operators),
    .variants = CALL_BROADCASTS,
    .dtypes = dtypes,
    .no_other_dtypes = true,
    .build = build,
    .measure = measure,
    .distant = true,
    .broadcasts = broadcasts,
    .build_middle = build_middle,
};

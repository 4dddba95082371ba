/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operands that broadcast along dimensions in the middle, [2, 1, 3] beside [2, 4, 3], each operand in turn:
 * strides of 0 between others that are not. What joins dimensions, or takes a row or a column for the only
 * ways to broadcast, is wrong there and nowhere else. */

#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/loss/loss.h"
#include "suites/inplace/operands.h"
#include "suites/loss/operands.h"
#include "suites/plan/build.h"
#include "suites/plan/classes.h"
#include "suites/shared/functions.h"

#include <string.h>

enum { OPERANDS = LOSS_OPERANDS };

/* The shape without the dimensions whose bits are set, which are 1. */
static struct shape without(const struct shape *whole, unsigned dimensions)
{
    struct shape shape = *whole;
    for (int d = 0; d < whole->rank; d++) {
        shape.dim[d] = dimensions >> d & 1 ? 1 : shape.dim[d];
    }
    return shape;
}

/* That of operand k where `turn` broadcasts: of five dimensions the others lack those that it has. */
static struct shape shape_of_operand(const struct builder *b, uint32_t parts, int k, int turn)
{
    const struct shape three = shape_of(3, (int64_t)2, (int64_t)4, (int64_t)3),
                       five = shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)4, (int64_t)3);
    if (b->c->parameter == 3) {
        return without(&three, k == turn ? 1U << 1 : 0);
    }
    const bool next = k == (turn + 1) % OPERANDS && parts >> k & 1;
    return without(&five, k == turn ? 1U << 1 | 1U << 3 : next ? 1U << 2 : 0);
}

static void build_function(struct builder *b, uint32_t parts, int turn)
{
    const struct function *f = function_named(b->c->op->name);
    struct attributes attributes = {.count = 0};
    struct view operand[FUNCTION_OPERANDS];
    for (int k = 0; k < function_operands(f); k++) {
        const struct shape shape = shape_of_operand(b, parts, k, turn);
        operand[k] = function_tensor(b, f, k, &shape, LAYOUT_CONTIGUOUS);
        function_fill(b, f, k, &operand[k]);
    }
    if (!elementwise_takes(b->c->op, &attributes, b->c->dtype)) {
        attributes = f->given[0].attributes;
    }
    build_step(b, b->c->op, &attributes, function_operands(f), operand);
}

static void build_writes(struct builder *b, uint32_t parts, int turn)
{
    const struct writes *w = writes_find(b->c->op->name);
    const struct attributes none = {.count = 0};
    const bool value = w->attribute && strcmp(w->attribute, "value") == 0 && w->operands == 3;
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        const struct shape shape = shape_of_operand(b, parts, k, turn);
        operand[k] = writes_operand(b, w, k, &shape, LAYOUT_CONTIGUOUS,
                                    w->role[0] == ROLE_BITS ? DATA_INTEGERS : DATA_RANDOM);
    }
    writes_step(b, w, w->operands, operand, value ? &none : NULL, false);
}

static void build_loss(struct builder *b, uint32_t parts, int turn)
{
    const struct op *op = b->c->op;
    const struct attributes each = {.count = 1,
                                    .item = {{.name = "reduction",
                                              .type = ATTRIBUTE_CHOICE,
                                              .integer = LOSS_NONE,
                                              .word = op_choice_numbered(op, "reduction", LOSS_NONE)->word}}};
    const int inputs = op_inputs_max(op);
    struct view input[LOSS_OPERANDS];
    for (int k = 0; k < inputs; k++) {
        const struct shape shape = shape_of_operand(b, parts, k, turn);
        input[k] = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        loss_operand_fill(b, LOSS_FILL_RANDOM, false, k, &input[k]);
    }
    build_step(b, op, &each, inputs, input);
}

static void build(struct builder *b)
{
    const struct op *op = b->c->op;
    const uint32_t parts = class_parts(CLASS_MIDDLE, op);
    for (int turn = 0; turn < OPERANDS && !b->failed; turn++) {
        b->stream = 16 * turn;
        if (parts >> turn & 1) {
            (op->loss ? build_loss : writes_find(op->name) ? build_writes : build_function)(b, parts, turn);
        }
    }
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < plan_operators(); o++) {
        const struct plan_operator *planned = plan_operator(o);
        const struct op *op = op_find(planned->name);
        for (int k = 0; op && class_parts(CLASS_MIDDLE, op) && k < 2 * DTYPE_COUNT; k++) {
            if (plan_dtypes(planned) >> k / 2 & 1) {
                suite_declare(list, &(struct suite_case){.op = op,
                                                         .dtype = (enum dtype)(k / 2),
                                                         .name = k % 2 ? "middle-5d" : "middle-3d",
                                                         .level = LEVEL_STANDARD,
                                                         .covers = "middle_broadcast",
                                                         .file = __FILE__,
                                                         .line = __LINE__,
                                                         .build = build,
                                                         .parameter = k % 2 ? 5 : 3});
            }
        }
    }
}

const struct suite suite_plan_middle = {.declare = declare};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operands that broadcast along dimensions in the middle, [2, 1, 3] beside [2, 4, 3], each operand in turn: a
 * stride of 0 between other strides. An implementation that joins dimensions, or expects only rows or columns
 * to broadcast, is wrong in these cases only. */

#include "suites/plan/call_builder.h"
#include "suites/plan/classes.h"

/* Returns the shape with 1 for the dimensions whose bits are set. */
static struct shape without(const struct shape *whole, unsigned dimensions)
{
    struct shape shape = *whole;
    for (int d = 0; d < whole->rank; d++) {
        shape.dim[d] = dimensions >> d & 1 ? 1 : shape.dim[d];
    }
    return shape;
}

/* In five dimensions another operand broadcasts along a dimension that operand `turn` has. */
struct shape plan_middle_shape(const struct builder *b, int k, int turn)
{
    const struct shape three = shape_of(3, (int64_t)2, (int64_t)4, (int64_t)3),
                       five = shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)4, (int64_t)3);
    if (b->c->parameter == 3) {
        return without(&three, k == turn ? 1U << 1 : 0);
    }
    const bool next = k == (turn + 1) % MIDDLE_OPERANDS && class_parts(CLASS_MIDDLE, b->c->op) >> k & 1;
    return without(&five, k == turn ? 1U << 1 | 1U << 3 : next ? 1U << 2 : 0);
}

static void build(struct builder *b)
{
    const uint32_t parts = class_parts(CLASS_MIDDLE, b->c->op);
    const struct plan_form *form = plan_find(b->c->op->name)->form;
    for (int turn = 0; turn < MIDDLE_OPERANDS && !b->failed; turn++) {
        b->stream = 16 * turn;
        if (parts >> turn & 1) {
            form->build_middle(b, turn);
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

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every operator of the plan on operands that are all zero, all equal, or strongly negative, each operand
 * alone and then all of them; and on operands whose rows lie more than 2^16 elements apart, the first of them
 * as far into its storage. The last element of what is otherwise all zero is not. */

#include "suites/plan/build.h"
#include "suites/shared/functions.h"
#include "suites/shared/quantize.h"

#include <stdio.h>
#include <string.h>

enum { STREAMS = 2048, DISTANT_STEPS = 4 };
enum kind { KIND_ZERO, KIND_EQUAL, KIND_NEGATIVE, KINDS };

/* Small, no two dimensions alike. */
static int64_t size_of(enum plan_kind kind, bool distant)
{
    switch (kind) {
    case PLAN_ROWS:
        return distant ? 3 : 6;
    case PLAN_COLUMNS:
        return distant ? 5 : 33;
    case PLAN_TERMS:
        return distant ? 7 : 35;
    case PLAN_GROUPS:
        return 4;
    case PLAN_ENTRIES:
        return distant ? 6 : 31;
    case PLAN_WIDTH:
        return 5;
    case PLAN_ORDER:
        return 3;
    default:
        return 2;
    }
}

static struct plan_call call_of(const struct plan_operator *planned, enum dtype dtype, int turn, bool distant)
{
    struct plan_call call = {.dtype = dtype, .turn = turn, .layout = LAYOUT_CONTIGUOUS};
    const bool normalizes = strcmp(op_find(planned->name)->family, "norm") == 0;
    call.variant = /* training; of others the first */
        planned->form == FORM_INSTANCE || (planned->form == FORM_CHANNELS && normalizes);
    for (int a = 0; a < plan_axes(planned); a++) {
        call.size[a] = planned->axis[a].derived ? 0 : size_of(planned->axis[a].kind, distant);
    }
    return call;
}

/* Of ties every place is right: the last element leads. */
static double leading(const struct builder *b)
{
    return strcmp(b->c->op->name, "argmin") == 0 ? -9000 : 9000;
}

/* Integers as the operand may be them; a divisor that is no multiple of the dividend: the floor of 1 may be 0
 * where division errs. */
static void restrict_to_domain(struct builder *b, int operand, const struct view *x)
{
    const struct function *f = function_named(b->c->op->name);
    const struct storage *storage = &b->program->storage[x->storage];
    size_t size = dtype_info(x->dtype)->size;
    bool divides = f && f->domain[operand].whole == WHOLE_DIVISOR && dtype_is_floating(x->dtype);
    for (int64_t i = 0; divides && i < shape_elements(&x->shape); i++) {
        double value = dtype_load(x->dtype, storage->data + (size_t)view_element(x, i) * size);
        build_set(b, x, i, 0.71875 * value);
    }
    bool logarithms = operand == 1 && strcmp(b->c->op->name, "log_softmax_backward") == 0;
    for (int64_t i = 0; logarithms && i < shape_elements(&x->shape); i++) {
        double value = dtype_load(x->dtype, storage->data + (size_t)view_element(x, i) * size);
        build_set(b, x, i, -fabs(value));
    }
    for (int64_t i = 0; f && !dtype_is_floating(x->dtype) && i < shape_elements(&x->shape); i++) {
        uint64_t bits = dtype_bits(x->dtype, storage->data + (size_t)view_element(x, i) * size);
        build_set_bits(b, x, i, 0, function_bits(f, operand, x->dtype, bits));
    }
}

static void refill(struct builder *b, const struct view *x, enum kind kind, enum plan_form form)
{
    bool matrix = form == FORM_MATRIX;
    struct philox generator = build_generator(b, 1000);
    int64_t count = shape_elements(&x->shape);
    bool real = dtype_is_floating(dtype_info(x->dtype)->component);
    for (int64_t i = 0; i < count; i++) {
        double large = real && !matrix ? 100 : 3, part = (double)philox_below(&generator, 1024) / 1024;
        double negative = real ? -large * (1 + part) : -1000 - 1024 * part;
        build_set(b, x, i,
                  kind == KIND_NEGATIVE ? negative
                  : kind == KIND_EQUAL  ? (real ? 1.375 : 11)
                                        : (i == count - 1 ? 3 : 0));
    }
    if (form == FORM_REDUCTION) {
        build_set(b, x, count - 1, leading(b));
    }
}

/* Operands that hold data of the case's dtype. */
static bool is_data(const struct step *step, int i, enum dtype dtype)
{
    const struct view *view = &step->input[i];
    return view->storage >= 0 && view->dtype == dtype && !op_is_indices(step->op, step->inputs, i) &&
           !quantize_is_parameter(step->op, step->inputs, i) && shape_elements(&view->shape) > 1;
}

static void build_inputs(struct builder *b)
{
    const struct plan_operator *planned = b->c->row;
    int operands = 1;
    for (int s = 0; s < KINDS * (operands + 1) && !b->failed; s++) {
        int which = s / KINDS; /* the operand that is so; after the last one, all are */
        struct plan_call call = call_of(planned, b->c->dtype, 2 * s, false);
        b->stream = STREAMS * s;
        if (!plan_build(b, planned, &call)) {
            break;
        }
        const struct step *step = &b->program->step[b->program->steps - 1];
        int data = 0;
        for (int i = 0; i < step->inputs; i++) {
            if (is_data(step, i, b->c->dtype)) {
                if (data == which || which == operands) {
                    refill(b, &step->input[i], (enum kind)(s % KINDS), planned->form);
                    restrict_to_domain(b, i, &step->input[i]);
                }
                data++;
            }
        }
        operands = data;
    }
}

static void build_distant(struct builder *b)
{
    for (int turn = 0; turn < DISTANT_STEPS && !b->failed; turn++) { /* operands in turn, then all */
        struct plan_call call = call_of(b->c->row, b->c->dtype, turn, true);
        call.layout = LAYOUT_DISTANT;
        b->stream = STREAMS * turn;
        plan_build(b, b->c->row, &call);
    }
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < plan_operators(); o++) {
        const struct plan_operator *planned = plan_operator(o);
        const struct op *op = op_find(planned->name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            struct suite_case c = {.op = op, .dtype = (enum dtype)d, .file = __FILE__, .row = planned};
            if (!(plan_dtypes(planned) >> d & 1)) {
                continue;
            }
            if (planned->form != FORM_LOSS) { /* whose operands are probabilities, logarithms, classes */
                c.name = "plan-zero-equal-negative";
                c.level = LEVEL_STANDARD;
                c.covers = "one_sided";
                c.line = __LINE__;
                c.build = build_inputs;
                suite_declare(list, &c);
            }
            if (planned->form != FORM_WRITES) { /* inplace/grid.c has them */
                c.name = "plan-distant";
                c.level = d == DTYPE_FLOAT32 ? LEVEL_STANDARD : LEVEL_EXHAUSTIVE;
                c.covers = "distant layout_grid poison";
                c.line = __LINE__;
                c.build = build_distant;
                suite_declare(list, &c);
            }
        }
    }
}

const struct suite suite_plan_inputs = {.declare = declare};

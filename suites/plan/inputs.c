/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every operator of the plan on operands that are all zero (but for the last element), all equal, or strongly
 * negative, each operand alone and then all of them; and on operands whose rows lie more than 2^16 elements
 * apart, from an offset above 2^16. */

#include "suites/plan/call_builder.h"
#include "suites/shared/quantize.h"

enum { STREAMS = 2048, DISTANT_STEPS = 4 };
enum kind { KIND_ZERO, KIND_EQUAL, KIND_NEGATIVE, KINDS };

/* Small sizes, which differ between the dimensions of an operator. */
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
    call.variant = planned->form->usual_variant;
    for (int a = 0; a < plan_axes(planned); a++) {
        call.size[a] = planned->axis[a].derived ? 0 : size_of(planned->axis[a].kind, distant);
    }
    return call;
}

static void refill(struct builder *b, const struct view *x, enum kind kind, const struct plan_form *form)
{
    struct philox generator = build_generator(b, 1000);
    int64_t count = shape_elements(&x->shape);
    bool real = dtype_is_floating(dtype_info(x->dtype)->component);
    build_origin(b, x, false); /* rows of equal numbers err alike */
    for (int64_t i = 0; i < count; i++) {
        const double large = form->large != 0 ? form->large : 100,
                     part = (double)philox_below(&generator, 1024) / 1024;
        double negative = real ? -large * (1 + part) : -1000 - 1024 * part;
        build_set(b, x, i,
                  kind == KIND_NEGATIVE ? negative
                  : kind == KIND_EQUAL  ? (real ? 1.375 : 11)
                                        : (i == count - 1 ? 3 : 0));
    }
}

/* True for operands that hold data of the case's dtype. */
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
        int which = s / KINDS; /* the operand to replace; after the last one, all */
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
                    if (planned->form->restrict_to_domain) {
                        planned->form->restrict_to_domain(b, i, &step->input[i]);
                    }
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
            if (!planned->form->no_one_sided) {
                c.name = "plan-zero-equal-negative";
                c.level = LEVEL_STANDARD;
                c.covers = "one_sided";
                c.line = __LINE__;
                c.build = build_inputs;
                suite_declare(list, &c);
            }
            if (!planned->form->distant) {
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

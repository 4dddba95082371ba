/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/elementwise/plan_calls.h"
#include "suites/plan/measure.h"
#include "suites/shared/data.h"
#include "suites/shared/functions.h"

#include "reference/ops/elementwise/elementwise.h"

#include <math.h>

void elementwise_build_signs(const struct call_builder *m)
{
    const struct shape shape = call_flat_shape(m);
    const struct view x = build_tensor(m->b, m->call->dtype, &shape, m->call->layout);
    data_fill_sign_coded(m->b, &x, 0);
    build_unary(m->b, m->b->c->op, &x);
}

void elementwise_build_square(const struct call_builder *m)
{
    const struct shape shape = call_flat_shape(m);
    const struct view x = build_tensor(m->b, m->call->dtype, &shape, m->call->layout);
    call_fill_random(m, &x, 0);
    build_unary(m->b, m->b->c->op, &x);
}

void elementwise_build_unary(const struct call_builder *m)
{
    const struct shape shape = call_flat_shape(m);
    const struct view x = build_tensor(m->b, m->call->dtype, &shape, m->call->layout);
    function_fill(m->b, function_named(m->planned->name), 0, &x);
    build_unary(m->b, m->b->c->op, &x);
}

/* Numbers are views of the operands: the input of channels, and a half, have the sizes that are asked.
 * Variant 3: one weight for all channels; halves along any dimension in turn, else along the last one, which
 * is named from variant 2 on. */
static void build_views(const struct call_builder *m, const struct shape *shape)
{
    const struct function *f = function_named(m->planned->name);
    const bool halves = m->b->c->op->row->views == VIEWS_HALVES;
    const int inputs = op_inputs_max(m->b->c->op);
    int dim = shape->rank - 1 - (m->call->variant == 3 ? m->call->turn % shape->rank : 0);
    int64_t channels = shape->rank > 1 && m->call->variant != 3 ? shape->dim[1] : 1;
    struct shape weight = shape_of(1, channels);
    struct attributes attributes = {.count = halves && m->call->variant > 1,
                                    .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = dim}}};
    enum layout layout[FUNCTION_OPERANDS];
    struct function_call call;
    for (int k = 0; k < inputs; k++) {
        layout[k] = call_layout(m, k, inputs);
    }
    function_views(m->b, f, shape, &weight, dim, layout, &call);
    for (int k = 0; k < function_operands(f) && !m->b->failed; k++) {
        function_fill(m->b, f, k, &call.number[k]);
    }
    build_step(m->b, m->b->c->op, &attributes, call.inputs, call.input);
}

/* Variant: how one operand in turn broadcasts: not, as a row, a column, a scalar; see build_views. */
void elementwise_build_mapped(const struct call_builder *m)
{
    const struct function *f = function_named(m->planned->name);
    struct shape shape[CALL_BROADCASTS];
    const int operands = function_operands(f), repeated = m->call->turn % operands;
    struct attributes attributes = {.count = 0};
    struct view operand[FUNCTION_OPERANDS];
    call_broadcast_shapes(m, shape);
    if (m->b->c->op->row->views != VIEWS_OPERANDS) {
        build_views(m, &shape[0]);
        return;
    }
    for (int k = 0; k < operands; k++) {
        operand[k] = function_tensor(m->b, f, k, &shape[k == repeated ? m->call->variant : 0],
                                     call_layout(m, k, operands));
        function_fill(m->b, f, k, &operand[k]);
    }
    if (!elementwise_takes(m->b->c->op, &attributes, m->call->dtype)) { /* not without a word for it */
        attributes = f->given[m->call->turn / operands % function_givens(f)].attributes;
    }
    build_step(m->b, m->b->c->op, &attributes, operands, operand);
}

/* Of a gradient of halves the half's size, which grad_output has. */
int64_t elementwise_measure_mapped(const struct program *program, const struct step *step,
                                   enum plan_kind kind)
{
    (void)program;
    const bool half = step->op->row->views == VIEWS_HALVES && elementwise_is_gradient(step->op);
    return measure_flat(half ? &step->input[0].shape : &step->output[0].shape, kind);
}

bool elementwise_broadcasts(const struct op *op, int operand)
{
    (void)operand;
    return op->row->views == VIEWS_OPERANDS;
}

void elementwise_build_middle(struct builder *b, int turn)
{
    const struct function *f = function_named(b->c->op->name);
    struct attributes attributes = {.count = 0};
    struct view operand[FUNCTION_OPERANDS];
    for (int k = 0; k < function_operands(f); k++) {
        const struct shape shape = plan_middle_shape(b, k, turn);
        operand[k] = function_tensor(b, f, k, &shape, LAYOUT_CONTIGUOUS);
        function_fill(b, f, k, &operand[k]);
    }
    if (!elementwise_takes(b->c->op, &attributes, b->c->dtype)) {
        attributes = f->given[0].attributes;
    }
    build_step(b, b->c->op, &attributes, function_operands(f), operand);
}

/* Integers as the operand may be them; a divisor that is no multiple of the dividend: the floor of 1 may be 0
 * where division errs. */
void elementwise_restrict_to_domain(struct builder *b, int operand, const struct view *x)
{
    const struct function *f = function_named(b->c->op->name);
    const struct storage *storage = &b->program->storage[x->storage];
    const size_t size = dtype_info(x->dtype)->size;
    const bool real = dtype_is_floating(x->dtype),
               divides = f && f->domain[operand].whole == WHOLE_DIVISOR && real;
    for (int64_t i = 0; f && (divides || !real) && i < shape_elements(&x->shape); i++) {
        const unsigned char *at = storage->data + (size_t)view_element(x, i) * size;
        if (real) {
            build_set(b, x, i, 0.71875 * dtype_load(x->dtype, at));
        } else {
            build_set_bits(b, x, i, 0, function_bits(f, operand, x->dtype, dtype_bits(x->dtype, at)));
        }
    }
}

int64_t elementwise_channels(const struct op *op, const struct step *step)
{
    return op->row->views != VIEWS_CHANNELS ? -1
           : step                           ? shape_elements(&step->input[step->inputs - 1].shape)
                                            : 0;
}

/* Halves of that size make a square. */
void elementwise_prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    if (op_find(planned->name)->row->views == VIEWS_HALVES) {
        call_resize(call, planned, PLAN_COLUMNS, n / 2);
    }
}

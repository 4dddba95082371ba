/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/rowwise/rowwise.h"
#include "suites/plan/call_builder.h"
#include "suites/shared/data.h"

#include <math.h>
#include <string.h>

/* Of a product ones of either sign, a few factors near them, or odd integers: no order leaves the range, none
 * ends in 0. */
static void fill_factors(const struct call_builder *m, const struct view *x)
{
    struct philox generator = build_generator(m->b, 0);
    const bool real = dtype_is_floating(m->call->dtype);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        double sign = philox_below(&generator, 2) ? -1 : 1, unit = philox_unit(&generator);
        build_set(m->b, x, i, sign * (!real ? 1 + 2 * floor(400 * unit) : i % 127 ? 1 : 0.75 + unit / 2));
    }
}

static void fill(const struct call_builder *m, const struct view *x)
{
    struct philox generator = build_generator(m->b, 0);
    const bool real = dtype_is_floating(m->call->dtype);
    if (strcmp(m->planned->name, "prod") == 0) {
        fill_factors(m, x);
        return;
    }
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(m->b, x, i, 0,
                       real ? data_between(&generator, x->dtype, -4, 4)
                            : (uint64_t)(int64_t)data_integer(&generator, 900));
    }
}

/* Beside x in input[0]: grad_output, which comes first, or the forward's output. */
static void add_operand(const struct call_builder *m, struct view *input, int64_t terms,
                        const struct attributes *attributes)
{
    const struct op *op = m->b->c->op;
    if (op->rowwise && op->rowwise->gradient) {
        input[1] = input[0];
        input[0] = data_row_gradients(m->b, attributes, &input[1], call_layout(m, 1, 2));
    } else if (op_inputs_max(op) > 1) {
        input[1] = build_tensor(m->b, m->call->dtype, &input[0].shape, call_layout(m, 1, 2));
        data_fill_probabilities(m->b, &input[1], 1, terms, strcmp(op->name, "log_softmax_backward") == 0);
    }
}

/* The last row leads at its decisive element; that of the others is a NaN, or an infinity that leads or
 * trails. */
void call_build_rows(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    bool first = m->call->turn % 3 == 1, real = dtype_is_floating(m->call->dtype);
    bool flat = rows == 1 && m->call->turn % 4 == 2 && !first;
    bool least = strncmp(op->name, "argmin", 6) == 0 || strncmp(op->name, "amin", 4) == 0;
    double leads = least ? -1000 : 1000;
    struct shape shape = first ? shape_of(2, terms, rows) : shape_of(2, rows, terms);
    const int operands = op_inputs_max(op);
    struct view input[2];
    struct attributes attributes = {.count = 0};
    if (!flat || op->rowwise) {
        int64_t along = first ? -2 : 1;
        attributes.count = 1;
        attributes.item[0] = (struct attribute){.name = "dim",
                                                .type = op_attribute_named(op, "dim")->type,
                                                .integer = along,
                                                .integers = {.count = 1, .item = {along}}};
    }
    input[0] = build_tensor(m->b, m->call->dtype, &shape, call_layout(m, 0, operands));
    const struct view x = input[0];
    add_operand(m, input, terms, &attributes);
    fill(m, &x);
    for (int64_t r = 0; r < rows; r++) {
        struct run run = {first ? r : r * terms, first ? rows : 1, terms};
        call_set_decisive(m, &x, run, r, rows, leads, real);
    }
    build_step(m->b, op, &attributes, operands, input);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: reductions, maps of rows, and their gradients. */
#include "reference/ops/rowwise/rowwise.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"
#include "suites/reduction/operators.h"
#include "suites/shared/data.h"

#include <math.h>

/* Fills x with factors: ±1 with a few numbers near them, or odd integers. In no order do partial products
 * leave the range or become 0. */
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
    if (m->b->c->op->rowwise && (row_operator(m->b->c->op) & ROW_PRODUCT)) {
        fill_factors(m, x);
        return;
    }
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(m->b, x, i, 0,
                       real ? data_between(&generator, x->dtype, -4, 4)
                            : (uint64_t)(int64_t)data_integer(&generator, 900));
    }
}

/* Adds the second operand to x in input[0]: grad_output, which comes first, or the output of the forward
 * operator. */
static void add_operand(const struct call_builder *m, struct view *input, int64_t terms,
                        const struct attributes *attributes)
{
    const struct op *op = m->b->c->op;
    if (op->rowwise && op->rowwise->gradient) {
        input[1] = input[0];
        input[0] = data_row_gradients(m->b, attributes, &input[1], call_layout(m, 1, 2));
    } else if (op_inputs_max(op) > 1) {
        input[1] = build_tensor(m->b, m->call->dtype, &input[0].shape, call_layout(m, 1, 2));
        data_fill_probabilities(m->b, &input[1], 1, terms, row_operator(op) & ROW_OF_LOGARITHMS);
    }
}

/* The decisive element of the last row leads. In other rows it is NaN, or an infinity that leads or
 * trails. */
static void build(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    bool first = m->call->turn % 3 == 1, real = dtype_is_floating(m->call->dtype);
    bool flat = rows == 1 && m->call->turn % 4 == 2 && !first;
    const double leads = row_picks_least(op) ? -1000 : 1000;
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

/* Returns the operand whose dimensions are reduced. */
static int reduced_operand(const struct op *op)
{
    return op->rowwise && op->rowwise->gradient;
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_reduced(step, &step->input[reduced_operand(step->op)].shape, kind);
}

/* Makes the last element lead, because with ties every place would be right. The output of log_softmax must
 * not be positive. */
static void restrict_to_domain(struct builder *b, int operand, const struct view *x)
{
    const struct storage *storage = &b->program->storage[x->storage];
    const int64_t count = shape_elements(&x->shape);
    build_set(b, x, count - 1, !b->c->op->rowwise && row_picks_least(b->c->op) ? -9000 : 9000);
    const bool logarithms = operand == 1 && b->c->op->rowwise && (row_operator(b->c->op) & ROW_OF_LOGARITHMS);
    for (int64_t i = 0; logarithms && i < count; i++) {
        const size_t at = (size_t)view_element(x, i) * dtype_info(x->dtype)->size;
        build_set(b, x, i, -fabs(dtype_load(x->dtype, storage->data + at)));
    }
}

extern const struct plan_form plan_form_reduction;

#define ROWS(name_, least_)                                                                                  \
    PLAN_OPERATOR(name_, reduction, PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(TERMS, least_, 65537))
static const struct plan_operator operators[] = {
    ROWS("argmax", 1),
    ROWS("argmin", 1),
    ROWS("amax", 1),
    ROWS("amin", 1),
    ROWS("sum", 0),
    ROWS("nansum", 0),
    ROWS("prod", 0),
    ROWS("mean", 0),
    ROWS("any", 0),
    ROWS("all", 0),
    ROWS("count_nonzero", 0),
    ROWS("logsumexp", 0),
    ROWS("var", 2),
    ROWS("std", 2),
    ROWS("softmax", 0),
    ROWS("softmin", 0),
    ROWS("log_softmax", 0),
    ROWS("softmax_backward", 0),
    ROWS("log_softmax_backward", 0),
    ROWS("sum_backward", 0),
    ROWS("mean_backward", 0),
    ROWS("amax_backward", 1),
    ROWS("amin_backward", 1),
    ROWS("var_backward", 2),
    ROWS("std_backward", 2),
    ROWS("logsumexp_backward", 0),
};

const struct plan_form plan_form_reduction = {
    .place = 140,
    PLAN_OPERATORS(operators),
    .places = true,
    .budget = {.times = 3},
    .build = build,
    .measure = measure,
    .restrict_to_domain = restrict_to_domain,
    .reduces = true,
    .decisive_operand = reduced_operand,
};

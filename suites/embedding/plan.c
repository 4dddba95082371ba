/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: embedding and its gradient. The rows are those of the table, the columns its
 * width, the entries the indices. */
#include "suites/embedding/calls.h"
#include "suites/plan/call_builder.h"

#include <string.h>

extern const struct plan_form plan_form_embedding_rows;

/* Most indices are random; the last one names the last row, so that no gradient ends in a 0. */
static void build(const struct call_builder *m)
{
    static const enum embedding_indices indices[] = {INDICES_RANDOM, INDICES_SORTED, INDICES_EACH};
    const int64_t count = call_size(m, PLAN_ENTRIES);
    const int turn = m->call->turn, split = turn % 4 > 1 && count % (turn % 4) == 0 ? turn % 4 : 1;
    const int laid = call_laid(m, 2);
    const struct embedding_call call = {
        .rank = split > 1 ? 2 : 1,
        .dim = {split > 1 ? split : count, count / split},
        .rows = call_size(m, PLAN_ROWS),
        .width = call_size(m, PLAN_COLUMNS),
        .indices = indices[turn % 3],
        .table = laid != 1 ? m->call->layout : LAYOUT_CONTIGUOUS,
        .index_layout = laid != 0 && !layout_repeats(m->call->layout) ? m->call->layout : LAYOUT_CONTIGUOUS,
        .padded = turn % 5 == 4 && call_size(m, PLAN_ROWS) > 0};
    struct attributes attributes;
    struct view input[2];
    embedding_make(m->b, &call, input, &attributes);
    if (count > 0) {
        build_set_bits(m->b, &input[1], count - 1, 0, (uint64_t)(call.rows - 1));
    }
    build_step(m->b, m->b->c->op, &attributes, 2, input);
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *table = &step->input[0].shape;
    switch (kind) {
    case PLAN_ROWS:
        return embedding_is_gradient(step->op) ? attributes_integer(&step->attributes, "num_weights", -1)
                                               : table->dim[0];
    case PLAN_COLUMNS:
        return table->dim[table->rank - 1];
    case PLAN_ENTRIES:
        return shape_elements(&step->input[1].shape);
    default:
        return -1;
    }
}

static int64_t work(const struct plan_choice *choice)
{
    const int64_t rows = choice->size[PLAN_ROWS], entries = choice->size[PLAN_ENTRIES];
    return (rows + entries + rows * entries / 16) * choice->size[PLAN_COLUMNS]; /* a kernel may scan */
}

static bool decides_operands(const struct op *op, const char *attribute)
{
    (void)op;
    return strcmp(attribute, "num_weights") == 0;
}

#define AXES(name_)                                                                                          \
    PLAN_OPERATOR(name_, embedding_rows, PLAN_AXIS(ROWS, 1, 5120), PLAN_AXIS(COLUMNS, 0, 5120),              \
                  PLAN_AXIS(ENTRIES, 0, 5120))

static const struct plan_operator operators[] = {AXES("embedding"), AXES("embedding_backward")};

const struct plan_form plan_form_embedding_rows = {
    .place = 164,
    PLAN_OPERATORS(operators),
    .budget = {.times = 3},
    .work = work,
    .build = build,
    .measure = measure,
    .decides_operands = decides_operands,
    .distant = true,
};

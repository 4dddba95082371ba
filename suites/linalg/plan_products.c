/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/linalg/plan_products.h"
#include "suites/plan/measure.h"
#include "suites/shared/products.h"

void product_call_build(const struct call_builder *m)
{
    int64_t batch = call_size(m, PLAN_BATCH), rows = call_size(m, PLAN_ROWS),
            terms = call_size(m, PLAN_TERMS);
    const struct op *op = m->b->c->op;
    int turn = m->call->turn;
    bool linear = product_is_linear(op), wide = m->call->dtype == DTYPE_FLOAT64;
    struct product_case p = {.m = rows,
                             .k = terms,
                             .n = call_size(m, PLAN_COLUMNS),
                             .data = PRODUCT_RANDOM,
                             .laid = call_laid(m, linear ? 3 : 2),
                             .layout = m->call->layout,
                             .low = m->call->dtype,
                             .no_bias = turn % 5 == 4};
    if (product_is_autocast(op)) {
        p.low = wide ? DTYPE_FLOAT64 : turn % 2 ? DTYPE_FLOAT16 : DTYPE_BFLOAT16;
    }
    if (batch != 1 || turn % 7 == 6) {
        struct shape several = shape_of(1, batch);
        p.a_batch = linear || turn % 3 < 2 ? several : p.a_batch;
        p.b_batch = linear || turn % 3 == 1 ? p.b_batch : several;
    } else {
        p.a_vector = rows == 1 && turn % 2;
        p.b_vector = !linear && p.n == 1 && turn % 4 < 2;
    }
    struct view input[3];
    struct step *step = product_step(m->b, &p, input);
    int64_t all = terms > 0 ? shape_elements(&input[0].shape) / terms : 0;
    for (int64_t r = 0; step && r < all; r++) {
        call_set_decisive(m, &input[0], (struct run){r * terms, 1, terms}, r, all, 1024,
                          rows > 1 && r % rows < rows - 1);
    }
}

int64_t product_call_measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *a = &step->input[0].shape, *b = &step->input[1].shape, *y = &step->output[0].shape;
    /* whether the result has rows, columns */
    bool row = a->rank > 1, column = product_is_linear(step->op) || b->rank > 1;
    switch (kind) {
    case PLAN_TERMS:
        return measure_last(a, 1);
    case PLAN_ROWS:
        return row ? measure_last(a, 2) : 1;
    case PLAN_COLUMNS:
        return column ? measure_last(y, 1) : 1;
    case PLAN_BATCH:
        return measure_span(y, 0, y->rank - row - column);
    default:
        return -1;
    }
}

int64_t product_call_work(const struct plan_choice *choice)
{
    const int64_t rows = choice->size[PLAN_ROWS], columns = choice->size[PLAN_COLUMNS],
                  terms = choice->size[PLAN_TERMS];
    return choice->size[PLAN_BATCH] * (rows * columns * (terms + 1) + rows * terms + terms * columns);
}

/* A batch of one matrix, which is square. */
void product_call_prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    (void)n;
    call_resize(call, planned, PLAN_BATCH, 1);
}

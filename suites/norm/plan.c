/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: norms of vectors and matrices. The variant is the order. */
#include "suites/norm/norms.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

#include <math.h>

/* Attributes for the order p and dimension; matrix_norm of variant 0 passes no order. */
static struct attributes norm_attributes(const struct call_builder *m, double p, bool matrix, int dim)
{
    struct attributes a = {.count = 0};
    if (!(matrix && m->call->variant == 0)) {
        a.item[a.count++] = (struct attribute){.name = "ord", .type = ATTRIBUTE_REAL, .real = p};
    }
    if (!matrix && dim >= 0) {
        a.item[a.count++] = (struct attribute){
            .name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {dim}}};
    }
    return a;
}

static void build_matrix_norm(const struct call_builder *m)
{
    static const double orders[] = {2, 1, INFINITY, -1, -INFINITY};
    int64_t batch = call_size(m, PLAN_BATCH), n = call_size(m, PLAN_ROWS) * call_size(m, PLAN_COLUMNS);
    bool alone = batch == 1 && m->call->turn % 2;
    struct shape shape = alone ? shape_of(2, call_size(m, PLAN_ROWS), call_size(m, PLAN_COLUMNS))
                               : shape_of(3, batch, call_size(m, PLAN_ROWS), call_size(m, PLAN_COLUMNS));
    struct view x = norm_tensor(m->b, &shape, m->call->layout, NORM_RANDOM);
    for (int64_t k = 0; k < batch; k++) {
        call_set_decisive(m, &x, (struct run){k * n, 1, n}, k, batch, 100, true);
    }
    struct attributes attributes = norm_attributes(m, orders[m->call->variant], true, 0);
    build_step(m->b, m->b->c->op, &attributes, 1, &x);
}

static void build_vector_norm(const struct call_builder *m)
{
    static const double orders[] = {2, 1, INFINITY, 3, 0};
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    double p = terms == 0 && isinf(orders[m->call->variant]) ? 2 : orders[m->call->variant];
    bool first = m->call->turn % 3 == 1, vector = rows == 1 && m->call->turn % 4 == 2 && !first;
    struct shape shape = vector  ? shape_of(1, terms)
                         : first ? shape_of(2, terms, rows)
                                 : shape_of(2, rows, terms);
    struct view x = norm_tensor(m->b, &shape, m->call->layout, NORM_RANDOM);
    for (int64_t r = 0; r < rows; r++) {
        struct run run = {first ? r : r * terms, first ? rows : 1, terms};
        call_set_decisive(m, &x, run, r, rows, 100, true);
    }
    struct attributes attributes = norm_attributes(m, p, false, vector ? -1 : !first);
    build_step(m->b, m->b->c->op, &attributes, 1, &x);
}

static int64_t measure_vector_norm(const struct program *program, const struct step *step,
                                   enum plan_kind kind)
{
    (void)program;
    return measure_reduced(step, &step->input[0].shape, kind);
}

static int64_t measure_matrix_norm(const struct program *program, const struct step *step,
                                   enum plan_kind kind)
{
    (void)program;
    return measure_matrix(&step->input[0].shape, kind);
}

static int decisive_operand(const struct op *op)
{
    (void)op;
    return 0;
}

extern const struct plan_form plan_form_norm_vector, plan_form_norm_matrix;

static const struct plan_operator vector_norm[] = {
    PLAN_OPERATOR("vector_norm", norm_vector, PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(TERMS, 0, 65537))};
static const struct plan_operator matrix_norm[] = {
    PLAN_OPERATOR("matrix_norm", norm_matrix, PLAN_AXIS(BATCH, 0, 65537), PLAN_AXIS(ROWS, 1, 65537),
                  PLAN_AXIS(COLUMNS, 1, 65537))};

const struct plan_form plan_form_norm_vector = {
    .place = 120,
    PLAN_OPERATORS(vector_norm),
    .variants = 5,
    .places = true,
    .build = build_vector_norm,
    .measure = measure_vector_norm,
    .reduces = true,
    .decisive_operand = decisive_operand,
};

const struct plan_form plan_form_norm_matrix = {
    .place = 121,
    PLAN_OPERATORS(matrix_norm),
    .variants = 5,
    .places = true,
    .build = build_matrix_norm,
    .measure = measure_matrix_norm,
    .decisive_operand = decisive_operand,
};

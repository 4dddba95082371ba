/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: products, determinants and exponentials of matrices. */
#include "suites/linalg/layer.h"
#include "suites/linalg/plan_products.h"
#include "suites/plan/measure.h"
#include "suites/shared/dense_matrix.h"

#include <string.h>

extern const struct plan_form plan_form_linalg_products, plan_form_linalg_matrices, plan_form_linalg_layers;

static const struct plan_operator products[] = {
    PLAN_OPERATOR("matmul", linalg_products, PRODUCT_AXES),
    PLAN_OPERATOR("mv", linalg_products, PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(TERMS, 0, 65537)),
    PLAN_OPERATOR("linear", linalg_products, PRODUCT_AXES),
};

const struct plan_form plan_form_linalg_products = {
    .place = 80,
    PLAN_OPERATORS(products),
    PRODUCT_FORM,
    .build = product_call_build,
};

/* The variant selects Gaussian entries or orthogonal factors. */
static void build_matrices(const struct call_builder *m)
{
    int64_t batch = call_size(m, PLAN_BATCH), n = call_size(m, PLAN_ORDER);
    struct shape one = shape_of(3, (int64_t)1, n, n), shape = shape_of(3, batch, n, n);
    const bool exponential = strcmp(m->b->c->op->name, "matrix_exp") == 0;
    bool alone = batch == 1 && m->call->turn % 2;
    struct view all = build_tensor(m->b, m->call->dtype, alone ? &one : &shape, m->call->layout);
    for (int64_t k = 0; k < batch && n > 0; k++) {
        struct view matrix = view_at(&all, k);
        const struct dense_matrix kind = {.orthogonal = m->call->variant,
                                          .negative = (batch - 1 - k) % 3 == 1,
                                          .scale = exponential && n > 4 ? 0.25 : 1};
        dense_matrix_fill(m->b, &matrix, &kind, (int)(k % 1000));
        if ((batch - 1 - k) % 5 == 3) {
            call_set_decisive(m, &matrix, (struct run){0, 1, n * n}, k % 2 ? 0 : batch - 1, batch, 64, true);
        }
    }
    struct view a = alone ? view_at(&all, 0) : all;
    build_step(m->b, m->b->c->op, NULL, 1, &a);
}

static int64_t measure_matrices(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_matrix(&step->input[0].shape, kind);
}

static int64_t work_of_matrices(const struct plan_choice *choice)
{
    const int64_t order = choice->size[PLAN_ORDER];
    return choice->size[PLAN_BATCH] * (order * order * order / 16 + 1);
}

static const struct plan_operator matrices[] = {
    PLAN_OPERATOR("logdet", linalg_matrices, PLAN_AXIS(BATCH, 0, 5120), PLAN_AXIS(ORDER, 0, 48)),
    PLAN_OPERATOR("slogdet", linalg_matrices, PLAN_AXIS(BATCH, 0, 5120), PLAN_AXIS(ORDER, 0, 48)),
    PLAN_OPERATOR("matrix_exp", linalg_matrices, PLAN_AXIS(BATCH, 0, 513), PLAN_AXIS(ORDER, 0, 48)),
};

const struct plan_form plan_form_linalg_matrices = {
    .place = 110,
    PLAN_OPERATORS(matrices),
    .variants = 2,
    .places = true,
    .pairs_to = 17,
    .budget = {.least = 96},
    .work = work_of_matrices,
    .build = build_matrices,
    .measure = measure_matrices,
    .large = 3,
    .transposes = true,
};

/* --- gradients of a layer: rows of the batch, columns of the result, terms of the input */

static void build_layers(const struct call_builder *m)
{
    const int64_t rows = call_size(m, PLAN_ROWS), n = call_size(m, PLAN_COLUMNS),
                  k = call_size(m, PLAN_TERMS);
    const bool cut = rows % 2 == 0 && rows > 0 && m->call->turn % 3 == 1;
    struct shape grad = cut ? shape_of(3, (int64_t)2, rows / 2, n) : shape_of(2, rows, n),
                 x = cut ? shape_of(3, (int64_t)2, rows / 2, k) : shape_of(2, rows, k);
    const enum layout layout[] = {call_layout(m, 0, 3), call_layout(m, 1, 3), call_layout(m, 2, 3)};
    struct view input[3];
    layer_make(m->b, &grad, &x, n, k, layout, input);
    for (int64_t j = 0; j < n && !m->b->failed && shape_elements(&grad) > 0; j++) {
        call_set_decisive(m, &input[0], (struct run){j, n, rows}, j, n, 64, false);
    }
}

static int64_t measure_layers(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *grad = &step->input[0].shape, *weight = &step->input[2].shape;
    return kind == PLAN_ROWS      ? measure_span(grad, 0, grad->rank - 1)
           : kind == PLAN_COLUMNS ? weight->dim[0]
           : kind == PLAN_TERMS   ? weight->dim[1]
                                  : -1;
}

static int64_t work_of_layers(const struct plan_choice *choice)
{
    return 2 * choice->size[PLAN_ROWS] * choice->size[PLAN_COLUMNS] * (choice->size[PLAN_TERMS] + 1);
}

static const struct plan_operator layers[] = {
    PLAN_OPERATOR("linear_backward", linalg_layers, PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(COLUMNS, 0, 65537),
                  PLAN_AXIS(TERMS, 0, 65537)),
};

const struct plan_form plan_form_linalg_layers = {
    .place = 82,
    PLAN_OPERATORS(layers),
    .places = true,
    .budget = {.least = 2048, .times = 8, .plus = 8, .beyond_large = true},
    .work = work_of_layers,
    .build = build_layers,
    .measure = measure_layers,
};

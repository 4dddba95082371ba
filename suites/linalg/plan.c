/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: products, determinants and exponentials of matrices. */
#include "suites/linalg/plan_products.h"
#include "suites/plan/measure.h"
#include "suites/shared/dense_matrix.h"

#include <string.h>

extern const struct plan_form plan_form_linalg_products, plan_form_linalg_matrices;

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

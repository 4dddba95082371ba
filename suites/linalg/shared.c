/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Cases that logdet, slogdet and matrix_exp share: a matrix that is updated in place between two calls, and
 * batches of more than 65,535 matrices. */

#include "suites/linalg/matrices.h"
#include "suites/shared/update.h"

struct row {
    struct suite_row row;
    int n;
    int64_t count;
    enum layout layout;
};

static void call(struct builder *b, const struct view *a)
{
    build_step(b, b->c->op, NULL, 1, a);
}

/* Small integers with a dominant diagonal, halved twice in place: a factorisation cached from the first call
 * shows. The determinant stays positive, and e^A in range. */
static void halved(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n), scalar = {.rank = 0};
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    struct view half = build_tensor(b, b->c->dtype, &scalar, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        bool diagonal = i % (row->n + 1) == 0;
        build_set(b, &a, i, data_integer(&generator, 1) + (diagonal ? row->n + 1 : 0));
    }
    build_set(b, &half, 0, 0.5);
    call(b, &a);
    for (int k = 0; k < 2; k++) {
        update_exactly(b, op_find("mul_"), &a, &half);
        call(b, &a);
    }
}

/* Matrices of distinct entries below 1/2, plus the identity. */
static void many(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(3, row->count, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        bool diagonal = i % (row->n * row->n) % (row->n + 1) == 0;
        build_set(b, &a, i, data_integer(&generator, 127) / 256.0 + diagonal);
    }
    call(b, &a);
}

enum { SINGLE = 1U << DTYPE_FLOAT32 };

#define MANY(name_)                                                                                          \
    SUITE_ROW(name_, EXHAUSTIVE, "size_limits self_encoding", .dtypes = SINGLE, .build = many),              \
        .n = 2, .count = 65537

static const struct row rows[] = {
    {SUITE_ROW("chain-halved-n4", STANDARD, "order repeats", .build = halved), .n = 4},
    {SUITE_ROW("chain-halved-n20-block", STANDARD, "order repeats", .build = halved), .n = 20,
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("chain-halved-n33", STANDARD, "order repeats", .build = halved), .n = 33},
    {MANY("batch-65537-n2")},
    {MANY("batch-65537-n2-reversed"), .layout = LAYOUT_REVERSED},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list,
                       &(struct suite_table){SUITE_ROWS(rows), .ops = {"logdet", "slogdet", "matrix_exp"}});
}

const struct suite suite_linalg_shared = {.declare = declare};

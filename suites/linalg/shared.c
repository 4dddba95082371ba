/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What logdet, slogdet and matrix_exp are asked alike: a matrix that is updated in place between two calls,
 * and batches of more matrices than 65,535. */

#include "suites/linalg/matrices.h"
#include "suites/shared/update.h"

struct row {
    const char *name;
    enum level level;
    unsigned dtypes;
    void (*build)(struct builder *b);
    int n;
    int64_t count;
    enum layout layout;
    const char *covers;
    int line;
};

static void call(struct builder *b, const struct view *a)
{
    build_step(b, b->c->op, NULL, 1, a);
}

/* Small integers with a heavy diagonal, halved twice: a factorisation kept from the first call shows. The
 * determinant stays positive, and e^A in range. */
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

/* Matrices of distinct entries below 1/2, the diagonal raised by 1. */
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

enum { SINGLE = 1 << DTYPE_FLOAT32, BOTH = SINGLE | 1 << DTYPE_FLOAT64 };

#define CASE(name_, level_, dtypes_, build_, n_, count_, layout_, covers_)                                   \
    {                                                                                                        \
        name_, LEVEL_##level_, dtypes_, build_, n_, count_, LAYOUT_##layout_, covers_, __LINE__              \
    }

static const struct row rows[] = {
    CASE("chain-halved-n4", STANDARD, BOTH, halved, 4, 0, CONTIGUOUS, "order repeats"),
    CASE("chain-halved-n20-block", STANDARD, BOTH, halved, 20, 0, TRANSPOSED_BLOCK, "order repeats"),
    CASE("chain-halved-n33", STANDARD, BOTH, halved, 33, 0, CONTIGUOUS, "order repeats"),
    CASE("batch-65537-n2", EXHAUSTIVE, SINGLE, many, 2, 65537, CONTIGUOUS, "size_limits self_encoding"),
    CASE("batch-65537-n2-reversed", EXHAUSTIVE, SINGLE, many, 2, 65537, REVERSED,
         "size_limits self_encoding"),
};

static void declare(struct suite_list *list)
{
    static const char *const names[] = {"logdet", "slogdet", "matrix_exp"};
    for (int k = 0; k < 3 * DTYPE_COUNT; k++) {
        const struct op *op = op_find(names[k / DTYPE_COUNT]);
        enum dtype dtype = (enum dtype)(k % DTYPE_COUNT);
        for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
            if (rows[r].dtypes >> dtype & 1) {
                suite_declare(list, &(struct suite_case){.op = op,
                                                         .dtype = dtype,
                                                         .name = rows[r].name,
                                                         .level = rows[r].level,
                                                         .covers = rows[r].covers,
                                                         .file = __FILE__,
                                                         .line = rows[r].line,
                                                         .build = rows[r].build,
                                                         .row = &rows[r]});
            }
        }
    }
}

const struct suite suite_linalg_shared = {.declare = declare};

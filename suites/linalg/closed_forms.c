/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Matrices of order 2 and 3 whose determinant or exponential is in range although the products of their
 * closed forms (ad − bc, (a − d)² + 4bc, Sarrus) are not. */

#include "suites/shared/dense_matrix.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum { MATRICES = 12 };

/* Scales the columns of a dense matrix by powers of two: all large, all small, or the last one small beside
 * large ones. (If rows differed so, the multipliers of elimination would underflow.) */
static int column_power(enum dtype dtype, int64_t matrix, int64_t column, int64_t n)
{
    int far = dtype_info(dtype)->emax * 6 / 10;
    return matrix % 3 == 0 ? far : matrix % 3 == 1 ? -far : column == n - 1 ? -far : far;
}

static void build_determinants(struct builder *b)
{
    int64_t n = b->c->parameter;
    struct shape shape = shape_of(3, (int64_t)MATRICES, n, n);
    struct view a = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    for (int64_t m = 0; m < MATRICES && !b->failed; m++) {
        struct view matrix = view_at(&a, m);
        const struct dense_matrix kind = {.orthogonal = m % 2, .negative = m % 4 == 2, .scale = 1};
        dense_matrix_fill(b, &matrix, &kind, (int)m);
        for (int64_t i = 0; i < n * n; i++) {
            const unsigned char *at = b->program->storage[a.storage].data +
                                      (size_t)view_element(&matrix, i) * dtype_info(b->c->dtype)->size;
            build_set(b, &matrix, i,
                      ldexp(dtype_load(b->c->dtype, at), column_power(b->c->dtype, m, i % n, n)));
        }
    }
    build_step(b, b->c->op, NULL, 1, &a);
}

/* −2^k at one place of the diagonal with small couplings: e^A tends to a projection. */
static void build_exponentials(struct builder *b)
{
    int64_t n = b->c->parameter;
    struct shape shape = shape_of(3, (int64_t)MATRICES, n, n);
    struct view a = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, 0);
    for (int64_t m = 0; m < MATRICES; m++) {
        struct view matrix = view_at(&a, m);
        for (int64_t i = 0; i < n * n; i++) {
            double x = philox_signed(&generator) / 2;
            build_set(b, &matrix, i, i == m % n * (n + 1) ? -ldexp(1 + fabs(x), 8 + (int)m * 5) : x);
        }
    }
    build_step(b, b->c->op, NULL, 1, &a);
}

struct row {
    struct suite_row row;
};

#define ORDER2(op_, build_)                                                                                  \
    SUITE_ROW("closed-form-range-n2", STANDARD, NULL, .op = op_, .build = build_, .parameter = 2)
#define ORDER3(op_, build_)                                                                                  \
    SUITE_ROW("closed-form-range-n3", STANDARD, NULL, .op = op_, .build = build_, .parameter = 3)

static const struct row rows[] = {
    {ORDER2("logdet", build_determinants)},     {ORDER3("logdet", build_determinants)},
    {ORDER2("slogdet", build_determinants)},    {ORDER3("slogdet", build_determinants)},
    {ORDER2("matrix_exp", build_exponentials)}, {ORDER3("matrix_exp", build_exponentials)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .covers = "closed_forms"});
}

const struct suite suite_linalg_closed_forms = {.declare = declare};

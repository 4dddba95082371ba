/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The result of one operator as the matrix of the next, whose order, number of entries and duplicates must be
 * as the operator promises; and single columns of a product. Small integers, so that every step is exact. */

#include "suites/shared/rows.h"
#include "suites/sparse/matrices.h"

#include <string.h>

static const struct sparse_case matrix = {.rows = 14,
                                          .columns = 9,
                                          .entries = 50,
                                          .width = 4,
                                          .kind = SPARSE_RANDOM,
                                          .fill = FILL_INTEGERS,
                                          .alpha = 1,
                                          .beta = 1};

struct row {
    struct suite_row row;
    int times; /* the size and entries of the matrix are multiplied by this; 0: by 1 */
};

static struct attributes size_of(int64_t rows, int64_t columns)
{
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){
        .name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {rows, columns}}};
    return a;
}

/* Appends a step of a named operator that is marked exact; returns it, or NULL on a fault. */
static struct step *exact_step(struct builder *b, const char *name, const struct attributes *attributes,
                               int inputs, const struct view *input)
{
    struct step *step = build_step(b, op_find(name), attributes, inputs, input);
    if (step) {
        step->exact = true;
    }
    return step;
}

/* Applies `first`, [indices, values] → [indices, values], then multiplies the result with a dense matrix. */
static void product_after(struct builder *b, const char *first)
{
    struct view input[OPERANDS_MAX], next[3];
    bool turned = strcmp(first, "sparse_transpose") == 0;
    struct sparse_case s = matrix;
    sparse_build(b, "IVD", &s, input);
    struct attributes before = size_of(s.rows, s.columns),
                      after = turned ? size_of(s.columns, s.rows) : before;
    struct step *step = exact_step(b, first, &before, 2, input);
    if (step) {
        struct shape shape = shape_of(2, after.item[0].integers.item[1], s.width);
        next[0] = step->output[0];
        next[1] = step->output[1];
        next[2] = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            build_set(b, &next[2], i, (double)(i % 5) - 2);
        }
        exact_step(b, "sparse_mm", &after, 3, next);
    }
}

static void coalesce_product(struct builder *b)
{
    product_after(b, "coalesce");
}

static void transpose_product(struct builder *b)
{
    product_after(b, "sparse_transpose");
}

/* to_dense of a matrix before and after coalesce must be equal. */
static void dense_twice(struct builder *b)
{
    struct view input[OPERANDS_MAX], next[2];
    struct attributes attributes = size_of(matrix.rows, matrix.columns);
    sparse_build(b, "IV", &matrix, input);
    struct step *step = exact_step(b, "coalesce", &attributes, 2, input);
    if (step) {
        memcpy(next, step->output, sizeof next);
        step = exact_step(b, "to_dense", &attributes, 2, input);
    }
    if (step) {
        struct view one = step->output[0];
        step = exact_step(b, "to_dense", &attributes, 2, next);
        if (step) {
            build_relate(b, &one, &step->output[0], "to_dense before and after coalesce");
        }
    }
}

/* A matrix that is transposed twice must be the matrix. */
static void transpose_twice(struct builder *b)
{
    struct view input[OPERANDS_MAX], next[2];
    struct attributes attributes = size_of(matrix.rows, matrix.columns),
                      turned = size_of(matrix.columns, matrix.rows);
    sparse_build(b, "IV", &matrix, input);
    struct step *step = exact_step(b, "sparse_transpose", &attributes, 2, input);
    if (step) {
        memcpy(next, step->output, sizeof next);
        step = exact_step(b, "sparse_transpose", &turned, 2, next);
    }
    if (step) {
        build_relate(b, &step->output[0], &input[0], "transposed twice");
        build_relate(b, &step->output[1], &input[1], "transposed twice");
    }
}

/* Adds 1 to the operand in place. */
static void increment(struct builder *b, const struct view *operand)
{
    struct shape scalar = {.rank = 0};
    struct view update[2] = {*operand, build_tensor(b, operand->dtype, &scalar, LAYOUT_CONTIGUOUS)};
    build_set(b, &update[1], 0, 1);
    exact_step(b, "add_", NULL, 2, update);
}

/* The operator, and again after its values or its dense operand changed in place: a cached conversion
 * shows. */
static void after_update(struct builder *b, char letter)
{
    struct view input[OPERANDS_MAX];
    const char *letters = sparse_operands_of(b->c->op);
    const struct row *row = b->c->row;
    struct sparse_case s = matrix;
    int times = row->times > 0 ? row->times : 1;
    s.rows *= times;
    s.columns *= times;
    s.entries *= times;
    struct attributes attributes = sparse_attributes(b->c->op, &s);
    int inputs = sparse_build(b, letters, &s, input);
    exact_step(b, b->c->op->name, &attributes, inputs, input);
    for (int round = 0; round < 2; round++) {
        increment(b, &input[strchr(letters, letter) - letters]);
        exact_step(b, b->c->op->name, &attributes, inputs, input);
    }
}

static void values_updated(struct builder *b)
{
    after_update(b, 'V');
}

static void dense_updated(struct builder *b)
{
    after_update(b, 'D');
}

static void vector_updated(struct builder *b)
{
    after_update(b, 'v');
}

/* Each column of a product must equal the product with that column. */
static void columns_alone(struct builder *b)
{
    struct view input[OPERANDS_MAX];
    const char *letters = sparse_operands_of(b->c->op);
    struct sparse_case s = matrix;
    s.fill = FILL_RANDOM;
    struct attributes attributes = sparse_attributes(b->c->op, &s);
    int inputs = sparse_build(b, letters, &s, input);
    int dense = (int)(strchr(letters, 'D') - letters);
    struct step *step = build_step(b, b->c->op, &attributes, inputs, input);
    struct view whole = step ? step->output[0] : input[dense];
    struct view every = input[dense];
    for (int64_t j = 0; step && j < s.width; j++) {
        struct view column = whole;
        input[dense] = every;
        input[dense].shape.dim[1] = column.shape.dim[1] = 1;
        input[dense].offset += j * every.stride[1];
        column.offset += j * whole.stride[1];
        step = build_step(b, b->c->op, &attributes, inputs, input);
        if (step) {
            build_relate(b, &column, &step->output[0], "a column of the product alone");
        }
    }
}

#define UPDATED(op_, what_)                                                                                  \
    {SUITE_ROW("chain-" #what_ "-updated", STANDARD, "order sparse_kept", .op = op_,                         \
               .build = what_##_updated)},                                                                   \
    {                                                                                                        \
        SUITE_ROW("chain-" #what_ "-updated-70x45", STANDARD, "order sparse_kept", .op = op_,                \
                  .build = what_##_updated),                                                                 \
            .times = 5                                                                                       \
    }
#define COLUMNS_ALONE(op_)                                                                                   \
    SUITE_ROW("columns-alone", STANDARD, "batch_invariance", .op = op_, .build = columns_alone)

static const struct row rows[] = {
    {SUITE_ROW("chain-coalesce", SMOKE, "order sparse_order", .op = "sparse_mm", .build = coalesce_product)},
    {SUITE_ROW("chain-transpose", SMOKE, "order sparse_order", .op = "sparse_mm",
               .build = transpose_product)},
    {SUITE_ROW("chain-coalesce", SMOKE, "order sparse_duplicates", .op = "to_dense", .build = dense_twice)},
    {SUITE_ROW("chain-twice", SMOKE, "order", .op = "sparse_transpose", .build = transpose_twice)},
    UPDATED("coalesce", values),
    UPDATED("to_dense", values),
    UPDATED("sparse_transpose", values),
    UPDATED("sparse_mm", values),
    UPDATED("sparse_mm", dense),
    UPDATED("sparse_mv", values),
    UPDATED("sparse_mv", vector),
    UPDATED("sparse_addmm", values),
    UPDATED("sparse_addmm", dense),
    UPDATED("csr_mm", values),
    UPDATED("csr_mm", dense),
    UPDATED("csr_mv", values),
    UPDATED("csr_mv", vector),
    {COLUMNS_ALONE("sparse_mm")},
    {COLUMNS_ALONE("csr_mm")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .level = level_beyond_float32});
}

const struct suite suite_sparse_chains = {.declare = declare};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls that every sparse operator must refuse: indices outside the matrix, invalid row pointers, operands
 * that do not fit together. */

#include "suites/shared/rows.h"
#include "suites/sparse/matrices.h"

#include <string.h>

struct row {
    struct suite_row row;
    const char *letters; /* operands that may be damaged; the first of them that the operator has is */
    bool narrow;         /* indices are int32 */
    void (*damage)(struct builder *b, struct view *view, struct attributes *attributes);
    enum sparse_kind kind;
};

enum { ROWS = 6, COLUMNS = 5, ENTRIES = 11 };

static void set_last(struct builder *b, const struct view *view, int64_t index)
{
    build_set_bits(b, view, shape_elements(&view->shape) - 1, 0, (uint64_t)index);
}

static void negative(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    set_last(b, view, -1);
}

/* The last element is a column, in COO and in CSR. */
static void column_too_large(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    set_last(b, view, COLUMNS);
}

static void row_too_large(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    build_set_bits(b, view, 0, 0, ROWS);
}

/* The low word of the index is in range. */
static void high_word(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    set_last(b, view, ((int64_t)1 << 32) + 1);
}

static void high_word_first(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    build_set_bits(b, view, 0, 0, (uint64_t)7 << 32);
}

static void starts_late(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    build_set_bits(b, view, 0, 0, 1);
}

static void ends_late(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    set_last(b, view, ENTRIES + 3);
}

static void ends_early(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    for (int64_t r = 0; r <= ROWS; r++) {
        build_set_bits(b, view, r, 0, r == 0 ? 0 : 1);
    }
}

static void decreases(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    build_set_bits(b, view, 2, 0, 0);
    build_set_bits(b, view, 1, 0, 3);
}

/* Sets the columns of the only row to 0, 1, …, except the last two. */
static void end_row(struct builder *b, const struct view *view, int64_t last_but_one, int64_t last)
{
    int64_t n = view->shape.dim[0];
    if (n < 2) {
        build_fail(b, "a row of one entry has no order");
    }
    for (int64_t p = 0; n >= 2 && p < n; p++) {
        build_set_bits(b, view, p, 0, (uint64_t)(p < n - 2 ? p : n - 2 + (p == n - 2 ? last_but_one : last)));
    }
}

static void column_twice(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    end_row(b, view, 0, 0);
}

static void columns_fall(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    end_row(b, view, 1, 0);
}

static void shorter(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)b, (void)attributes;
    view->shape.dim[0]--;
}

static void narrower(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)b, (void)attributes;
    view->shape.dim[1]--;
}

/* Indices [n, 2], the other convention, instead of [2, n]. */
static void turned(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)b, (void)attributes;
    *view = view_transposed(view);
}

static void float_indices(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)attributes;
    struct shape shape = view->shape;
    *view = build_tensor(b, DTYPE_FLOAT32, &shape, LAYOUT_CONTIGUOUS);
}

static void one_size(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)b, (void)view;
    attributes->item[0].integers.count = 1;
}

static void negative_size(struct builder *b, struct view *view, struct attributes *attributes)
{
    (void)b, (void)view;
    attributes->item[0].integers.item[1] = -COLUMNS;
}

#define DAMAGE(name_, letters_, damage_)                                                                     \
    SUITE_ROW("refuse-" name_, SMOKE, NULL), .letters = letters_, .damage = damage_
/* All entries in one row of CSR. */
#define ORDER(name_, damage_) DAMAGE(name_, "C", damage_), .kind = SPARSE_ONE_ROW

static const struct row rows[] = {
    {DAMAGE("negative-index", "IC", negative)},
    {DAMAGE("negative-index-int32", "IC", negative), .narrow = true},
    {DAMAGE("column-too-large", "IC", column_too_large)},
    {DAMAGE("column-too-large-int32", "IC", column_too_large), .narrow = true},
    {DAMAGE("row-too-large", "I", row_too_large)},
    {DAMAGE("high-word", "IC", high_word)},
    {DAMAGE("high-word-first", "IR", high_word_first)},
    {DAMAGE("crow-starts-late", "R", starts_late)},
    {DAMAGE("crow-ends-late", "R", ends_late)},
    {DAMAGE("crow-ends-early", "R", ends_early), .narrow = true},
    {DAMAGE("crow-decreases", "R", decreases)},
    {DAMAGE("crow-short", "R", shorter)},
    {ORDER("column-twice", column_twice)},
    {ORDER("column-twice-int32", column_twice), .narrow = true},
    {ORDER("columns-fall", columns_fall)},
    {ORDER("columns-fall-int32", columns_fall), .narrow = true},
    {DAMAGE("values-short", "V", shorter)},
    {DAMAGE("dense-short", "DvBS", shorter)},
    {DAMAGE("left-short", "SA", shorter)},
    {DAMAGE("left-narrow", "A", narrower)},
    {DAMAGE("indices-turned", "I", turned)},
    {DAMAGE("float-indices", "IR", float_indices)},
    {DAMAGE("one-size", "IR", one_size)},
    {DAMAGE("negative-size", "IR", negative_size)},
};

/* Returns the operand to damage; −1: the operator has none of them. */
static int damaged(const struct row *row, const char *letters)
{
    for (const char *l = row->letters; *l; l++) {
        const char *found = strchr(letters, *l);
        if (found) {
            return (int)(found - letters);
        }
    }
    return -1;
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    const char *letters = sparse_operands_of(b->c->op);
    struct sparse_case s = {.rows = ROWS,
                            .columns = COLUMNS,
                            .entries = ENTRIES,
                            .width = 3,
                            .kind = row->kind,
                            .narrow = row->narrow,
                            .alpha = 1,
                            .beta = 1};
    struct view input[OPERANDS_MAX];
    struct attributes attributes = sparse_attributes(b->c->op, &s);
    int inputs = sparse_build(b, letters, &s, input);
    if (!b->failed) {
        row->damage(b, &input[damaged(row, letters)], &attributes);
        build_rejection(b, b->c->op, &attributes, inputs, input);
    }
}

static bool asks(const void *row, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    return damaged(row, sparse_operands_of(op)) >= 0;
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < op_count(); o++) {
        if (sparse_operands_of(op_at(o))) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {op_at(o)->name},
                                                           .covers = "sparse_refusals", .build = build,
                                                           .level = level_beyond_float32, .asks = asks});
        }
    }
}

const struct suite suite_sparse_refusals = {.declare = declare};

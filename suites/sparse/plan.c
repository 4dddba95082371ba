/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: sparse matrices. The variant spreads the entries, or puts all in the last
 * row. */
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"
#include "suites/sparse/matrices.h"

#include <stdlib.h>
#include <string.h>

static void build(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const char *letters = sparse_operands_of(op);
    int operands = (int)strlen(letters);
    struct sparse_case s = {.rows = call_size(m, PLAN_ROWS),
                            .columns = call_size(m, PLAN_COLUMNS),
                            .entries = call_size(m, PLAN_ENTRIES),
                            .width = call_size(m, PLAN_WIDTH),
                            .kind = m->call->variant ? SPARSE_LAST_ROW : SPARSE_SPREAD,
                            .fill = call_size(m, PLAN_ENTRIES) > PLAN_LARGE ? FILL_POSITIVE : FILL_RANDOM,
                            .narrow = m->call->turn % 2,
                            .laid = call_laid(m, operands),
                            .layout = m->call->layout,
                            .alpha = 1,
                            .beta = 1};
    struct view input[OPERANDS_MAX];
    struct attributes attributes = sparse_attributes(op, &s);
    int inputs = sparse_build(m->b, letters, &s, input);
    const char *values = strchr(letters, 'V');
    if (values && s.entries > 1) {
        call_set_decisive(m, &input[values - letters], (struct run){0, 1, s.entries}, 0, 1, 1024, false);
    }
    build_step(m->b, op, &attributes, inputs, input);
}

/* --- properties that the covering array depends on */

static int64_t work(const struct plan_choice *choice)
{
    const int64_t rows = choice->size[PLAN_ROWS], width = choice->size[PLAN_WIDTH],
                  entries = choice->size[PLAN_ENTRIES];
    const bool one_row = choice->variant > 0;
    int64_t columns = choice->size[PLAN_COLUMNS];
    columns = one_row && choice->open[PLAN_COLUMNS] && columns < entries ? entries : columns;
    return (entries + rows + columns) * (width > 0 ? width : 1) + (choice->dense ? rows * columns : 0);
}

/* True if there are enough places for every entry to have its own. */
static bool fits(const struct plan_choice *choice)
{
    const int64_t rows = choice->size[PLAN_ROWS], columns = choice->size[PLAN_COLUMNS],
                  entries = choice->size[PLAN_ENTRIES];
    const bool one_row = choice->variant > 0;
    if (choice->open[PLAN_ROWS] || choice->open[PLAN_COLUMNS] || choice->open[PLAN_ENTRIES]) {
        return true;
    }
    return entries == 0 || (rows > 0 && entries <= (one_row ? columns : rows * columns));
}

/* --- how long the dimensions are */

/* Returns an index from the data of the program; −1 if an earlier step writes it. */
static int64_t index_at(const struct program *program, const struct view *view, int64_t i)
{
    const struct storage *storage = &program->storage[view->storage];
    size_t size = dtype_info(view->dtype)->size, at = (size_t)view_element(view, i) * size;
    if (!storage_defined(storage, at)) {
        return -1;
    }
    uint64_t bits = dtype_bits(view->dtype, storage->data + at);
    return view->dtype == DTYPE_INT32 ? (int32_t)bits : (int64_t)bits;
}

static int64_t fullest_row(const struct program *program, const struct view *view, char letter, int64_t rows)
{
    int64_t entries = letter == 'I' ? view->shape.dim[1] : 0, fullest = 0;
    if (letter == 'R') { /* crow_indices: each row's entries are a difference */
        for (int64_t r = 0; r < rows; r++) {
            int64_t count = index_at(program, view, r + 1) - index_at(program, view, r);
            fullest = count > fullest ? count : fullest;
        }
        return fullest;
    }
    int64_t *count = calloc((size_t)rows + 1, sizeof *count);
    for (int64_t p = 0; count && p < entries; p++) {
        int64_t row = index_at(program, view, p);
        if (row >= 0 && row < rows) {
            count[row]++;
            fullest = count[row] > fullest ? count[row] : fullest;
        }
    }
    free(count);
    return fullest;
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    const char *letters = sparse_operands_of(step->op);
    const struct integers *size = attributes_integers(&step->attributes, "size");
    if (!size || size->count != 2) {
        return -1;
    }
    for (int k = 0; letters[k]; k++) {
        const struct view *view = &step->input[k];
        if (view->storage < 0) {
            continue;
        }
        if (kind == PLAN_ENTRIES && (letters[k] == 'I' || letters[k] == 'C')) {
            return measure_last(&view->shape, 1);
        }
        if (kind == PLAN_ROW_ENTRIES && (letters[k] == 'I' || letters[k] == 'R')) {
            return fullest_row(program, view, letters[k], size->item[0]);
        }
        if (kind == PLAN_WIDTH && strchr("DSA", letters[k])) {
            return measure_last(&view->shape, 1);
        }
    }
    return kind == PLAN_ROWS ? size->item[0] : kind == PLAN_COLUMNS ? size->item[1] : -1;
}

extern const struct plan_form plan_form_sparse;

#define SPARSE_AXES                                                                                          \
    PLAN_DERIVED(ROW_ENTRIES, 0, 65537), PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(COLUMNS, 0, 65537),            \
        PLAN_AXIS(ENTRIES, 0, 65537)
#define WIDE_AXES PLAN_AXIS(WIDTH, 0, 65537), SPARSE_AXES
static const struct plan_operator operators[] = {
    PLAN_OPERATOR("coalesce", sparse, SPARSE_AXES),
    {.name = "to_dense", .form = &plan_form_sparse, .axis = {SPARSE_AXES}, .dense = true},
    PLAN_OPERATOR("sparse_transpose", sparse, SPARSE_AXES),
    PLAN_OPERATOR("sparse_mv", sparse, SPARSE_AXES),
    PLAN_OPERATOR("csr_mv", sparse, SPARSE_AXES),
    PLAN_OPERATOR("sparse_mm", sparse, WIDE_AXES),
    PLAN_OPERATOR("sparse_addmm", sparse, WIDE_AXES),
    PLAN_OPERATOR("csr_mm", sparse, WIDE_AXES),
    PLAN_OPERATOR("sampled_addmm", sparse, WIDE_AXES),
    PLAN_OPERATOR("sparse_mm_backward_sparse", sparse, WIDE_AXES),
    PLAN_OPERATOR("sparse_mm_backward_dense", sparse, WIDE_AXES),
};

const struct plan_form plan_form_sparse = {
    .place = 200,
    PLAN_OPERATORS(operators),
    .variants = 2,
    .variants_at = VARIANTS_AT_LARGE,
    .places = true,
    .budget = {.times = 5, .plus = 16, .beyond_large = true},
    .work = work,
    .fits = fits,
    .build = build,
    .measure = measure,
};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/plan.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/normalization/normalization.h"
#include "reference/ops/rowwise/rowwise.h"
#include "suites/shared/products.h"
#include "suites/sparse/matrices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct size_class {
    int64_t size, octave; /* octave: a prime of [octave, 2·octave); 0: the size itself */
} classes[] = {
#define SIZE(n_)        {n_, 0},
#define PRIME(low_, n_) {n_, low_},
#include "suites/plan/plan.def"
};

static const char *const kind_names[PLAN_KINDS] = {
#define KIND(key_, name_, text_) [PLAN_##key_] = name_,
#include "suites/plan/plan.def"
};

static const struct plan_operator operators[] = {
#define AXIS(kind_, least_, most_)                                                                           \
    {                                                                                                        \
        .kind = PLAN_##kind_, .least = least_, .most = most_                                                 \
    }
#define DERIVED(kind_, least_, most_)                                                                        \
    {                                                                                                        \
        .kind = PLAN_##kind_, .least = least_, .most = most_, .derived = true                                \
    }
#define OPERATOR(name_, form_, ...) {name_, FORM_##form_, {__VA_ARGS__}},
#include "suites/plan/plan.def"
};

int plan_operators(void)
{
    return (int)(sizeof operators / sizeof *operators);
}

const struct plan_operator *plan_operator(int index)
{
    return &operators[index];
}

const struct plan_operator *plan_find(const char *name)
{
    for (int k = 0; k < plan_operators(); k++) {
        if (strcmp(operators[k].name, name) == 0) {
            return &operators[k];
        }
    }
    return NULL;
}

int plan_axes(const struct plan_operator *planned)
{
    int count = 0;
    while (count < PLAN_AXES && planned->axis[count].most > 0) {
        count++;
    }
    return count;
}

const char *plan_kind_name(enum plan_kind kind)
{
    return kind_names[kind];
}

int plan_classes(void)
{
    return (int)(sizeof classes / sizeof *classes);
}

int64_t plan_class_size(int class)
{
    return classes[class].size;
}

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n > 1;
}

bool plan_class_holds(int class, int64_t size)
{
    int64_t low = classes[class].octave;
    if (low == 0) {
        return size == classes[class].size;
    }
    return size > low + 1 && size < 2 * low - 1 && is_prime(size);
}

void plan_class_name(int class, char *text, size_t size)
{
    long long low = classes[class].octave;
    if (low == 0) {
        snprintf(text, size, "%lld", (long long)classes[class].size);
    } else {
        snprintf(text, size, "a prime of %lld to %lld", low, 2 * low - 1);
    }
}

/* --- dimensions of a step */

static int64_t span(const struct shape *shape, int from, int to)
{
    int64_t count = 1;
    for (int d = from < 0 ? 0 : from; d < to; d++) {
        count *= shape->dim[d];
    }
    return count;
}

static int64_t last(const struct shape *shape, int back)
{
    return shape->rank >= back ? shape->dim[shape->rank - back] : 1;
}

static int64_t of_flat(const struct shape *shape, enum plan_kind kind)
{
    return kind == PLAN_COLUMNS ? last(shape, 1) : kind == PLAN_ROWS ? span(shape, 0, shape->rank - 1) : -1;
}

static int64_t of_matrix(const struct shape *shape, enum plan_kind kind)
{
    switch (kind) {
    case PLAN_COLUMNS:
    case PLAN_ORDER:
        return last(shape, 1);
    case PLAN_ROWS:
        return last(shape, 2);
    case PLAN_BATCH:
        return span(shape, 0, shape->rank - 2);
    default:
        return -1;
    }
}

static int64_t of_product(const struct step *step, enum plan_kind kind)
{
    const struct shape *a = &step->input[0].shape, *b = &step->input[1].shape, *y = &step->output[0].shape;
    bool row = a->rank > 1, column = product_is_linear(step->op) || b->rank > 1; /* the result has them */
    switch (kind) {
    case PLAN_TERMS:
        return last(a, 1);
    case PLAN_ROWS:
        return row ? last(a, 2) : 1;
    case PLAN_COLUMNS:
        return column ? last(y, 1) : 1;
    case PLAN_BATCH:
        return span(y, 0, y->rank - row - column);
    default:
        return -1;
    }
}

/* All dimensions, or those that `dim` names: a list, or one. */
static int64_t of_reduction(const struct step *step, enum plan_kind kind)
{
    const struct rowwise *row = step->op->rowwise;
    const struct shape *x = &step->input[row && row->gradient].shape;
    const struct integers *dim = attributes_integers(&step->attributes, "dim");
    int64_t terms = 1, rows = 1, one = attributes_integer(&step->attributes, "dim", 0);
    bool single = !dim && attributes_given(&step->attributes, "dim");
    for (int d = 0; d < x->rank; d++) {
        bool reduced = single ? one == d || one + x->rank == d : !dim;
        for (int k = 0; dim && k < dim->count; k++) {
            reduced = reduced || dim->item[k] == d || dim->item[k] + x->rank == d;
        }
        *(reduced ? &terms : &rows) *= x->dim[d];
    }
    return kind == PLAN_TERMS ? terms : kind == PLAN_ROWS ? rows : -1;
}

static int64_t of_layer(const struct step *step, enum plan_kind kind)
{
    const struct shape *x = &step->input[normalization_is_gradient(step->op)].shape;
    const struct integers *tail = attributes_integers(&step->attributes, "normalized_shape");
    if (!tail) {
        return -1;
    }
    return kind == PLAN_TERMS  ? span(x, x->rank - tail->count, x->rank)
           : kind == PLAN_ROWS ? span(x, 0, x->rank - tail->count)
                               : -1;
}

static int64_t of_channels(const struct plan_operator *planned, const struct step *step, enum plan_kind kind)
{
    const struct shape *x = &step->input[normalization_is_gradient(step->op)].shape;
    if (x->rank < 2) {
        return -1;
    }
    bool over_batch = planned->form == FORM_CHANNELS;
    int64_t groups = attributes_integer(&step->attributes, "num_groups", x->dim[1]);
    int64_t inner = span(x, 2, x->rank), sums = shape_elements(&step->output[0].shape);
    if (kind == PLAN_TERMS &&
        strcmp(step->op->family, "norm") != 0) { /* of one weight those of all channels */
        return sums > 0 ? shape_elements(x) / sums : -1;
    }
    switch (kind) {
    case PLAN_BATCH:
        return x->dim[0];
    case PLAN_GROUPS:
        return groups;
    case PLAN_COLUMNS:
        return inner;
    case PLAN_TERMS:
        return over_batch ? x->dim[0] * inner : groups > 0 ? x->dim[1] / groups * inner : -1;
    default:
        return -1;
    }
}

/* Of losses the samples and their classes; of others the elements. */
static int64_t of_loss(const struct step *step, enum plan_kind kind)
{
    const struct shape *x = &step->input[op_input_named(step->op, "input")].shape;
    const int64_t elements = shape_elements(x), along = x->rank > 1 ? x->dim[1] : last(x, 1);
    if (step->op->loss) {
        return kind == PLAN_TERMS ? elements : -1;
    }
    return kind == PLAN_TERMS ? along : kind == PLAN_BATCH && along > 0 ? elements / along : -1;
}

/* An index as the program's data give it; −1 where an earlier step writes it. */
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

static int64_t of_sparse(const struct program *program, const struct step *step, enum plan_kind kind)
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
            return last(&view->shape, 1);
        }
        if (kind == PLAN_ROW_ENTRIES && (letters[k] == 'I' || letters[k] == 'R')) {
            return fullest_row(program, view, letters[k], size->item[0]);
        }
        if (kind == PLAN_WIDTH && strchr("DSA", letters[k])) {
            return last(&view->shape, 1);
        }
    }
    return kind == PLAN_ROWS ? size->item[0] : kind == PLAN_COLUMNS ? size->item[1] : -1;
}

int64_t plan_measure(const struct plan_operator *planned, const struct program *program,
                     const struct step *step, enum plan_kind kind)
{
    const struct shape *first = &step->input[0].shape;
    switch (planned->form) {
    case FORM_UNARY:
    case FORM_SCALER:
        return of_flat(first, kind);
    case FORM_MAPPED: /* of a gradient of halves the half's, which grad_output has */
        return of_flat(step->op->row->views == VIEWS_HALVES && elementwise_is_gradient(step->op)
                           ? first
                           : &step->output[0].shape,
                       kind);
    case FORM_WRITES:
        return of_flat(&step->input[op_written_input(step->op)].shape, kind);
    case FORM_PRODUCT:
        return of_product(step, kind);
    case FORM_MATRIX:
        return of_matrix(first, kind);
    case FORM_NORM:
        return strcmp(step->op->name, "matrix_norm") == 0 ? of_matrix(first, kind) : of_reduction(step, kind);
    case FORM_REDUCTION:
        return of_reduction(step, kind);
    case FORM_LAYER:
        return of_layer(step, kind);
    case FORM_GROUP:
    case FORM_INSTANCE:
    case FORM_CHANNELS:
        return of_channels(planned, step, kind);
    case FORM_LOSS:
        return of_loss(step, kind);
    case FORM_SPARSE:
        return of_sparse(program, step, kind);
    }
    return -1;
}

void plan_measure_all(const struct plan_operator *planned, const struct program *program,
                      const struct step *step, int64_t size[PLAN_AXES])
{
    bool empty = false;
    for (int a = 0; a < plan_axes(planned); a++) {
        size[a] = plan_measure(planned, program, step, planned->axis[a].kind);
        empty = empty || (size[a] == 0 && !planned->axis[a].derived);
    }
    for (int a = 0; empty && a < plan_axes(planned); a++) {
        size[a] = size[a] == 0 ? 0 : -1;
    }
}

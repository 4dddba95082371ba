/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/inputs_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- COO to CSR */

static void swap(struct tensor *a, struct tensor *b)
{
    struct tensor kept = *a;
    *a = *b;
    *b = kept;
}

struct place {
    int64_t row, column, position;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int64_t order = x->row != y->row         ? x->row - y->row
                    : x->column != y->column ? x->column - y->column
                                             : x->position - y->position;
    return (order > 0) - (order < 0);
}

static int64_t load(const struct tensor *tensor, int64_t i)
{
    return dtype_load_integer(DTYPE_INT64, tensor->data + (size_t)i * 8);
}

static void store(struct tensor *tensor, int64_t i, int64_t x)
{
    dtype_store_integer(DTYPE_INT64, tensor->data + (size_t)i * 8, x);
}

/* Fills the row starts, which were only declared until now, and sorts entries and values by row and column.
 */
static bool compress(struct repro_inputs *inputs, const struct csr *csr, struct error *error)
{
    struct tensor *crow = &inputs->input[csr->at], *column = crow + 1, *values = crow + 2, sorted, moved;
    const int64_t n = column->shape.dim[0], rows = crow->shape.dim[0] - 1;
    const size_t size = dtype_info(values->dtype)->size;
    struct place *place = calloc((size_t)n + 1, sizeof *place);
    bool good = tensor_create(crow, DTYPE_INT64, &crow->shape);
    good = tensor_create(&sorted, DTYPE_INT64, &column->shape) && good;
    good = tensor_create(&moved, values->dtype, &values->shape) && good && place;
    if (!good) {
        error_set(error, "out of memory for %lld rows and %lld entries of a sparse matrix", (long long)rows,
                  (long long)n);
    }
    for (int64_t k = 0; good && k < n; k++) {
        place[k] = (struct place){load(&csr->rows, k), load(column, k), k};
    }
    if (good) {
        qsort(place, (size_t)n, sizeof *place, by_place);
    }
    for (int64_t k = 1; good && k < n; k++) {
        good = place[k].row != place[k - 1].row || place[k].column != place[k - 1].column ||
               error_set(error, "%s: entry (%lld, %lld) stands twice: CSR holds each place once", csr->path,
                         (long long)place[k].row + 1, (long long)place[k].column + 1);
    }
    for (int64_t r = 0, p = 0; good && r <= rows; r++) {
        for (; p < n && place[p].row < r; p++) {
            store(&sorted, p, place[p].column);
            memcpy(moved.data + (size_t)p * size, values->data + (size_t)place[p].position * size, size);
        }
        store(crow, r, p);
    }
    if (good) {
        swap(column, &sorted);
        swap(values, &moved);
    }
    tensor_destroy(&sorted);
    tensor_destroy(&moved);
    free(place);
    return good;
}

/* Checks the operands by their shapes, before memory is allocated for row starts that a header only claims.
 */
static bool check_shapes(struct reading *r)
{
    struct view view[OPERANDS_MAX];
    struct op_signature signature;
    for (int i = 0; i < r->inputs->inputs; i++) {
        view[i] = view_contiguous(i, r->inputs->input[i].dtype, &r->inputs->input[i].shape);
    }
    const struct op_operands operands = {
        .attributes = r->attributes, .inputs = r->inputs->inputs, .input = view};
    return op_signature(r->op, &operands, &signature, r->error);
}

bool inputs_compress(struct reading *r)
{
    bool good = r->csrs == 0 || check_shapes(r);
    for (int c = 0; good && c < r->csrs; c++) {
        good = compress(r->inputs, &r->csr[c], r->error);
    }
    return good;
}

/* --- appending */

static void set_size(struct reading *r, const struct matrix_market *matrix)
{
    struct attributes *attributes = r->attributes;
    if (!attributes_integers(attributes, "size") && attributes->count < ATTRIBUTES_MAX) {
        attributes->item[attributes->count++] =
            (struct attribute){.name = "size",
                               .type = ATTRIBUTE_INTEGERS,
                               .integers = {.count = 2, .item = {matrix->rows, matrix->columns}}};
    }
}

/* Appends columns and values as they are. The row starts get a shape but no memory yet, so that the shapes
 * can be checked first. */
static bool append_csr(struct reading *r, struct matrix_market *matrix, bool untyped, const char *path)
{
    const int64_t n = matrix->values.shape.dim[0];
    const struct shape list = shape_of(1, n);
    struct tensor crow = {.dtype = DTYPE_INT64, .shape = shape_of(1, matrix->rows + 1)}, column;
    struct csr *csr = &r->csr[r->csrs];
    csr->at = r->inputs->inputs;
    csr->path = path;
    bool good = tensor_create(&csr->rows, DTYPE_INT64, &list);
    r->csrs++;
    good = tensor_create(&column, DTYPE_INT64, &list) && good;
    for (int64_t k = 0; good && k < n; k++) {
        store(&csr->rows, k, load(&matrix->indices, k));
        store(&column, k, load(&matrix->indices, n + k));
    }
    good = (good || error_set(r->error, "%s: out of memory", path)) && inputs_append(r, &crow, false) &&
           inputs_append(r, &column, false) && inputs_append(r, &matrix->values, untyped);
    tensor_destroy(&column);
    return good;
}

bool inputs_append_sparse(struct reading *r, struct matrix_market *matrix, bool untyped, const char *format,
                          const char *path)
{
    int i = r->inputs->inputs, least = op_inputs_min(r->op);
    bool valued = op_input_named(r->op, "values") >= 0; /* else the operator takes a pattern without values */
    if (!op_is_indices(r->op, least, i)) {
        return error_set(r->error, "%s: it is a sparse matrix (%s); input %d (%s) of %s is no sparse matrix",
                         path, format, i, op_operand_name(r->op, least, i), r->op->name);
    }
    set_size(r, matrix);
    if (!op_is_csr(r->op, least, i)) {
        return inputs_append(r, &matrix->indices, false) &&
               (!valued || inputs_append(r, &matrix->values, untyped));
    }
    return append_csr(r, matrix, untyped, path);
}

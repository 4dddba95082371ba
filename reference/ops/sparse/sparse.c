/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/sparse/sparse.h"

#include <inttypes.h>
#include <stdlib.h>

bool sparse_size(const struct op *op, const struct op_operands *operands, int64_t size[2],
                 struct error *reason)
{
    const struct integers *given = attributes_integers(operands->attributes, "size");
    if (!given || given->count != 2 || given->item[0] < 0 || given->item[1] < 0) {
        return error_set(reason, "%s: size must be [rows, columns]", op->name);
    }
    size[0] = given->item[0];
    size[1] = given->item[1];
    if (count_product(size[0], size[1]) == INT64_MAX) { /* PyTorch cannot number its elements either */
        return error_set(reason, "%s: size [%" PRId64 ", %" PRId64 "] has more than 2^63 places", op->name,
                         size[0], size[1]);
    }
    return true;
}

static bool is_index(const struct op *op, const struct view *view, struct error *reason)
{
    return view->dtype == DTYPE_INT32 || view->dtype == DTYPE_INT64 ||
           error_set(reason, "%s: indices must be int32 or int64, not %s", op->name,
                     dtype_info(view->dtype)->name);
}

static int64_t index_at(const struct tensor *tensor, int64_t i)
{
    return dtype_load_integer(tensor->dtype, tensor->data + (size_t)i * dtype_info(tensor->dtype)->size);
}

static const struct tensor *known(const struct op_operands *operands, int input)
{
    const struct tensor *tensor = operands->value ? &operands->value[input] : NULL;
    return tensor && tensor->data ? tensor : NULL;
}

/* Checks that elements `from` to `from` + `count` − 1 are in [0, limit). */
static bool in_range(const struct op *op, const struct tensor *tensor, int64_t from, int64_t count,
                     int64_t limit, struct error *reason)
{
    for (int64_t i = from; i < from + count; i++) {
        int64_t index = index_at(tensor, i);
        if (index < 0 || index >= limit) {
            return error_set(reason, "%s: index %" PRId64 " of entry %" PRId64 " is not in [0, %" PRId64 ")",
                             op->name, index, i - from, limit);
        }
    }
    return true;
}

bool sparse_rule_coo(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason)
{
    const struct view *view = &operands->input[input];
    if (!is_index(op, view, reason)) {
        return false;
    }
    if (view->shape.rank != 2 || view->shape.dim[0] != 2) {
        return error_set(reason, "%s: indices must be [2, n]", op->name);
    }
    *entries = view->shape.dim[1];
    const struct tensor *values = known(operands, input);
    return !values || (in_range(op, values, 0, *entries, size[0], reason) &&
                       in_range(op, values, *entries, *entries, size[1], reason));
}

/* Checks PyTorch's invariant of a CSR tensor: columns increase strictly along each row. */
static bool in_order(const struct op *op, const struct tensor *starts, const struct tensor *columns,
                     int64_t rows, struct error *reason)
{
    for (int64_t r = 0; r < rows; r++) {
        int64_t end = index_at(starts, r + 1);
        for (int64_t p = index_at(starts, r) + 1; p < end; p++) {
            int64_t column = index_at(columns, p), before = index_at(columns, p - 1);
            if (column <= before) {
                return error_set(reason,
                                 "%s: column %" PRId64 " follows %" PRId64 " in row %" PRId64
                                 " of col_indices: they must rise, each once",
                                 op->name, column, before, r);
            }
        }
    }
    return true;
}

bool sparse_rule_csr(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason)
{
    const struct view *crow = &operands->input[input], *column = &operands->input[input + 1];
    if (!is_index(op, crow, reason) || !is_index(op, column, reason)) {
        return false;
    }
    if (crow->dtype != column->dtype) {
        return error_set(reason, "%s: crow_indices and col_indices differ in dtype", op->name);
    }
    if (crow->shape.rank != 1 || crow->shape.dim[0] != size[0] + 1 || column->shape.rank != 1) {
        return error_set(reason,
                         "%s: crow_indices must be [%" PRId64 "], one more than rows, col_indices [n]",
                         op->name, size[0] + 1);
    }
    *entries = column->shape.dim[0];
    const struct tensor *starts = known(operands, input), *columns = known(operands, input + 1);
    for (int64_t r = 0; starts && r <= size[0]; r++) {
        int64_t start = index_at(starts, r), before = r ? index_at(starts, r - 1) : 0;
        if ((r == 0 && start != 0) || start < before) {
            return error_set(reason, "%s: crow_indices must begin with 0 and not decrease", op->name);
        }
        if (r == size[0] && start != *entries) {
            return error_set(reason, "%s: crow_indices ends with %" PRId64 ", there are %" PRId64 " entries",
                             op->name, start, *entries);
        }
    }
    return !columns || (in_range(op, columns, 0, *entries, size[1], reason) &&
                        (!starts || in_order(op, starts, columns, size[0], reason)));
}

bool sparse_rule_shape(const struct op *op, const struct op_operands *operands, int input,
                       const struct shape *shape, struct error *reason)
{
    const struct view *view = &operands->input[input];
    const char *name = op_operand_name(op, operands->inputs, input);
    enum dtype dtype = operands->input[op_leading_input(op)].dtype;
    if (!(op->dtypes >> view->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(view->dtype)->name);
    }
    if (view->dtype != dtype) {
        return error_set(reason, "%s: input %d (%s) is %s beside %s", op->name, input, name,
                         dtype_info(view->dtype)->name, dtype_info(dtype)->name);
    }
    if (!shape_equal(&view->shape, shape)) {
        char got[SHAPE_TEXT], wanted[SHAPE_TEXT];
        shape_print(&view->shape, got, sizeof got);
        shape_print(shape, wanted, sizeof wanted);
        return error_set(reason, "%s: input %d (%s) must be %s, it is %s", op->name, input, name, wanted,
                         got);
    }
    return true;
}

/* --- patterns */

static int by_place(const void *a, const void *b)
{
    const struct sparse_entry *x = a, *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->position < y->position ? -1 : 1;
}

static bool same_place(const struct sparse_entry *a, const struct sparse_entry *b)
{
    return a->row == b->row && a->column == b->column;
}

static bool create(struct sparse_pattern *pattern, const struct op_call *call, int64_t entries)
{
    const struct integers *size = attributes_integers(call->attributes, "size");
    *pattern = (struct sparse_pattern){.rows = size->item[0], .columns = size->item[1], .entries = entries};
    pattern->entry = calloc((size_t)entries + 1, sizeof *pattern->entry);
    return pattern->entry != NULL;
}

static void order(struct sparse_pattern *pattern)
{
    struct sparse_entry *entry = pattern->entry;
    qsort(entry, (size_t)pattern->entries, sizeof *entry, by_place);
    for (int64_t p = 1; p < pattern->entries; p++) {
        if (same_place(&entry[p], &entry[p - 1])) {
            entry[p].shared = entry[p - 1].shared = true;
        }
    }
}

bool sparse_pattern_coo(struct sparse_pattern *pattern, const struct op_call *call, int input,
                        bool transposed)
{
    const struct tensor *indices = &call->input[input];
    int64_t entries = indices->shape.dim[1];
    if (!create(pattern, call, entries)) {
        return false;
    }
    for (int64_t p = 0; p < entries; p++) {
        int64_t row = index_at(indices, p), column = index_at(indices, entries + p);
        pattern->entry[p] = (struct sparse_entry){
            .row = transposed ? column : row, .column = transposed ? row : column, .position = p};
    }
    if (transposed) {
        int64_t rows = pattern->rows;
        pattern->rows = pattern->columns;
        pattern->columns = rows;
    }
    order(pattern);
    return true;
}

bool sparse_pattern_rows(struct sparse_pattern *pattern, const struct op_call *call, int input, int64_t first,
                         int64_t rows)
{
    const struct tensor *indices = &call->input[input];
    int64_t entries = indices->shape.dim[1], some = 0;
    for (int64_t p = 0; p < entries; p++) {
        int64_t row = index_at(indices, p);
        some += row >= first && row - first < rows;
    }
    if (!create(pattern, call, some)) {
        return false;
    }
    pattern->rows = rows;
    some = 0;
    for (int64_t p = 0; p < entries; p++) {
        int64_t row = index_at(indices, p);
        if (row >= first && row - first < rows) {
            pattern->entry[some++] = (struct sparse_entry){
                .row = row - first, .column = index_at(indices, entries + p), .position = p};
        }
    }
    order(pattern);
    return true;
}

bool sparse_pattern_csr(struct sparse_pattern *pattern, const struct op_call *call, int input)
{
    const struct tensor *crow = &call->input[input], *column = &call->input[input + 1];
    if (!create(pattern, call, column->shape.dim[0])) {
        return false;
    }
    for (int64_t r = 0; r < pattern->rows; r++) {
        int64_t end = index_at(crow, r + 1);
        for (int64_t p = index_at(crow, r); p < end; p++) {
            pattern->entry[p] = (struct sparse_entry){.row = r, .column = index_at(column, p), .position = p};
        }
    }
    order(pattern);
    return true;
}

void sparse_pattern_clear(struct sparse_pattern *pattern)
{
    free(pattern->entry);
    *pattern = (struct sparse_pattern){.rows = 0};
}

double *sparse_doubles(const struct tensor *tensor)
{
    int64_t count = shape_elements(&tensor->shape);
    double *x = malloc(((size_t)count + 1) * sizeof *x);
    for (int64_t i = 0; x && i < count; i++) {
        x[i] = tensor_component(tensor, i);
    }
    return x;
}

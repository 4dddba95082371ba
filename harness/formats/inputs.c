/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/inputs.h"
#include "harness/formats/collection.h"
#include "harness/formats/matrix_market.h"
#include "harness/formats/npy.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sparse matrix whose entries are still in the file's order. */
struct csr {
    int at;             /* the input that will hold its row starts */
    struct tensor rows; /* row of each entry, int64 */
    const char *path;
};

struct reading {
    struct repro_inputs *inputs;
    const struct op *op;
    struct attributes *attributes;
    struct error *error;
    int sparse;                 /* number of inputs that came from sparse .mtx files */
    bool untyped[OPERANDS_MAX]; /* the numbers came from text, and have no dtype of their own */
    int csrs;
    struct csr csr[OPERANDS_MAX];
    char held[200]; /* list of the tensors of a file that was given without a name */
};

/* Returns true if the dtype can hold the number: floating dtypes round, the others must hold it exactly. */
static bool holds(const struct dtype_info *info, double x)
{
    int bits = 8 * (int)info->size - (info->kind == KIND_SIGNED);
    if (info->kind == KIND_BOOL) {
        return x == 0 || x == 1;
    }
    return info->precision ||
           (x == trunc(x) && x < ldexp(1, bits) && x >= (info->kind == KIND_SIGNED ? -ldexp(1, bits) : 0));
}

/* Converts the tensor to another dtype, rounding each component once. Returns NULL, or why it cannot. */
static const char *convert(struct tensor *tensor, enum dtype dtype)
{
    struct tensor other;
    const struct dtype_info *to = dtype_info(dtype);
    if (tensor->dtype == dtype) {
        return NULL;
    }
    if (dtype_info(tensor->dtype)->components != to->components) {
        return "one of them is complex";
    }
    if (!tensor_create(&other, dtype, &tensor->shape)) {
        return "out of memory";
    }
    int64_t components = shape_elements(&tensor->shape) * to->components;
    for (int64_t k = 0; k < components; k++) {
        double x = tensor_component(tensor, k);
        if (!holds(to, x)) {
            tensor_destroy(&other);
            return "it has a number that is not whole or out of range";
        }
        dtype_store(to->component, other.data + (size_t)k * dtype_info(to->component)->size, x);
    }
    tensor_destroy(tensor);
    *tensor = other;
    return NULL;
}

/* Takes over the tensor as the next input. */
static bool append(struct reading *r, struct tensor *tensor, bool untyped)
{
    if (r->inputs->inputs == OPERANDS_MAX) {
        return error_set(r->error, "%s takes at most %d inputs, more are given with --input", r->op->name,
                         op_inputs_max(r->op));
    }
    r->untyped[r->inputs->inputs] = untyped;
    r->inputs->input[r->inputs->inputs++] = *tensor;
    *tensor = (struct tensor){.data = NULL};
    return true;
}

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
        error_set(error, "out of memory for %lld rows and %lld entries of a sparse .mtx file",
                  (long long)rows, (long long)n);
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

static bool compress_all(struct reading *r)
{
    bool good = r->csrs == 0 || check_shapes(r);
    for (int c = 0; good && c < r->csrs; c++) {
        good = compress(r->inputs, &r->csr[c], r->error);
    }
    return good;
}

/* --- files */

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
static bool append_csr(struct reading *r, struct matrix_market *matrix, const char *path)
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
    good = (good || error_set(r->error, "%s: out of memory", path)) && append(r, &crow, false) &&
           append(r, &column, false) && append(r, &matrix->values, true);
    tensor_destroy(&column);
    return good;
}

static bool append_sparse(struct reading *r, struct matrix_market *matrix, const char *path)
{
    int i = r->inputs->inputs, least = op_inputs_min(r->op);
    bool valued = op_input_named(r->op, "values") >= 0; /* else the operator takes a pattern without values */
    if (!op_is_indices(r->op, least, i)) {
        return error_set(r->error, "%s: input %d (%s) of %s is no sparse matrix", path, i,
                         op_operand_name(r->op, least, i), r->op->name);
    }
    set_size(r, matrix);
    if (!op_is_csr(r->op, least, i)) {
        return append(r, &matrix->indices, false) && (!valued || append(r, &matrix->values, true));
    }
    return append_csr(r, matrix, path);
}

static bool is_matrix_market(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".mtx") == 0;
}

/* Appends an absent operand, which PyTorch's function accepts as None. */
static bool append_absent(struct reading *r)
{
    struct tensor absent = {.data = NULL};
    int i = r->inputs->inputs;
    int inputs = op_inputs_max(r->op);
    if (i < inputs && !op_may_lack(r->op, inputs, i)) {
        return error_set(r->error, "--input none: input %d (%s) of %s cannot be left out", i,
                         op_operand_name(r->op, inputs, i), r->op->name);
    }
    return append(r, &absent, false);
}

static bool append_member(struct reading *r, struct collection *from, int i)
{
    struct tensor tensor = {.data = NULL};
    bool good = collection_read(from, i, &tensor, r->error) && append(r, &tensor, false);
    tensor_destroy(&tensor);
    return good;
}

/* Appends the named tensor, or all tensors in the order in which numpy.savez was given them. The order in a
 * safetensors file is its writer's, so several tensors in it must be named. */
static bool append_members(struct reading *r, const char *path, const char *name)
{
    struct collection from;
    char list[200], printable[80];
    int i = -1;
    bool good = collection_open(&from, path, r->error);
    if (good) {
        collection_list(&from, list, sizeof list);
        i = name ? collection_find(&from, name) : -1;
    }
    if (good && name && i < 0) {
        snprintf(printable, sizeof printable, "%s", name);
        good = error_set(r->error, "%s has no tensor \"%s\"; it holds %s", path, printable, list);
    } else if (good && name) {
        good = append_member(r, &from, i);
    } else if (good && !from.ordered && from.count != 1) {
        good = error_set(r->error, "%s: name a tensor of it, as in --input %s:NAME; it holds %s", path, path,
                         list);
    } else if (good) {
        snprintf(r->held, sizeof r->held, "%s", list);
        int most = op_inputs_max(r->op);
        if (r->inputs->inputs + from.count > most) { /* checked before any is read */
            good = error_set(r->error,
                             "%s takes at most %d input%s; %s holds %d: %s; choose with --input %s:NAME",
                             r->op->name, most, most == 1 ? "" : "s", path, from.count, list, path);
        }
        for (i = 0; good && i < from.count; i++) {
            good = append_member(r, &from, i);
        }
    }
    collection_close(&from);
    return good;
}

static bool read_one(struct reading *r, const char *path)
{
    struct tensor tensor = {.data = NULL};
    struct matrix_market matrix;
    char file[PATH_MAX];
    const char *name;
    int before = r->inputs->inputs;
    if (strcmp(path, "none") == 0) {
        return append_absent(r);
    }
    if (collection_split(path, file, sizeof file, &name)) {
        return append_members(r, file, name);
    }
    if (!is_matrix_market(path)) {
        bool good = npy_read(path, &tensor, r->error) && append(r, &tensor, false);
        tensor_destroy(&tensor);
        return good;
    }
    bool good = matrix_market_read(path, &matrix, r->error) &&
                (matrix.coordinate ? append_sparse(r, &matrix, path) : append(r, &matrix.values, true));
    r->sparse += matrix.coordinate ? r->inputs->inputs - before : 0;
    matrix_market_clear(&matrix);
    return good;
}

/* Returns true if --dtype applies to input i: to the leading input, to inputs of its dtype, and to floating
 * ones. A mask, or a counter beside floating operands, keeps its dtype. */
static bool is_meant(const struct reading *r, int i)
{
    const struct repro_inputs *inputs = r->inputs;
    enum dtype own = inputs->input[i].dtype, leading = inputs->input[op_leading_input(r->op)].dtype;
    return !tensor_absent(&inputs->input[i]) && (own == leading || dtype_is_floating(own));
}

/* Converts all inputs but indices. Numbers from text take the dtype of the first floating tensor that has
 * one. */
static bool round_all(struct reading *r, enum dtype dtype)
{
    enum dtype text = dtype == DTYPE_COUNT ? DTYPE_FLOAT64 : dtype;
    bool meant[OPERANDS_MAX];
    for (int i = 0; i < r->inputs->inputs; i++) {
        meant[i] = dtype != DTYPE_COUNT && is_meant(r, i);
    }
    for (int i = r->inputs->inputs; dtype == DTYPE_COUNT && i-- > 0;) {
        const struct tensor *input = &r->inputs->input[i];
        bool floating = dtype_is_floating(input->dtype) && !tensor_absent(input);
        text = floating && !r->untyped[i] ? r->inputs->input[i].dtype : text;
    }
    for (int i = 0; i < r->inputs->inputs; i++) {
        struct tensor *tensor = &r->inputs->input[i];
        enum dtype to = r->untyped[i] ? text : meant[i] ? dtype : tensor->dtype;
        bool kept = tensor_absent(tensor) || op_is_indices(r->op, r->inputs->inputs, i);
        const char *fault = kept ? NULL : convert(tensor, to);
        if (fault) {
            return error_set(r->error, "input %d (%s): %s cannot become %s: %s", i,
                             op_operand_name(r->op, r->inputs->inputs, i), dtype_info(tensor->dtype)->name,
                             dtype_info(to)->name, fault);
        }
    }
    return true;
}

bool repro_inputs_read(struct repro_inputs *inputs, const struct op *op, const struct texts *files,
                       enum dtype dtype, struct attributes *attributes, struct error *error)
{
    struct reading r = {.inputs = inputs, .op = op, .attributes = attributes, .error = error};
    *inputs = (struct repro_inputs){.inputs = 0};
    bool good = true;
    int most = op_inputs_max(op);
    for (int f = 0; good && f < files->count; f++) {
        good = read_one(&r, files->text[f]);
    }
    if (good && (inputs->inputs < op_inputs_min(op) || inputs->inputs > most)) {
        char least[16] = "", many[300] = "", names[160];
        op_print_operands(op, names, sizeof names);
        if (op_inputs_min(op) < most) {
            snprintf(least, sizeof least, "%d to ", op_inputs_min(op));
        }
        if (r.held[0]) {
            snprintf(many, sizeof many, ": %s; choose one with --input FILE:NAME", r.held);
        } else if (inputs->inputs != files->count) {
            snprintf(many, sizeof many, " (a sparse .mtx counts for its indices and values, %d in all here)",
                     r.sparse);
        }
        good = error_set(error, "%s takes %s%d input%s (%s); the %d file%s given with --input make%s %d%s",
                         op->name, least, most, most == 1 ? "" : "s", names, files->count,
                         files->count == 1 ? "" : "s", files->count == 1 ? "s" : "", inputs->inputs, many);
    }
    good = good && round_all(&r, dtype) && compress_all(&r);
    for (int c = 0; c < r.csrs; c++) {
        tensor_destroy(&r.csr[c].rows);
    }
    return good;
}

void repro_inputs_clear(struct repro_inputs *inputs)
{
    for (int i = 0; i < inputs->inputs; i++) {
        tensor_destroy(&inputs->input[i]);
    }
    *inputs = (struct repro_inputs){.inputs = 0};
}

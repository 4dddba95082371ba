/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/collection.h"
#include "harness/formats/inputs_parts.h"
#include "harness/formats/npy.h"
#include "harness/formats/scipy.h"
#include "harness/formats/slices.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Takes over an array of a file, or a slice of it, as the next input. `fortran`: it lies column-major in the
 * file. The input keeps this place, among the other elements of the file. */
static bool append_array(struct reading *r, struct tensor *tensor, bool fortran, const char *slice,
                         const char *text, bool untyped)
{
    struct view values = view_contiguous(0, tensor->dtype, &tensor->shape),
                place = fortran ? npy_fortran(tensor->dtype, &tensor->shape) : values;
    const int64_t room = shape_elements(&tensor->shape);
    if (slice) {
        struct tensor cut;
        if (!slice_view(slice, text, &values, r->error) || !slice_view(slice, text, &place, r->error)) {
            return false;
        }
        if (!repro_place_sane(&place)) {
            return error_set(r->error, "%s: a step of its slice is too large", text);
        }
        if (!tensor_gather(&cut, &values, tensor->data)) {
            return error_set(r->error, "%s: out of memory", text);
        }
        tensor_destroy(tensor);
        *tensor = cut;
    }
    if (!inputs_append(r, tensor, untyped)) {
        return false;
    }
    r->place[r->inputs->inputs - 1] = place;
    r->room[r->inputs->inputs - 1] = room;
    return true;
}

/* --- files */

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
    return inputs_append(r, &absent, false);
}

static bool append_member(struct reading *r, struct collection *from, int i, const char *slice,
                          const char *text)
{
    struct tensor tensor = {.data = NULL};
    bool good = collection_read(from, i, &tensor, r->error) &&
                append_array(r, &tensor, from->entry[i].fortran, slice, text, false);
    tensor_destroy(&tensor);
    return good;
}

/* Appends all tensors in the order in which numpy.savez was given them. The order in a safetensors file is
 * its writer's, so several tensors in it must be named. */
static bool append_all(struct reading *r, struct collection *from, const char *slice, const char *text)
{
    const char *path = from->path;
    char list[200];
    bool good = true;
    int most = op_inputs_max(r->op);
    collection_list(from, list, sizeof list);
    if (from->count != 1 && (!from->ordered || slice)) {
        return error_set(r->error, "%s: name a tensor of it, as in --input %s:NAME%s; it holds %s", path,
                         path, slice ? slice : "", list);
    }
    snprintf(r->held, sizeof r->held, "%s", list);
    if (r->inputs->inputs + from->count > most) { /* checked before any is read */
        return error_set(r->error,
                         "%s takes at most %d input%s; %s holds %d: %s; choose with --input %s:NAME",
                         r->op->name, most, most == 1 ? "" : "s", path, from->count, list, path);
    }
    for (int i = 0; good && i < from->count; i++) {
        good = append_member(r, from, i, slice, text);
    }
    return good;
}

/* Appends the named tensor; the name may end with a slice. */
static bool append_named(struct reading *r, struct collection *from, const char *name, const char *text)
{
    char list[200], printable[80], stem[PATH_MAX];
    const char *slice = NULL;
    int i = collection_find(from, name);
    if (i < 0 && (slice = slice_split(name, stem, sizeof stem))) {
        name = stem;
        i = collection_find(from, name);
    }
    if (i < 0) {
        collection_list(from, list, sizeof list);
        snprintf(printable, sizeof printable, "%.79s", name);
        return error_set(r->error, "%s has no tensor \"%s\"; it holds %s", from->path, printable, list);
    }
    return append_member(r, from, i, slice, text);
}

static bool append_scipy(struct reading *r, struct collection *from, const char *slice, const char *text)
{
    struct matrix_market matrix;
    char format[8];
    const int before = r->inputs->inputs;
    if (slice) {
        return error_set(r->error, "%s: a sparse matrix cannot be sliced here", text);
    }
    bool good =
        scipy_read(from, &matrix, format, r->error) && inputs_append_sparse(r, &matrix, false, format, text);
    r->sparse += r->inputs->inputs - before;
    matrix_market_clear(&matrix);
    return good;
}

static bool append_members(struct reading *r, const char *path, const char *name, const char *slice,
                           const char *text)
{
    struct collection from;
    bool good =
        collection_open(&from, path, r->error) && (name              ? append_named(r, &from, name, text)
                                                   : scipy_is(&from) ? append_scipy(r, &from, slice, text)
                                                                     : append_all(r, &from, slice, text));
    collection_close(&from);
    return good;
}

static bool append_mtx(struct reading *r, const char *path, const char *slice, const char *text)
{
    struct matrix_market matrix;
    const int before = r->inputs->inputs;
    bool good = matrix_market_read(path, &matrix, r->error);
    if (good && !matrix.coordinate) {
        good = append_array(r, &matrix.values, false, slice, text, true);
    } else if (good) {
        good = !slice ? inputs_append_sparse(r, &matrix, true, "coordinates", text)
                      : error_set(r->error, "%s: a sparse matrix cannot be sliced here", text);
        r->sparse += r->inputs->inputs - before;
    }
    matrix_market_clear(&matrix);
    return good;
}

static bool append_npy(struct reading *r, const char *path, const char *slice, const char *text)
{
    struct tensor tensor = {.data = NULL};
    bool fortran;
    bool good = npy_read_order(path, &tensor, &fortran, r->error) &&
                append_array(r, &tensor, fortran, slice, text, false);
    tensor_destroy(&tensor);
    return good;
}

static bool read_one(struct reading *r, const char *text)
{
    char base[PATH_MAX], file[PATH_MAX];
    const char *name = NULL, *slice, *path;
    if (strcmp(text, "none") == 0) {
        return append_absent(r);
    }
    if (collection_split(text, file, sizeof file, &name)) {
        return append_members(r, file, name, NULL, text);
    }
    slice = slice_split(text, base, sizeof base);
    path = slice ? base : text;
    if (slice && collection_split(path, file, sizeof file, &name)) {
        return append_members(r, file, name, slice, text);
    }
    return is_matrix_market(path) ? append_mtx(r, path, slice, text) : append_npy(r, path, slice, text);
}

bool repro_input_path(const char *text, char *path, size_t size)
{
    char base[PATH_MAX];
    const char *name;
    if (collection_split(text, path, size, &name)) {
        return true;
    }
    text = slice_split(text, base, sizeof base) ? base : text;
    return collection_split(text, path, size, &name) || (size_t)snprintf(path, size, "%s", text) < size;
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
                       const struct repro_places *places, enum dtype dtype, struct attributes *attributes,
                       struct error *error)
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
            snprintf(many, sizeof many,
                     " (a sparse matrix counts for its indices and values, %d in all here)", r.sparse);
        }
        good = error_set(error, "%s takes %s%d input%s (%s); the %d file%s given with --input make%s %d%s",
                         op->name, least, most, most == 1 ? "" : "s", names, files->count,
                         files->count == 1 ? "" : "s", files->count == 1 ? "s" : "", inputs->inputs, many);
    }
    good = good && round_all(&r, dtype) && inputs_place(&r, places) && inputs_compress(&r);
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

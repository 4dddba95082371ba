/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/scipy.h"
#include "harness/formats/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the archive holds, each as int64 but `data`. */
struct parts {
    struct tensor shape, data;
    struct tensor major, minor; /* row and col; or indptr and indices */
};

bool scipy_is(const struct collection *collection)
{
    return collection->archive && collection_find(collection, "format") >= 0 &&
           collection_find(collection, "shape") >= 0 && collection_find(collection, "data") >= 0;
}

/* Reads the text, which is an array without dimensions of '|S3' (bytes) or '<U3' (4 bytes each). */
static bool read_format(struct collection *collection, char format[8], struct error *error)
{
    unsigned char bytes[512];
    size_t got = 0, length = 0;
    int i = collection_find(collection, "format");
    if (!archive_peek(collection->archive, i, bytes, sizeof bytes, &got, error)) {
        return false;
    }
    size_t data = got >= 10 && memcmp(bytes, "\x93NUMPY\x01", 7) == 0
                      ? 10 + ((size_t)bytes[8] | (size_t)bytes[9] << 8)
                      : got;
    for (size_t k = data; k < got && length < 7; k++) {
        if (bytes[k] >= 'a' && bytes[k] <= 'z') {
            format[length++] = (char)bytes[k];
        }
    }
    format[length] = 0;
    return length > 0 ||
           error_set(error,
                     "%s: it looks like a sparse matrix of scipy's, but its member \"format\" is no text",
                     collection->path);
}

static bool read_member(struct collection *collection, const char *name, struct tensor *tensor,
                        struct error *error)
{
    int i = collection_find(collection, name);
    if (i < 0) {
        return error_set(error, "%s: a sparse matrix of scipy's needs a member \"%s\"", collection->path,
                         name);
    }
    return collection_read(collection, i, tensor, error) &&
           (tensor->shape.rank == 1 || error_set(error, "%s: \"%s\" must have one dimension, it has %d",
                                                 collection->path, name, tensor->shape.rank));
}

/* Reads a list of whole numbers and makes it int64. */
static bool read_integers(struct collection *collection, const char *name, struct tensor *tensor,
                          struct error *error)
{
    struct tensor found = {.data = NULL};
    if (!read_member(collection, name, &found, error)) {
        tensor_destroy(&found);
        return false;
    }
    bool good = found.dtype == DTYPE_INT32 || found.dtype == DTYPE_INT64;
    if (!good) {
        error_set(error, "%s: \"%s\" must be int32 or int64", collection->path, name);
    } else if (!tensor_create(tensor, DTYPE_INT64, &found.shape)) {
        good = error_set(error, "%s: out of memory", collection->path);
    }
    const size_t size = dtype_info(found.dtype)->size;
    for (int64_t k = 0; good && k < found.shape.dim[0]; k++) {
        dtype_store_integer(DTYPE_INT64, tensor->data + (size_t)k * 8,
                            dtype_load_integer(found.dtype, found.data + (size_t)k * size));
    }
    tensor_destroy(&found);
    return good;
}

static int64_t at(const struct tensor *tensor, int64_t k)
{
    return dtype_load_integer(DTYPE_INT64, tensor->data + (size_t)k * 8);
}

static void put(const struct matrix_market *matrix, int axis, int64_t k, int64_t x)
{
    const int64_t n = matrix->indices.shape.dim[1];
    dtype_store_integer(DTYPE_INT64, matrix->indices.data + (size_t)(axis * n + k) * 8, x);
}

/* Checks the starts of rows or columns and writes the row or column of each entry. */
static bool spread(const char *path, const struct tensor *starts, int64_t lines, int axis,
                   const struct matrix_market *matrix, struct error *error)
{
    const int64_t n = matrix->indices.shape.dim[1];
    if (starts->shape.dim[0] - 1 != lines || at(starts, 0) != 0 || at(starts, lines) != n) {
        return error_set(error, "%s: \"indptr\" must have %" PRId64 " + 1 numbers, from 0 to %" PRId64, path,
                         lines, n);
    }
    for (int64_t line = 0; line < lines; line++) {
        if (at(starts, line + 1) < at(starts, line) || at(starts, line + 1) > n) {
            return error_set(error, "%s: \"indptr\" must not fall, as it does at %" PRId64, path, line + 1);
        }
        for (int64_t k = at(starts, line); k < at(starts, line + 1); k++) {
            put(matrix, axis, k, line);
        }
    }
    return true;
}

static bool copy(const char *path, const struct tensor *from, int64_t limit, int axis,
                 const struct matrix_market *matrix, struct error *error)
{
    for (int64_t k = 0; k < from->shape.dim[0]; k++) {
        if (at(from, k) < 0 || at(from, k) >= limit) {
            return error_set(error, "%s: entry %" PRId64 " has %s %" PRId64 ", and there are %" PRId64, path,
                             k, axis ? "column" : "row", at(from, k), limit);
        }
        put(matrix, axis, k, at(from, k));
    }
    return true;
}

/* Makes the coordinates. `outer`: the axis that indptr compresses; −1 for COO. */
static bool make(const char *path, struct parts *p, int outer, struct matrix_market *matrix,
                 struct error *error)
{
    const int64_t n = p->data.shape.dim[0];
    const struct shape places = shape_of(2, (int64_t)2, n);
    if (p->shape.shape.dim[0] != 2) {
        return error_set(error, "%s: it has %" PRId64 " dimensions; a sparse matrix has 2", path,
                         p->shape.shape.dim[0]);
    }
    matrix->coordinate = true;
    matrix->rows = at(&p->shape, 0);
    matrix->columns = at(&p->shape, 1);
    const int64_t lengths[] = {matrix->rows, matrix->columns};
    if (matrix->rows < 0 || matrix->columns < 0 || p->minor.shape.dim[0] != n ||
        (outer < 0 && p->major.shape.dim[0] != n)) {
        return error_set(error, "%s: its members have different lengths, or its shape is negative", path);
    }
    if (!tensor_create(&matrix->indices, DTYPE_INT64, &places)) {
        return error_set(error, "%s: out of memory", path);
    }
    matrix->values = p->data;
    p->data = (struct tensor){.data = NULL};
    return (outer < 0 ? copy(path, &p->major, lengths[0], 0, matrix, error)
                      : spread(path, &p->major, lengths[outer], outer, matrix, error)) &&
           copy(path, &p->minor, lengths[outer < 0 ? 1 : 1 - outer], outer < 0 ? 1 : 1 - outer, matrix,
                error);
}

bool scipy_read(struct collection *collection, struct matrix_market *matrix, char format[8],
                struct error *error)
{
    struct parts p = {.shape = {.data = NULL}};
    *matrix = (struct matrix_market){.rows = 0};
    if (!read_format(collection, format, error)) {
        return false;
    }
    const bool coo = strcmp(format, "coo") == 0, csr = strcmp(format, "csr") == 0;
    if (!coo && !csr && strcmp(format, "csc") != 0) {
        return error_set(error,
                         "%s: it is a sparse matrix of format \"%s\"; save it as COO, CSR or CSC, as in "
                         "save_npz(file, matrix.tocoo())",
                         collection->path, format);
    }
    if (coo && collection_find(collection, "coords") >= 0) {
        return error_set(error, "%s: it is a sparse array that has not 2 dimensions", collection->path);
    }
    bool good = read_integers(collection, "shape", &p.shape, error) &&
                read_member(collection, "data", &p.data, error) &&
                read_integers(collection, coo ? "row" : "indptr", &p.major, error) &&
                read_integers(collection, coo ? "col" : "indices", &p.minor, error) &&
                make(collection->path, &p,
                     coo   ? -1
                     : csr ? 0
                           : 1,
                     matrix, error);
    tensor_destroy(&p.shape);
    tensor_destroy(&p.data);
    tensor_destroy(&p.major);
    tensor_destroy(&p.minor);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 1 << 16 };

static const struct {
    const char *descr;
    enum dtype dtype;
} types[] = {{"<f2", DTYPE_FLOAT16},   {"<f4", DTYPE_FLOAT32}, {"<f8", DTYPE_FLOAT64},
             {"<c8", DTYPE_COMPLEX64}, {"|i1", DTYPE_INT8},    {"|u1", DTYPE_UINT8},
             {"<i4", DTYPE_INT32},     {"<i8", DTYPE_INT64},   {"|b1", DTYPE_BOOL}};

/* What follows 'key': in the header's Python dictionary, blanks skipped; NULL when it is not there. */
static const char *value_of_key(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    at = at ? at + strlen(quoted) : NULL;
    at = at ? at + strspn(at, " ") : NULL;
    return at && *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool parse_shape(const char *text, struct shape *shape)
{
    *shape = (struct shape){.rank = 0};
    if (!text || *text++ != '(') {
        return false;
    }
    int64_t elements = 1;
    for (text += strspn(text, " "); *text != ')';) {
        char *end;
        errno = 0;
        long long dim = strtoll(text, &end, 10);
        if (end == text || errno || dim < 0 || shape->rank == RANK_MAX) {
            return false;
        }
        shape->dim[shape->rank++] = dim;
        if (dim && elements > INT64_MAX / 16 / dim) {
            return false;
        }
        elements *= dim;
        text = end + strspn(end, " ");
        if (*text == ',') {
            text += 1 + strspn(text + 1, " ");
        } else if (*text != ')') {
            return false;
        }
    }
    return true;
}

static bool parse_header(const char *header, struct tensor *tensor, bool *fortran, const char **fault)
{
    const char *descr = value_of_key(header, "descr"), *order = value_of_key(header, "fortran_order");
    bool known = false;
    for (size_t t = 0; descr && !known && t < sizeof types / sizeof *types; t++) {
        size_t length = strlen(types[t].descr);
        if (*descr == '\'' && strncmp(descr + 1, types[t].descr, length) == 0 && descr[length + 1] == '\'') {
            tensor->dtype = types[t].dtype;
            known = true;
        }
    }
    *fault = !known ? "its descr is none of <f2 <f4 <f8 <c8 |i1 |u1 <i4 <i8 |b1" : NULL;
    if (!*fault && (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0))) {
        *fault = "its header has no fortran_order";
    }
    if (!*fault && !parse_shape(value_of_key(header, "shape"), &tensor->shape)) {
        *fault = "its shape is out of form or has more than 6 dimensions";
    }
    *fortran = order && *order == 'T';
    return !*fault;
}

/* The header's text into `header`; false with the fault. */
static bool read_header(FILE *file, char header[HEADER_MAX + 1], const char **fault)
{
    unsigned char start[12];
    *fault = "it does not begin as a .npy file does";
    if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 ||
        start[6] > 3) {
        return false;
    }
    size_t length = (size_t)start[8] | (size_t)start[9] << 8;
    if (start[6] > 1) {
        if (fread(start + 10, 1, 2, file) != 2) {
            return false;
        }
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    }
    *fault = "its header is longer than 64 KiB or cut short";
    if (length > HEADER_MAX || fread(header, 1, length, file) != length) {
        return false;
    }
    header[length] = '\0';
    return true;
}

/* Fortran order: the file holds the transpose's row-major elements. */
static bool read_elements(FILE *file, struct tensor *tensor, bool fortran)
{
    struct shape stored = tensor->shape;
    for (int d = 0; fortran && d < stored.rank; d++) {
        stored.dim[d] = tensor->shape.dim[stored.rank - 1 - d];
    }
    struct tensor raw;
    if (!tensor_create(&raw, tensor->dtype, &stored)) {
        return false;
    }
    bool good = fread(raw.data, 1, tensor_bytes(&raw), file) == tensor_bytes(&raw) && fgetc(file) == EOF;
    if (good && fortran) {
        struct view view = view_contiguous(0, raw.dtype, &stored),
                    turned = {.dtype = raw.dtype, .shape = tensor->shape};
        for (int d = 0; d < stored.rank; d++) {
            turned.stride[d] = view.stride[stored.rank - 1 - d];
        }
        good = tensor_gather(tensor, &turned, raw.data);
        tensor_destroy(&raw);
    } else if (good) {
        *tensor = raw;
    } else {
        tensor_destroy(&raw);
    }
    return good;
}

bool npy_read(const char *path, struct tensor *tensor, struct error *error)
{
    *tensor = (struct tensor){.data = NULL};
    FILE *file = fopen(path, "rb");
    if (!file) {
        return error_set(error, "%s: %s", path, strerror(errno));
    }
    char *header = malloc(HEADER_MAX + 1);
    const char *fault = "out of memory";
    bool fortran = false;
    bool good = header && read_header(file, header, &fault) && parse_header(header, tensor, &fortran, &fault);
    if (good) {
        fault = "it is shorter or longer than its header says, or larger than memory";
        /* Ask the file before memory: a header may claim anything. */
        long at = ftell(file);
        good = at >= 0 && fseek(file, 0, SEEK_END) == 0 && ftell(file) - at == (long)tensor_bytes(tensor) &&
               fseek(file, at, SEEK_SET) == 0 && read_elements(file, tensor, fortran);
    }
    free(header);
    fclose(file);
    return good || error_set(error, "%s: %s", path, fault);
}

bool npy_write(const char *path, const struct shape *shape, const double *values, struct error *error)
{
    char dims[160] = "", header[256];
    size_t used = 0, count = (size_t)shape_elements(shape);
    for (int d = 0; d < shape->rank; d++) {
        used += (size_t)snprintf(dims + used, sizeof dims - used, d ? " %lld," : "%lld,",
                                 (long long)shape->dim[d]);
    }
    int length =
        snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", dims);
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10; /* the data begins at a multiple of 64 */
    FILE *file = fopen(path, "wb");
    if (!file) {
        return error_set(error, "%s: %s", path, strerror(errno));
    }
    bool good = fwrite("\x93NUMPY\x01\x00", 1, 8, file) == 8 && fputc(padded & 255, file) != EOF &&
                fputc(padded >> 8, file) != EOF && fprintf(file, "%-*s\n", padded - 1, header) == padded &&
                fwrite(values, sizeof *values, count, file) == count;
    good = fclose(file) == 0 && good;
    return good || error_set(error, "%s: cannot be written", path);
}

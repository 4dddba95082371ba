/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy_pack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 512, PREAMBLE = 10, ALIGNED = 64 };

const char *npy_descr(enum dtype dtype)
{
    static const char *const descr[DTYPE_COUNT] = {
        [DTYPE_FLOAT16] = "<f2",   [DTYPE_BFLOAT16] = "<u2", [DTYPE_FLOAT32] = "<f4", [DTYPE_FLOAT64] = "<f8",
        [DTYPE_COMPLEX64] = "<c8", [DTYPE_INT8] = "|i1",     [DTYPE_UINT8] = "|u1",   [DTYPE_INT32] = "<i4",
        [DTYPE_INT64] = "<i8",     [DTYPE_BOOL] = "|b1"};
    return descr[dtype];
}

/* Writes preamble and header. Returns their length, a multiple of 64. */
static size_t head(const char *descr, const struct shape *shape, char text[HEAD_MAX])
{
    char dims[SHAPE_TEXT] = "";
    size_t used = 0;
    for (int d = 0; d < shape->rank; d++) {
        used += (size_t)snprintf(dims + used, sizeof dims - used, "%s%" PRId64, d ? ", " : "", shape->dim[d]);
    }
    int length = snprintf(text + PREAMBLE, HEAD_MAX - PREAMBLE,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }", descr, dims,
                          shape->rank == 1 ? "," : "");
    size_t whole = ((size_t)length + PREAMBLE + 1 + ALIGNED - 1) / ALIGNED * ALIGNED;
    memset(text + PREAMBLE + length, ' ', whole - PREAMBLE - (size_t)length);
    text[whole - 1] = '\n';
    memcpy(text, "\x93NUMPY\x01\x00", 8);
    text[8] = (char)((whole - PREAMBLE) & 255);
    text[9] = (char)((whole - PREAMBLE) >> 8);
    return whole;
}

unsigned char *npy_pack(const char *descr, const struct shape *shape, const void *bytes, size_t size,
                        size_t *length)
{
    char text[HEAD_MAX];
    size_t start = head(descr, shape, text);
    unsigned char *file = malloc(start + size);
    if (file) {
        memcpy(file, text, start);
        memcpy(file + start, size ? bytes : text, size);
        *length = start + size;
    }
    return file;
}

size_t npy_unpack(const char *descr, const struct shape *shape, size_t size, const unsigned char *file,
                  size_t length, struct error *error)
{
    char text[HEAD_MAX], dims[SHAPE_TEXT];
    size_t start = head(descr, shape, text);
    if (length == start + size && memcmp(file, text, start) == 0) {
        return start;
    }
    shape_print(shape, dims, sizeof dims);
    error_set(error, "it is no .npy file of %s %s in C order, as numpy.save writes it", descr, dims);
    return 0;
}

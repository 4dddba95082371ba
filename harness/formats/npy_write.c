/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "harness/formats/npy_pack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool write_header(FILE *file, const char *descr, const struct shape *shape)
{
    char dims[SHAPE_TEXT] = "", header[SHAPE_TEXT + 96];
    size_t used = 0;
    for (int d = 0; d < shape->rank; d++) {
        used += (size_t)snprintf(dims + used, sizeof dims - used, d ? " %" PRId64 "," : "%" PRId64 ",",
                                 shape->dim[d]);
    }
    int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          descr, dims);
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10; /* the data begins at a multiple of 64 bytes */
    return fwrite("\x93NUMPY\x01\x00", 1, 8, file) == 8 && fputc(padded & 255, file) != EOF &&
           fputc(padded >> 8, file) != EOF && fprintf(file, "%-*s\n", padded - 1, header) == padded;
}

static bool begin(struct npy_writer *writer, const char *path, const char *descr, const struct shape *shape,
                  struct error *error)
{
    writer->path = path;
    writer->good = output_begin(&writer->output, path, error);
    writer->begun = writer->good;
    errno = 0;
    if (writer->good && !write_header(writer->output.file, descr, shape)) {
        writer->good = error_set(error, "cannot write %s: %s", path, strerror(errno));
    }
    return writer->good;
}

static bool add(struct npy_writer *writer, const void *bytes, size_t size, struct error *error)
{
    errno = 0;
    if (writer->good && fwrite(bytes, 1, size, writer->output.file) != size) {
        writer->good = error_set(error, "cannot write %s: %s", writer->path, strerror(errno));
    }
    return writer->good;
}

bool npy_writer_begin(struct npy_writer *writer, const char *path, int components, const struct shape *shape,
                      struct error *error)
{
    return begin(writer, path, components == 2 ? "<c16" : "<f8", shape, error);
}

bool npy_writer_add(struct npy_writer *writer, const double *values, int64_t count, struct error *error)
{
    return add(writer, values, (size_t)count * sizeof *values, error);
}

bool npy_writer_end(struct npy_writer *writer, bool good, struct error *error)
{
    errno = 0;
    if (good && writer->good && fflush(writer->output.file) != 0) {
        writer->good = error_set(error, "cannot write %s: %s", writer->path, strerror(errno));
    }
    return writer->begun && output_end(&writer->output, good && writer->good, error) && writer->good;
}

static bool write_file(const char *path, const char *descr, const struct shape *shape, const void *elements,
                       size_t bytes, struct error *error)
{
    struct npy_writer writer;
    bool good = begin(&writer, path, descr, shape, error) && add(&writer, elements, bytes, error);
    return npy_writer_end(&writer, good, error);
}

bool npy_write(const char *path, int components, const struct shape *shape, const double *values,
               struct error *error)
{
    size_t count = (size_t)count_product(shape_elements(shape), components);
    return write_file(path, components == 2 ? "<c16" : "<f8", shape, values, count * sizeof *values, error);
}

bool npy_write_tensor(const char *path, const struct tensor *tensor, struct error *error)
{
    if (tensor->dtype != DTYPE_BFLOAT16) {
        return write_file(path, npy_descr(tensor->dtype), &tensor->shape, tensor->data, tensor_bytes(tensor),
                          error);
    }
    struct tensor wide;
    if (!tensor_create(&wide, DTYPE_FLOAT32, &tensor->shape)) {
        return error_set(error, "cannot write %s: out of memory", path);
    }
    for (int64_t k = 0; k < shape_elements(&tensor->shape); k++) {
        dtype_store(DTYPE_FLOAT32, wide.data + (size_t)k * sizeof(float), tensor_component(tensor, k));
    }
    bool good = npy_write_tensor(path, &wide, error);
    tensor_destroy(&wide);
    return good;
}

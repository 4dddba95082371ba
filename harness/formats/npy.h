/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_NPY_H
#define ASSAY_HARNESS_FORMATS_NPY_H

/* Reads and writes NumPy's .npy files, versions 1.0 to 3.0: little-endian numbers, C or Fortran order.
 *
 * Format: NumPy Enhancement Proposal 1 and numpy.lib.format. The header is checked against the file before it
 * is used. */

#include "harness/host/output.h"
#include "reference/base/tensor.h"

/* Reads a whole file into a row-major tensor, which the caller destroys. bfloat16 has no .npy type. Returns
 * false with file, fault and what would be right, also for torch's and Python's pickles. */
bool npy_read(const char *path, struct tensor *tensor, struct error *error);
/* The same; sets `fortran` if the file holds the elements column-major, at the places of npy_fortran. */
bool npy_read_order(const char *path, struct tensor *tensor, bool *fortran, struct error *error);
/* Returns the view of a column-major array in a storage of its own. */
struct view npy_fortran(enum dtype dtype, const struct shape *shape);

/* Read an array that is part of something else, such as a member of an archive. npy_describe reads the header
 * from the first NPY_START bytes, or from all of a shorter file; `name` stands for the file in errors.
 * npy_take makes the tensor from `bytes`, which hold the header and as many bytes of data as it declares. */
enum { NPY_START = (1 << 16) + 12 };
struct npy_layout {
    enum dtype dtype;
    struct shape shape;
    bool fortran;
    size_t data; /* offset of the elements */
};
bool npy_describe(const unsigned char *start, size_t size, const char *name, struct npy_layout *layout,
                  struct error *error);
bool npy_take(const struct npy_layout *layout, const unsigned char *bytes,
              struct tensor *tensor); /* returns false when out of memory */

/* Writes a tensor in its own dtype; bfloat16, which has no .npy type, as float32. Otherwise as npy_write. */
bool npy_write_tensor(const char *path, const struct tensor *tensor, struct error *error);

/* Writes float64 values row-major, or complex128 where an element has 2 components. The file is written under
 * another name and then renamed, so that `path` never holds half a file. Returns false with file and
 * fault. */
bool npy_write(const char *path, int components, const struct shape *shape, const double *values,
               struct error *error);

/* The same in parts, whose numbers are given one part after the other. Returns false with file and fault; the
 * caller calls npy_writer_end in either case. */
struct npy_writer {
    struct output output;
    const char *path; /* the caller's, until npy_writer_end */
    bool begun, good;
};
bool npy_writer_begin(struct npy_writer *writer, const char *path, int components, const struct shape *shape,
                      struct error *error);
bool npy_writer_add(struct npy_writer *writer, const double *values, int64_t count, struct error *error);
/* Puts the file in its place if `good`. */
bool npy_writer_end(struct npy_writer *writer, bool good, struct error *error);

#endif

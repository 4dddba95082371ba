/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_NPY_H
#define ASSAY_HARNESS_FORMATS_NPY_H

/* NumPy's .npy files, versions 1.0 to 3.0: little-endian numbers, C or Fortran order.
 *
 * Format: NumPy Enhancement Proposal 1 and numpy.lib.format. What the header says is checked against what the
 * file holds before any of it is believed. */

#include "reference/base/tensor.h"

/* Reads a whole file into a row-major tensor, which the caller destroys. bfloat16 has no .npy type of its
 * own. False with file, fault and what would be right. */
bool npy_read(const char *path, struct tensor *tensor, struct error *error);

/* The same in parts, of a file that is somewhere else (a member of an archive): what its first NPY_START
 * bytes, or all where it has fewer, say of the array; and the tensor out of `bytes`, which hold what was
 * promised, the header included. `name` stands in the errors for the file. */
enum { NPY_START = (1 << 16) + 12 };
struct npy_layout {
    enum dtype dtype;
    struct shape shape;
    bool fortran;
    size_t data; /* where the elements begin */
};
bool npy_describe(const unsigned char *start, size_t size, const char *name, struct npy_layout *layout,
                  struct error *error);
bool npy_take(const struct npy_layout *layout, const unsigned char *bytes,
              struct tensor *tensor); /* false: no memory */

/* A tensor as it is; bfloat16, which has no type there, as float32. As npy_write below. */
bool npy_write_tensor(const char *path, const struct tensor *tensor, struct error *error);

/* Writes float64 values row-major, or complex128 where an element has 2 components. Under another name until
 * all is there: what stands at `path` is never half a file. False with file and fault. */
bool npy_write(const char *path, int components, const struct shape *shape, const double *values,
               struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_NPY_PACK_H
#define ASSAY_HARNESS_FORMATS_NPY_PACK_H

/* .npy files of known type and shape in memory: byte for byte what numpy.save writes of a row-major array
 * (version 1.0). */

#include "reference/base/tensor.h"

/* Returns the type in NumPy's notation, such as "<f4". bfloat16, which NumPy lacks, is written as its bits,
 * "<u2". Complex float64 is "<c16". */
const char *npy_descr(enum dtype dtype);

/* Returns the whole file, which the caller frees; NULL: out of memory. */
unsigned char *npy_pack(const char *descr, const struct shape *shape, const void *bytes, size_t size,
                        size_t *length);

/* Returns where the array's `size` bytes begin in a file of that type and shape; 0, with the difference, if
 * the file has another type or shape. */
size_t npy_unpack(const char *descr, const struct shape *shape, size_t size, const unsigned char *file,
                  size_t length, struct error *error);

#endif

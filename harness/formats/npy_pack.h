/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_NPY_PACK_H
#define ASSAY_HARNESS_FORMATS_NPY_PACK_H

/* .npy files of known type and shape, in memory: what numpy.save writes of a row-major array, byte for byte
 * (version 1.0). */

#include "reference/base/tensor.h"

/* "<f4"; bfloat16, which NumPy has not, is its bits, "<u2". Two components of float64: "<c16". */
const char *npy_descr(enum dtype dtype);

/* The whole file, which the caller frees; NULL: out of memory. */
unsigned char *npy_pack(const char *descr, const struct shape *shape, const void *bytes, size_t size,
                        size_t *length);

/* Where the array's `size` bytes begin in a file of that type and shape; 0, with how it differs, in another.
 */
size_t npy_unpack(const char *descr, const struct shape *shape, size_t size, const unsigned char *file,
                  size_t length, struct error *error);

#endif

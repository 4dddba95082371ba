/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_NPY_H
#define ASSAY_HARNESS_NPY_H

/* NumPy's .npy files, versions 1.0 to 3.0: little-endian numbers, C or Fortran order.
 *
 * Format: NumPy Enhancement Proposal 1 and numpy.lib.format. What the header says is checked against what the
 * file holds before any of it is believed. */

#include "reference/tensor.h"

/* Reads a whole file into a row-major tensor, which the caller destroys. bfloat16 has no .npy type of its
 * own. False with file, fault and what would be right. */
bool npy_read(const char *path, struct tensor *tensor, struct error *error);

/* Writes float64 values row-major, or complex128 where an element has 2 components. Under another name until
 * all is there: what stands at `path` is never half a file. False with file and fault. */
bool npy_write(const char *path, int components, const struct shape *shape, const double *values,
               struct error *error);

#endif

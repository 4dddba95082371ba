/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_MATRIX_MARKET_H
#define ASSAY_HARNESS_FORMATS_MATRIX_MARKET_H

/* MatrixMarket files (.mtx): coordinate and array; real, integer and pattern; general, symmetric and
 * skew-symmetric.
 *
 * Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). Only
 * the lower triangle of a symmetric matrix is stored. What the header says is checked against what the file
 * holds; memory grows with the file, not with what it claims. */

#include "reference/base/tensor.h"

struct matrix_market {
    bool coordinate;
    int64_t rows, columns;
    struct tensor indices; /* coordinate: int64 [2, n], 0-based, in the file's order, both triangles */
    struct tensor values;  /* coordinate: float64 [n]; array: float64 [rows, columns] */
};

/* Reads a whole file; the caller clears it in either case. False with file, line and fault. */
bool matrix_market_read(const char *path, struct matrix_market *matrix, struct error *error);
void matrix_market_clear(struct matrix_market *matrix);

#endif

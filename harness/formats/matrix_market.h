/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_MATRIX_MARKET_H
#define ASSAY_HARNESS_FORMATS_MATRIX_MARKET_H

/* Reads MatrixMarket files (.mtx): coordinate and array; real, integer and pattern; general, symmetric and
 * skew-symmetric.
 *
 * Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). Of a
 * symmetric matrix only the lower triangle is stored. The header is checked against the contents; memory
 * grows with the file, not with what the header claims. */

#include "reference/base/tensor.h"

struct matrix_market {
    bool coordinate;
    int64_t rows, columns;
    struct tensor indices; /* coordinate: int64 [2, n], 0-based, in the file's order, both triangles */
    struct tensor values;  /* coordinate: float64 [n]; array: float64 [rows, columns] */
};

/* Reads a whole file. Returns false with file, line and fault. The caller clears the matrix in either case.
 */
bool matrix_market_read(const char *path, struct matrix_market *matrix, struct error *error);
void matrix_market_clear(struct matrix_market *matrix);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_SCIPY_H
#define ASSAY_HARNESS_FORMATS_SCIPY_H

/* Reads sparse matrices that scipy.sparse.save_npz has written: COO, CSR and CSC.
 *
 * Format: an .npz archive with the text `format`, `shape` and `data`, and with `row` and `col` (COO) or
 * `indices` and `indptr` (CSR, CSC); scipy/sparse/_matrix_io.py. */

#include "harness/formats/collection.h"
#include "harness/formats/matrix_market.h"

/* Returns true if the archive holds a sparse matrix of scipy's. */
bool scipy_is(const struct collection *collection);

/* Reads the matrix as coordinates in the file's order; its values keep their dtype. `format` receives the
 * name of its format. Returns false with the fault, also for other formats. The caller clears the matrix in
 * either case. */
bool scipy_read(struct collection *collection, struct matrix_market *matrix, char format[8],
                struct error *error);

#endif

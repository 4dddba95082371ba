/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_DENSE_MATRIX_H
#define ASSAY_SUITES_SHARED_DENSE_MATRIX_H

/* Random square matrices without a zero entry, of either sign of the determinant. */

#include "suites/build.h"

struct dense_matrix {
    /* Q₁·D·Q₂ with orthogonal Q₁, Q₂ and a diagonal D from 1/2 to 2; otherwise Gaussian entries */
    bool orthogonal;
    bool negative; /* the determinant is negative; otherwise positive */
    double scale;  /* factor of all entries */
};

/* Fills a view [n, n], n ≤ 64 (else a fault of the suite). `tensor` is the number of its generator. */
void dense_matrix_fill(struct builder *b, const struct view *view, const struct dense_matrix *matrix,
                       int tensor);

#endif

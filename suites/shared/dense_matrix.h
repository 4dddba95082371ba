/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_DENSE_MATRIX_H
#define ASSAY_SUITES_SHARED_DENSE_MATRIX_H

/* Square matrices without a zero. */

#include "suites/build.h"

struct dense_matrix {
    bool orthogonal; /* Q₁·D·Q₂ with orthogonal factors and D from 1/2 to 2; else Gaussian entries */
    bool negative;   /* the determinant is; else it is positive */
    double scale;    /* of all entries */
};

/* Fills a view [n, n], n ≤ 64; `tensor`: the number of its generator. */
void dense_matrix_fill(struct builder *b, const struct view *view, const struct dense_matrix *matrix,
                       int tensor);

#endif

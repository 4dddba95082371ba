/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SHAPE_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SHAPE_H

/* The shape rule of matmul, mv and linear. */

#include "reference/base/tensor.h"

/* A batch of products of m×k and k×n matrices. */
struct product {
    int64_t m, n, k;
    struct shape a, b, all; /* batch dimensions of either operand, and both broadcast together */
    struct shape result;
};

/* Fills `p` from the shapes of the operands; `linear`: of input and weight. Returns false if they cannot be
 * multiplied. */
bool product_of(bool linear, const struct shape *a, const struct shape *b, struct product *p);

#endif

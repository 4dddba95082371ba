/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SUMS_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SUMS_H

/* The truths of matmul, mv and linear: exact sums of products, or enclosures of them; for matmul.c. */

#include "reference/operator/op.h"

/* A batch of products of m×k and k×n matrices. */
struct product {
    int64_t m, n, k;
    struct shape a, b, all; /* batch dimensions of either operand, and both broadcast together */
    struct shape result;
};

/* Fills `p` from the shapes of the operands; `linear`: of input and weight. False if they cannot be
 * multiplied. */
bool product_of(bool linear, const struct shape *a, const struct shape *b, struct product *p);

/* The callbacks `truth`, `enclose` and `certify` of struct op (reference/operator/op.h). The operands are
 * cast to the dtype of the output first. */
bool matmul_truth(const struct op_call *call, bool linear, struct truth *truth, struct error *error);
bool matmul_enclose(const struct op_call *call, bool linear, struct truth *truth, struct error *error);
bool matmul_certify(const struct op_call *call, bool linear, struct truth *truth, int64_t element,
                    struct error *error);

#endif

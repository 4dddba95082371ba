/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SUMS_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_SUMS_H

/* The sums of products behind matmul, mv and linear; for matmul.c. */

#include "reference/operator/op.h"

struct product {
    int64_t m, n, k;
    struct shape a, b, all; /* batch dimensions: of either operand, and broadcast together */
    struct shape result;
};

/* False where the shapes of a and b (of input and weight) make no product. */
bool product_of(bool linear, const struct shape *a, const struct shape *b, struct product *p);

/* The hooks `truth`, `enclose` and `certify` of struct op; the operands take part in the dtype of the output.
 */
bool matmul_truth(const struct op_call *call, bool linear, struct truth *truth, struct error *error);
bool matmul_enclose(const struct op_call *call, bool linear, struct truth *truth, struct error *error);
bool matmul_certify(const struct op_call *call, bool linear, struct truth *truth, int64_t element,
                    struct error *error);

#endif

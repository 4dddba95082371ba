/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_LEFT_MATRIX_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_LEFT_MATRIX_H

/* The left factors of a block of a sum of products as a dense matrix; for product_sum.c. */

#include "reference/ops/product_sum/product_factors.h"
#include "reference/ops/product_sum/product_sum.h"

#include <math.h>

/* The greatest finite magnitude of some factors, and whether one of them is a NaN or an infinity. */
struct factor_range {
    double greatest;
    bool special;
};

static inline void factor_range_add(struct factor_range *range, double x)
{
    range->greatest = isfinite(x) && fabs(x) > range->greatest ? fabs(x) : range->greatest;
    range->special = range->special || !isfinite(x);
}

struct left_matrix {
    const double *rows; /* rows × terms, row-major; in `copy`, or in the factor where that has this order */
    double *copy;
    struct factor_range *range; /* of each row */
};

/* Gathers the left factors of the block, 0 for absent terms, 1 for all of a plain sum. `index` has room for
 * the indices of a row. Frees what the matrix held before. Returns false when out of memory. */
bool left_matrix_gather(struct left_matrix *matrix, const struct product_sum *sum,
                        const struct product_sum_block *block, const struct factor *factor, int64_t *index);
void left_matrix_clear(struct left_matrix *matrix);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/product_sum/left_matrix.h"

#include <stdlib.h>

/* Returns the matrix if it lies in the factor as it is, row behind row; NULL if not. */
static const double *in_place(const struct product_sum *sum, const struct product_sum_block *b,
                              const struct factor *factor, int64_t *index)
{
    int64_t first = 0;
    for (int64_t i = 0; i < b->rows && sum->left >= 0 && b->terms > 0; i++) {
        sum->map->left(sum, b, i, index);
        first = i == 0 ? index[0] : first;
        for (int64_t k = 0; k < b->terms; k++) {
            if (index[k] != first + i * b->terms + k) {
                return NULL;
            }
        }
    }
    return sum->left >= 0 && first >= 0 ? factor->x + first : NULL;
}

static double *copy_of(const struct product_sum *sum, const struct product_sum_block *b,
                       const struct factor *factor, int64_t *index)
{
    size_t rows = (size_t)b->rows, terms = (size_t)b->terms;
    double *copy = malloc((rows * terms + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < rows; i++) {
        if (sum->left >= 0) {
            sum->map->left(sum, b, (int64_t)i, index);
        }
        for (size_t k = 0; k < terms; k++) {
            copy[i * terms + k] = sum->left < 0 ? 1 : index[k] < 0 ? 0 : factor->x[index[k]];
        }
    }
    return copy;
}

bool left_matrix_gather(struct left_matrix *matrix, const struct product_sum *sum,
                        const struct product_sum_block *block, const struct factor *factor, int64_t *index)
{
    size_t rows = (size_t)block->rows, terms = (size_t)block->terms;
    left_matrix_clear(matrix);
    matrix->range = calloc(rows + 1, sizeof *matrix->range);
    matrix->rows = in_place(sum, block, factor, index);
    if (!matrix->rows) {
        matrix->rows = matrix->copy = copy_of(sum, block, factor, index);
    }
    bool good = matrix->range && matrix->rows;
    for (size_t i = 0; good && i < rows; i++) {
        for (size_t k = 0; k < terms; k++) {
            factor_range_add(&matrix->range[i], matrix->rows[i * terms + k]);
        }
    }
    return good;
}

void left_matrix_clear(struct left_matrix *matrix)
{
    free(matrix->copy);
    free(matrix->range);
    *matrix = (struct left_matrix){.rows = NULL};
}

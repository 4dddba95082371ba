/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/reduction.h"

#include <stdlib.h>

/* Returns the element numbers that the dimensions in `mask` span, in row-major order, and sets *count. */
static int64_t *element_numbers(const struct shape *shape, unsigned mask, int64_t *count)
{
    *count = 1;
    for (int d = 0; d < shape->rank; d++) {
        *count = count_product(*count, mask >> d & 1 ? shape->dim[d] : 1);
    }
    int64_t *number = calloc((size_t)*count + 1, sizeof *number);
    for (int64_t i = 0; number && i < *count; i++) {
        int64_t rest = i, stride = 1;
        number[i] = 0;
        for (int d = shape->rank; d-- > 0; stride *= shape->dim[d]) {
            if (mask >> d & 1) {
                number[i] += rest % shape->dim[d] * stride;
                rest /= shape->dim[d];
            }
        }
    }
    return number;
}

bool reduction_create(struct reduction *r, const struct shape *shape, unsigned mask)
{
    r->term = element_numbers(shape, mask, &r->terms);
    r->base = element_numbers(shape, ~mask, &r->outputs);
    return r->term && r->base;
}

void reduction_clear(struct reduction *r)
{
    free(r->term);
    free(r->base);
}

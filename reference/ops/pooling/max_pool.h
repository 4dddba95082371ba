/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_POOLING_MAX_POOL_H
#define ASSAY_REFERENCE_OPS_POOLING_MAX_POOL_H

/* The order of the elements of a window, and the verification of the place of a greatest one. */

#include "reference/ops/pooling/pool_shape.h"

/* The window at position y of the plane whose first element is `plane`. flush: subnormals count as zeros. */
struct max_pool_window {
    const struct pool *p;
    const struct tensor *x;
    int64_t plane, y;
    bool flush;
};

struct pool max_pool_of_call(const struct op_call *call, int input);

/* Returns element `at` of the plane. */
double max_pool_element(const struct max_pool_window *window, int64_t at);

/* Returns whether a is greater than b; NaN is greater than every number. */
bool max_pool_exceeds(double a, double b);

/* Returns the place in the plane of the first greatest element of the window, and how many there are. */
int64_t max_pool_first(const struct max_pool_window *window, int64_t *count);

/* `verify` of struct op for results values and indices. */
bool max_pool_verify(const struct verification_query *query, struct verification *found);

#endif

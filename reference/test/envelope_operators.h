/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_ENVELOPE_OPERATORS_H
#define ASSAY_REFERENCE_TEST_ENVELOPE_OPERATORS_H

/* Calls whose envelopes are tested: random rows for layer_norm, a random matrix for matrix_exp. */

#include "reference/test/call.h"
#include "reference/test/perturb.h"

enum { ROWS = 2, WIDTH = 6, COUNT = ROWS * WIDTH };

/* A layer_norm problem of two rows, computed in one of three forms. */
struct rows {
    int form; /* 0: two passes; 1: Welford; 2: two passes and x·r − m·r */
    double x[COUNT], dy[COUNT], weight[WIDTH], bias[WIDTH], eps;
};

static inline struct rows rows_of(uint64_t seed, double mean, double shift)
{
    struct rows q = {.eps = 1e-5};
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < COUNT; i++) {
        q.x[i] = (double)(float)(mean + 4 * philox_unit(&g) - 2);
        q.dy[i] = (double)(float)(2 * philox_unit(&g) - 1);
    }
    for (int k = 0; k < WIDTH; k++) {
        q.weight[k] = (double)(float)(0.5 + philox_unit(&g));
        q.bias[k] = (double)(float)(shift * (2 * philox_unit(&g) - 1));
    }
    return q;
}

static inline struct call layer_norm(const struct rows *q, bool backward)
{
    struct call call = call_of(backward ? "layer_norm_backward" : "layer_norm");
    integers_attribute(&call, "normalized_shape", integers_of(1, (int64_t)WIDTH));
    if (backward) {
        give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)ROWS, (int64_t)WIDTH), q->dy);
    }
    give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)ROWS, (int64_t)WIDTH), q->x);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)WIDTH), q->weight);
    if (!backward) {
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)WIDTH), q->bias);
    }
    call.truth = truth_of_call(call.op, &call.attributes, call.inputs, call.input);
    return call;
}

static inline struct call exponential(uint64_t seed, int n, double scale, double *a)
{
    struct call call = call_of("matrix_exp");
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < n * n; i++) {
        a[i] = (double)(float)(scale * (2 * philox_unit(&g) - 1));
    }
    give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)n, (int64_t)n), a);
    call.truth = truth_of_call(call.op, NULL, 1, call.input);
    return call;
}

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORM_TEST_VECTOR_NORM_H
#define ASSAY_REFERENCE_OPS_NORM_TEST_VECTOR_NORM_H

/* Helpers of the tests of vector_norm: the truth of the norm of one row, and random rows. */

#include "reference/test/support.h"

static inline struct attributes order(double p)
{
    return (struct attributes){.count = 1, .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = p}}};
}

static inline struct truth *norm_of(enum dtype dtype, double p, int64_t n, const double *x)
{
    struct attributes attributes = order(p);
    struct tensor input = tensor_from(dtype, shape_of(1, n), x);
    struct truth *truth = truth_of_call("vector_norm", &attributes, 1, &input);
    tensor_destroy(&input);
    return truth;
}

static inline void random_row(double *x, int64_t n, enum dtype dtype, uint64_t seed, int spread)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        int e = (int)philox_below(&generator, 2 * (uint32_t)spread + 1) - spread;
        dtype_store(dtype, bytes, ldexp(1 + philox_unit(&generator), e) * (i % 3 ? 1 : -1));
        x[i] = dtype_load(dtype, bytes);
    }
}

#endif

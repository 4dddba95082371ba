/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_STRIDED_H
#define ASSAY_KERNELS_CPU_STRIDED_H

/* Walking strided views in row-major order, and reading an element in the precision it is computed in. */

#include "kernels/cpu/half.h"
#include "kernels/cpu/witness.h"

/* A position in a view's shape, with the element offset of up to two views that follow it. */
struct cpu_walk {
    const struct shape *shape;
    int64_t index[RANK_MAX];
    int64_t left; /* elements not yet visited */
};

static inline int64_t cpu_count(const struct shape *shape)
{
    int64_t count = 1;
    for (int d = 0; d < shape->rank; d++) {
        count *= shape->dim[d];
    }
    return count;
}

static inline struct cpu_walk cpu_walk_start(const struct shape *shape)
{
    return (struct cpu_walk){.shape = shape, .left = cpu_count(shape)};
}

/* Moves on by one element; the offsets of the views follow by their strides. */
static inline void cpu_walk_next(struct cpu_walk *walk, int views, const int64_t *const stride[],
                                 int64_t offset[])
{
    walk->left--;
    for (int d = walk->shape->rank - 1; d >= 0; d--) {
        bool carry = ++walk->index[d] == walk->shape->dim[d];
        for (int v = 0; v < views; v++) {
            offset[v] += carry ? -(walk->shape->dim[d] - 1) * stride[v][d] : stride[v][d];
        }
        if (!carry) {
            return;
        }
        walk->index[d] = 0;
    }
}

static inline float cpu_load_float(enum dtype dtype, const unsigned char *at)
{
    uint16_t half;
    float x;
    switch (dtype) {
    case DTYPE_FLOAT16:
        memcpy(&half, at, sizeof half);
        return cpu_float_of_half(half);
    case DTYPE_BFLOAT16:
        memcpy(&half, at, sizeof half);
        return cpu_float_of_bfloat(half);
    default:
        memcpy(&x, at, sizeof x);
        return x;
    }
}

static inline void cpu_store_float(enum dtype dtype, unsigned char *at, float x)
{
    uint16_t half;
    switch (dtype) {
    case DTYPE_FLOAT16:
        half = cpu_half_of_float(x);
        memcpy(at, &half, sizeof half);
        return;
    case DTYPE_BFLOAT16:
        half = cpu_bfloat_of_float(x);
        memcpy(at, &half, sizeof half);
        return;
    default:
        memcpy(at, &x, sizeof x);
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_SHAPES_POOL_SIZES_H
#define ASSAY_KERNELS_SHAPES_POOL_SIZES_H

/* The shape rule of pooling and of its gradients, for both of our backends. It shares no code with
 * reference/. Dimensions come in threes: those that a pooling does not have stand in front and have size,
 * kernel and stride 1.
 *
 * x is the side of the input, y that of the result. Position y and tap t meet x = y·stride + t·dilation −
 * before. */

#include "reference/program/program.h"

struct pool_sizes {
    int rank, batched; /* batched: 0 or 1 */
    int64_t samples, channels;
    int64_t x[3], y[3], kernel[3], stride[3], before[3], dilation[3];
    bool counts_padding;
    int64_t divisor; /* 0: none */
};

/* Computes all sizes of a pooling of so many dimensions. Returns false where the operands do not fit. */
bool pool_sizes_of(int rank, const struct attributes *attributes, const struct shape *input,
                   struct pool_sizes *s);

/* Returns whether a tensor has the shape of the result. */
bool pool_sizes_fit(const struct pool_sizes *s, const struct shape *result);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_SHAPE_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_SHAPE_H

/* The shape rule of convolutions, transposed convolutions and their gradients.
 *
 * All of them relate a *dense* tensor X [batch, x_channels, x…] to a *strided* tensor Y [batch, y_channels,
 * y…] by weights W [y_channels, x_channels / groups, kernel…]: position y of Y and tap t meet position x =
 * y·stride − begin + t·dilation of X. A convolution computes Y from X, a transposed one X from Y. */

#include "reference/operator/op.h"

enum { CONVOLUTION_RANK_MAX = 3 };

/* Flags in the field `variant` of struct op, beside the number of spatial dimensions. */
enum { CONVOLUTION_RANK = 3, CONVOLUTION_TRANSPOSED = 4, CONVOLUTION_GRADIENT = 8 };

struct convolution {
    int rank; /* spatial dimensions */
    int64_t batch, groups, x_channels, y_channels;
    /* for each spatial dimension; `begin` and `end` are the padding of X */
    int64_t x[CONVOLUTION_RANK_MAX], y[CONVOLUTION_RANK_MAX], kernel[CONVOLUTION_RANK_MAX];
    int64_t stride[CONVOLUTION_RANK_MAX], dilation[CONVOLUTION_RANK_MAX];
    int64_t begin[CONVOLUTION_RANK_MAX], end[CONVOLUTION_RANK_MAX], output_padding[CONVOLUTION_RANK_MAX];
    struct shape output; /* of the convolution itself, also for its gradient */
};

/* Fills `c` from input, weight and attributes. Returns false with the reason if they do not fit. */
bool convolution_of(const struct op *op, const struct attributes *attributes, const struct shape *input,
                    const struct shape *weight, struct convolution *c, struct error *reason);

/* Return the products of the spatial sizes. */
int64_t convolution_x_size(const struct convolution *c);
int64_t convolution_y_size(const struct convolution *c);
int64_t convolution_taps(const struct convolution *c);

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif

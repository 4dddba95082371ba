/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_SHAPES_CONVOLUTION_SIZES_H
#define ASSAY_KERNELS_SHAPES_CONVOLUTION_SIZES_H

/* The shape rule of convolutions, transposed convolutions and their gradients, for both of our backends. It
 * shares no code with reference/: what either refuses, the other must refuse as well.
 *
 * x is the side of a convolution's input, y that of its result; a transposed convolution goes from y to x.
 * Position y and tap t meet position x = y·stride + t·dilation − before. */

#include "reference/program/program.h"

enum { CONVOLUTION_SIZES_MOST = 3 };
/* The variant of an operator: its spatial dimensions, and this flag for a transposed convolution. */
enum { CONVOLUTION_SIZES_RANK = 3, CONVOLUTION_SIZES_TRANSPOSED = 4 };

struct convolution_sizes {
    int rank, batched;                               /* batched: 0 or 1 */
    int64_t samples, groups, x_channels, y_channels; /* channels of a group */
    int64_t x[CONVOLUTION_SIZES_MOST], y[CONVOLUTION_SIZES_MOST], kernel[CONVOLUTION_SIZES_MOST];
    int64_t stride[CONVOLUTION_SIZES_MOST], dilation[CONVOLUTION_SIZES_MOST];
    /* the padding of x, and output_padding */
    int64_t before[CONVOLUTION_SIZES_MOST], behind[CONVOLUTION_SIZES_MOST], more[CONVOLUTION_SIZES_MOST];
};

/* Computes all sizes from the shapes of input and weight. Returns false where they do not fit. */
bool convolution_sizes_of(int variant, const struct attributes *attributes, const struct shape *input,
                          const struct shape *weight, struct convolution_sizes *s);

/* The channels of the result. */
int64_t convolution_channels(const struct convolution_sizes *s, bool transposed);

/* Returns whether a tensor has the shape of the result. */
bool convolution_sizes_fit(const struct convolution_sizes *s, const struct shape *result, bool transposed);

#endif

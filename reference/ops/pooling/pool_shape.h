/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_POOLING_POOL_SHAPE_H
#define ASSAY_REFERENCE_OPS_POOLING_POOL_SHAPE_H

/* The shape rule of pooling and of its gradients, and which elements belong to a window.
 *
 * x is the side of the input, y that of the result. Tap t of position y meets position x = y·stride − padding
 * + t·dilation. All planes (samples and channels) are pooled alike. Positions and taps of several dimensions
 * are numbered row by row. */

#include "reference/operator/op.h"

enum { POOL_RANK_MAX = 3 };

/* Flags in the field `variant` of struct op, beside the number of spatial dimensions. */
enum { POOL_RANK = 3, POOL_GRADIENT = 4, POOL_MAXIMUM = 8 };

struct pool {
    int rank;
    int64_t planes;
    int64_t x[POOL_RANK_MAX], y[POOL_RANK_MAX], kernel[POOL_RANK_MAX];
    int64_t stride[POOL_RANK_MAX], padding[POOL_RANK_MAX], dilation[POOL_RANK_MAX];
    bool counts_padding; /* count_include_pad */
    int64_t divisor;     /* divisor_override; 0: none */
    struct shape output; /* of the pooling itself, also for its gradient */
};

/* Fills `p` from the shape of the input and the attributes. Returns false with the reason if they do not
 * fit. */
bool pool_of(const struct op *op, const struct attributes *attributes, const struct shape *input,
             struct pool *p, struct error *reason);

/* Return the numbers of positions of a plane, and of taps. */
int64_t pool_x_size(const struct pool *p);
int64_t pool_y_size(const struct pool *p);
int64_t pool_taps(const struct pool *p);

/* Returns the position that tap t of position y meets; −1: it lies in the padding. */
int64_t pool_meets(const struct pool *p, int64_t y, int64_t t);

/* Returns what the sum of the window at y is divided by: divisor_override, or the elements of the window that
 * lie in the input, and with count_include_pad in the padding. What a window reaches beyond the padding, as
 * with ceil_mode, never counts. */
int64_t pool_divisor(const struct pool *p, int64_t y);

/* The windows of a pooling without dilation that hold position x: no more than pool_windows(). Returns the
 * position of window k; −1: there are fewer. */
int64_t pool_windows(const struct pool *p);
int64_t pool_window(const struct pool *p, int64_t x, int64_t k);

#endif

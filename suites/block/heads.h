/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_HEADS_H
#define ASSAY_SUITES_BLOCK_HEADS_H

/* Multi-head attention as observed steps: the projections to queries, keys and values, attention of all
 * heads, a copy that puts the heads of a token side by side, and the projection of the result. */

#include "suites/block/array.h"
#include "suites/block/layers.h"

/* The axes of an array of calls (array.h). */
enum heads_axis {
    HEADS_BATCH,
    HEADS_LENGTH,
    HEADS_HEADS,
    HEADS_DIM,
    HEADS_DTYPE,
    HEADS_MASK,
    HEADS_PACKED,
    HEADS_AXES
};
enum heads_mask { HEADS_EVERY_KEY, HEADS_CAUSAL, HEADS_PADDED };

/* HEADS_PACKED: 1 if queries, keys and values are parts of one product, and so views with gaps. */
struct heads {
    const struct block_call *call;
    struct layer projection[3]; /* queries, keys, values; their gradients are of separate products */
    struct view query, key, value, mask;
    struct layer result;
};

/* Initialises the axes that concern attention. */
struct block_axes heads_axes(void);

/* Returns the work of attention alone, forward and backward. */
int64_t heads_work(const int64_t value[BLOCK_AXES]);
int64_t heads_width(const int64_t value[BLOCK_AXES]); /* numbers of a token: heads · dim */

/* x is [batch, length, heads · dim]. */
struct heads block_heads(struct block *block, const struct block_call *call, const struct view *x);
struct view block_heads_backward(struct block *block, const struct heads *heads, const struct view *grad);

/* Prints the sizes for the name of a case: "3x5x3x12-c-q". */
void heads_print(const struct block_call *call, char *text, size_t size);

#endif

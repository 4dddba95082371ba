/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_SHAPES_ATTENTION_SIZES_H
#define ASSAY_KERNELS_SHAPES_ATTENTION_SIZES_H

/* The shape rule of scaled_dot_product_attention, for our kernels. It shares no code with reference/: what
 * either refuses, the other must refuse as well. */

#include "reference/program/program.h"

struct attention_sizes {
    int64_t queries, keys, width, value_width; /* L, M, D, Dv */
    struct shape all;                          /* leading dimensions of the result */
    /* Query heads that share a head of the keys, and of the values; 1 without enable_gqa. */
    int64_t key_group, value_group;
    bool masked, causal;
    double scale;
};

/* Computes all sizes from query, key, value and mask (input[0] to input[3]; mask with storage −1: absent).
 * Returns what does not fit; NULL if everything does. */
const char *attention_sizes_of(const struct attributes *attributes, int inputs, const struct view *input,
                               struct attention_sizes *s);

/* Returns whether the result has this shape. */
bool attention_sizes_fit(const struct attention_sizes *s, const struct shape *result);

#endif

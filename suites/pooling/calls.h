/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_POOLING_CALLS_H
#define ASSAY_SUITES_POOLING_CALLS_H

/* Builds calls of pooling and of its gradients. */

#include "reference/ops/pooling/pool_shape.h"
#include "suites/shared/rows.h"

enum pool_data {
    POOL_RANDOM,   /* both signs, exponents −2 … 2 */
    POOL_INTEGERS, /* −3 … 3: sums are exact, many elements are equal */
    POOL_ENCODED,  /* every element another number, in mixed order */
    POOL_NEGATIVE, /* −1 … −1/2: 0 would be the greatest */
    POOL_POSITIVE, /* 1/2 … 1 */
    POOL_SPECIAL,  /* NaN, infinities and zeros of both signs at some places */
    POOL_SUBNORMAL /* subnormal numbers in the first third */
};

/* A call. Lists that are 0 stand for the default of the attribute. */
struct pool_call {
    int64_t batch, channels; /* batch −1: none */
    int64_t size[POOL_RANK_MAX], kernel[POOL_RANK_MAX], stride[POOL_RANK_MAX], padding[POOL_RANK_MAX];
    int64_t dilation[POOL_RANK_MAX];
    bool ceil, uncounted; /* ceil_mode; count_include_pad = false */
    int64_t divisor;      /* divisor_override; 0: none */
    enum pool_data data;
    enum layout layout, grad; /* of the input, and of grad_output and indices */
    bool channels_last;
};

struct pool_row {
    struct suite_row row;
    struct pool_call call;
};

struct pool_operands {
    struct attributes attributes;
    int inputs;
    struct view input[3];
    struct pool shape;
};

int pool_rank(const struct op *op);
bool pool_is_gradient(const struct op *op);
bool pool_is_maximum(const struct op *op);

/* Makes operands and attributes of a call that must be accepted. Returns false on a fault. */
bool pool_make(struct builder *b, const struct pool_call *call, struct pool_operands *o);
struct step *pool_step(struct builder *b, const struct pool_operands *o);

/* For `build` of cases whose row is a struct pool_row. */
void pool_plain(struct builder *b);

#endif

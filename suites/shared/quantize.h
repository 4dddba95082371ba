/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_QUANTIZE_H
#define ASSAY_SUITES_SHARED_QUANTIZE_H

/* Calls of the quantization operators: operands, scales and zero points that differ from channel to channel
 * and from block to block, attributes. */

#include "reference/ops/quantization/quantization_affine.h"
#include "suites/build.h"

enum quantize_data {
    QUANTIZE_RANDOM, /* full significands, over the interval and a fifth beyond */
    QUANTIZE_TIES,   /* (k + 1/2)·s, k in order */
    QUANTIZE_NEAR,   /* what the dtype has within 32 places of those */
    QUANTIZE_EDGES,  /* quarters about both ends of the interval, whole turns of the integer beyond them, far
                        beyond, zeros */
    QUANTIZE_SPECIAL /* special values, NaN among them, each in turn with an ordinary one */
};

struct quantize_call {
    struct shape shape;
    enum layout layout; /* of input, and of grad_output */
    enum dtype to; /* quantized to, or dequantized to; of fake quantization the integer whose range it has */
    double scale;  /* the first channel's or block's */
    bool powers;   /* others are it times powers of two; else times odd numbers */
    int64_t zero;  /* the first one's; others differ by at most 2 */
    bool narrow;   /* the interval is −8 … 7, or 0 … 15 */
    int axis;
    int64_t block;
    enum quantize_data data;
};

/* The step, its operands made and filled; NULL on a fault. */
struct step *quantize_step(struct builder *b, const struct quantize_call *call);

/* A scale or a zero point of many, which is no data. */
bool quantize_is_parameter(const struct op *op, int inputs, int i);

/* The same with another number of scales and zero points, or another attribute: it must be rejected. */
enum quantize_fault {
    FAULT_SCALES,
    FAULT_ZEROS,
    FAULT_AXIS,
    FAULT_BLOCK,
    FAULT_ZERO_POINT,
    FAULT_INTERVAL,
    FAULT_BEYOND,
    FAULT_GRAD
};
void quantize_rejection(struct builder *b, const struct quantize_call *call, enum quantize_fault fault);

#endif

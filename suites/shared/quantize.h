/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_QUANTIZE_H
#define ASSAY_SUITES_SHARED_QUANTIZE_H

/* Builds calls of the quantization operators: operands, attributes, and scales and zero points that differ
 * from channel to channel and from block to block. */

#include "reference/ops/quantization/quantization_affine.h"
#include "suites/build.h"

enum quantize_data {
    QUANTIZE_RANDOM, /* full significands, over the interval and a tenth of its width beyond each end */
    QUANTIZE_TIES,   /* halves in units of the scale s: (k + 1/2)·s, k ascending */
    QUANTIZE_NEAR,   /* numbers of the dtype within 32 places of such halves */
    /* quarters around both ends of the interval, numbers a width of it beyond, far beyond, and zeros */
    QUANTIZE_EDGES,
    QUANTIZE_SPECIAL /* special values, NaN among them, alternating with ordinary numbers */
};

struct quantize_call {
    struct shape shape;
    enum layout layout; /* of grad_output for a gradient, else of the input */
    /* the dtype to quantize or dequantize to; of fake quantization the integer dtype whose range it has */
    enum dtype to;
    double scale; /* scale of the first channel or block */
    /* other scales are `scale` times 1, 2 or 4; otherwise times multiples of 1/64 from 1 to 3 */
    bool powers;
    int64_t zero; /* zero point of the first; others differ by at most 2 */
    bool narrow;  /* the interval is −8 … 7, or 0 … 15 */
    int axis;
    int64_t block;
    enum quantize_data data;
};

/* Makes and fills the operands and appends the step; NULL on a fault. */
struct step *quantize_step(struct builder *b, const struct quantize_call *call);

/* True if operand i holds scales or zero points of channels or blocks. */
bool quantize_is_parameter(const struct op *op, int inputs, int i);

/* Appends the call with one fault, which the operator must reject. */
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

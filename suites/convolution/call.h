/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_CONVOLUTION_CALL_H
#define ASSAY_SUITES_CONVOLUTION_CALL_H

/* Builds calls of convolutions, transposed convolutions and their gradients. */

#include "reference/ops/convolution/convolution_shape.h"
#include "suites/shared/rows.h"

enum convolution_data {
    CONVOLUTION_RANDOM,   /* both signs, exponents −2 … 2 */
    CONVOLUTION_POSITIVE, /* 1/2 … 1 */
    CONVOLUTION_INTEGERS, /* −3 … 3: every sum is exact, and a wrong index gives a wrong number */
    /* Each channel of the weights has one 1; the input numbers its elements. The result says which element it
     * took. */
    CONVOLUTION_ENCODED,
    CONVOLUTION_SPECIAL,         /* NaN and infinities at some places of the input */
    CONVOLUTION_WEIGHT_INFINITE, /* an infinity in the first tap of the last output channel */
    CONVOLUTION_SUBNORMAL,       /* subnormal inputs times large weights */
    CONVOLUTION_OVERFLOW         /* products of both signs beyond the range in the first third of the input */
};

/* A call. Lists that are 0 stand for the default of the attribute. */
struct convolution_call {
    int64_t batch;           /* −1: no batch */
    int64_t in, out, groups; /* channels of the input and of the result of a group; groups 0: 1 */
    int64_t size[CONVOLUTION_RANK_MAX], kernel[CONVOLUTION_RANK_MAX]; /* size: of the input */
    int64_t stride[CONVOLUTION_RANK_MAX], dilation[CONVOLUTION_RANK_MAX], padding[CONVOLUTION_RANK_MAX];
    int64_t end[CONVOLUTION_RANK_MAX];  /* with `pairs`: the padding at the end */
    int64_t more[CONVOLUTION_RANK_MAX]; /* output_padding */
    bool pairs, same, no_bias;
    enum convolution_data data;
    /* Layouts of input, weight and bias; `grad` is that of grad_output. channels_last: input, weight and
     * grad_output have their channels innermost. */
    enum layout input, weight, bias, grad;
    bool channels_last;
};

struct convolution_row {
    struct suite_row row;
    struct convolution_call call;
};

/* The operands and attributes of a call, in the operator's order. */
struct convolution_operands {
    struct attributes attributes;
    int inputs;
    struct view input[3];
    struct convolution shape;
};

bool convolution_is_gradient(const struct op *op);
bool convolution_is_transposed(const struct op *op);
int convolution_rank(const struct op *op);

/* Makes operands and attributes of a call that must be accepted. Returns false on a fault. */
bool convolution_make(struct builder *b, const struct convolution_call *call, struct convolution_operands *o);

/* Sets the attributes alone. */
void convolution_set_attributes(const struct op *op, const struct convolution_call *call,
                                struct attributes *attributes);

/* The shapes of input and weight. */
struct shape convolution_input_shape(const struct op *op, const struct convolution_call *call);
struct shape convolution_weight_shape(const struct op *op, const struct convolution_call *call);

/* Appends the step of made operands; an exactness probe where the data are integers. */
struct step *convolution_step(struct builder *b, const struct convolution_call *call,
                              const struct convolution_operands *o);

/* For `build` of cases whose row is a struct convolution_row. */
void convolution_plain(struct builder *b);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_JUDGED_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_JUDGED_H

/* One random problem of a convolution or of its gradients with its operands and truth, and the verdict of the
 * judge's own functions on a result. */

#include "reference/ops/convolution/test/convolution_forms.h"

/* What the elements of the operands are. Zeros, large means, one outlier and integers are what real layers
 * and sparse inputs have, and where errors of fast algorithms stand out. */
enum convolution_data {
    DATA_UNIFORM,
    DATA_RELU,
    DATA_MEAN,
    DATA_WIDE,
    DATA_OUTLIER,
    DATA_INTEGERS,
    DATA_KINDS
};

struct judged_case {
    const struct op *op;
    struct convolution_case p;
    struct attributes attributes;
    enum dtype dtype;
    enum convolution_data data;
    struct profile profile; /* of IEEE 754, sums of 16-bit operands in float32 */
    struct shape shape[SIDES];
    double *x[SIDES], *bias; /* elements; bias NULL: none. The side that is computed holds grad_output. */
    enum side from, to;      /* of the forward convolution */
    int inputs;
    struct tensor input[3];
    struct truth *truth;
};

/* Opens problem `number` of an operator: for equal numbers the same. `size`: most triples of elements. */
void judged_open(struct judged_case *c, const char *op, uint64_t number, int64_t size);
/* Opens a given problem; `winograd` is the tile that the profile declares, 0: classical sums. */
void judged_open_case(struct judged_case *c, const char *op, const struct convolution_case *p, int winograd,
                      enum dtype dtype, enum convolution_data data, struct philox *g);
/* Computes the truth again after operands were changed in x. */
void judged_change(struct judged_case *c);
void judged_close(struct judged_case *c);

/* The sums of judged tensor `output` (0 of a forward operator; 0 to 2 of gradients). */
struct convolution_terms judged_terms(const struct judged_case *c, int output);

/* The worst of one result: greatest error over B and over Q, T and G of the envelope. `refused`: B accepts
 * some element not. */
struct judged_verdict {
    bool refused;
    double bound, q, t, g;
};
/* Judges `got` (rounded to the dtype here) as judged tensor `output`. */
struct judged_verdict judged_result(const struct judged_case *c, int output, const double *got);
/* True if the case passes: accepted by B, and by Q, T and G. */
bool judged_passes(const struct judged_verdict *v);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_CASE_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_CASE_H

/* Random problems of convolutions, and the triples of elements of X, Y and W (convolution_shape.h) that the
 * definition of the convolution joins: enumerated, without an index map. */

#include "reference/test/support.h"

enum { DIMENSIONS = 3 };

/* A problem; dimensions beyond `rank` have size, kernel, stride and dilation 1. */
struct convolution_case {
    int rank;
    int64_t batch, groups, x_channels, y_channels; /* channels of a group */
    int64_t x[DIMENSIONS], y[DIMENSIONS], kernel[DIMENSIONS], stride[DIMENSIONS], dilation[DIMENSIONS];
    int64_t begin[DIMENSIONS], end[DIMENSIONS], more[DIMENSIONS];
    bool transposed;
};

enum side { SIDE_X, SIDE_Y, SIDE_WEIGHT, SIDES };

/* Returns a random problem of this many spatial dimensions; 0: of any. The batch may be empty. */
struct convolution_case convolution_case_any(struct philox *g, int rank, bool transposed);

struct attributes convolution_case_attributes(const struct convolution_case *p);
struct shape convolution_case_shape(const struct convolution_case *p, enum side side);

/* Returns the product of the sizes of all dimensions. */
int64_t convolution_case_volume(const int64_t *size);

/* Returns how many triples there are, those counted whose element of X lies in the padding. */
int64_t convolution_case_triples(const struct convolution_case *p);

/* One product of a convolution: which elements of X, Y and the weights take part, and its coordinates, by
 * which a form orders the terms of a sum. */
struct convolution_triple {
    int64_t element[SIDES];
    int64_t sample, x_channel, y_channel, position, tap; /* channels within the group; position of Y */
};

/* Calls `meet` for every triple whose element of X exists. */
void convolution_case_each(const struct convolution_case *p,
                           void (*meet)(void *user, const struct convolution_triple *triple), void *user);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_WINOGRAD_FORM_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_WINOGRAD_FORM_H

/* Winograd's algorithm as libraries compute it, in float32 (float64 for operands of that dtype), and with
 * faults. Written from the formulas of Lavin and Gray, "Fast algorithms for convolutional neural networks"
 * (CVPR 2016); it shares nothing with the reference. */

#include "reference/ops/convolution/test/convolution_judged.h"

enum winograd_fault {
    WINOGRAD_RIGHT,
    WINOGRAD_TAPS_FLIPPED,      /* the kernel is mirrored */
    WINOGRAD_TILE_SHIFTED,      /* one tile reads its data one column too far to the right */
    WINOGRAD_TRANSFORM_FLOAT16, /* transformed kernels and data are rounded to float16 */
    WINOGRAD_FAULTS
};

struct winograd_form {
    int m;           /* results of a tile along one side: 2 or 4 */
    int first[2];    /* the first tile begins so many results before the first result; below m */
    bool factored;   /* transforms share subexpressions; else sums in any order */
    bool fused;      /* the products of transformed elements are not rounded */
    bool columns;    /* transforms begin with columns, not with rows */
    int64_t parts;   /* channels are added in so many parts */
    enum dtype wide; /* of every intermediate */
    struct philox g; /* for the order of sums */
    enum winograd_fault fault;
};

/* Returns a two-dimensional problem that the algorithm takes: a kernel of 3×3, stride and dilation 1. */
struct convolution_case winograd_case_any(struct philox *g, bool transposed, int64_t channels);

struct winograd_form winograd_form_any(int m, enum dtype dtype, struct philox *g);

/* Computes the result of a forward operator, or the gradient of its input, not rounded to its dtype. */
void winograd_form_run(struct winograd_form *form, const struct judged_case *c, double *got);

#endif

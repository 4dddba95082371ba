/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_FORMS_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_TEST_CONVOLUTION_FORMS_H

/* Convolutions and their gradients as legal programs compute them: in float32, or in float64 for operands of
 * that dtype. They use no code of the reference: convolution_case_each lists the terms of each sum. */

#include "reference/ops/convolution/test/convolution_case.h"

/* How the terms of one sum are added. */
enum convolution_scheme {
    SCHEME_RUNNING,  /* one after the other */
    SCHEME_BLOCKS,   /* sums of `size` terms, which are added one after the other */
    SCHEME_SPLIT,    /* `size` parts, whose sums are added in any order, as atomics do */
    SCHEME_PAIRWISE, /* halves */
    SCHEME_LANES,    /* `size` running sums, then halves */
    SCHEME_GEMM, /* the im2col product, explicit (c, k) or implicit (k, c): blocks with fma, padding too */
    SCHEMES
};

enum convolution_order {
    ORDER_CHANNELS, /* (c, k): all taps of a channel together; for gradients of weights and biases samples and
                       positions take the places of channels and taps */
    ORDER_TAPS,     /* (k, c) */
    ORDER_REVERSED,
    ORDER_ANY, /* a random permutation */
    ORDERS
};

struct convolution_form {
    enum convolution_scheme scheme;
    enum convolution_order order;
    int64_t size;
    bool fused;      /* products are not rounded before they are added */
    bool zeros;      /* terms in the padding, and zeros between elements, are added as well */
    bool bias_first; /* the sum begins with the bias, or it is added at the end */
    enum dtype wide; /* float32 or float64: the type of every intermediate */
    struct philox g; /* for permutations and the order of atomics */
};

/* Returns a random form for operands of the dtype. */
struct convolution_form convolution_form_any(enum dtype dtype, struct philox *g);

/* The terms of all sums of one result. The terms of element e are a[e·outer·inner + c·inner + k]·b[the same];
 * those that are not `there` are zeros. */
struct convolution_terms {
    int64_t elements, outer, inner;
    double *a, *b; /* b = NULL: the terms are elements, not products */
    bool *there;
};

/* Collects the terms of the sums on side `to` from the elements of all sides. Free them with
 * convolution_terms_clear. */
struct convolution_terms convolution_terms_of(const struct convolution_case *p, enum side to,
                                              double *const x[SIDES]);
/* Collects the terms of the sums of channels of a tensor with this shape. */
struct convolution_terms convolution_terms_of_channels(const struct shape *shape, const double *x);
void convolution_terms_clear(struct convolution_terms *terms);

/* Returns element e computed in this form, not yet rounded to the dtype of the result; bias = NULL: none. */
double convolution_form_element(struct convolution_form *form, const struct convolution_terms *terms,
                                int64_t e, const double *bias);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_WINOGRAD_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_WINOGRAD_H

/* Limits of convolutions that a profile declares to use Winograd's algorithm (winograd_tile.h). They depend
 * on the profile and on the operands, and the truth alone has the operands: the call gets the assumed
 * attribute `winograd`, the side of a tile of results, which the digest of a call contains and a request
 * omits. The truth of such a call stores the sensitivities of a sum of products and, after them, those listed
 * below.
 *
 * Two-dimensional convolutions with a kernel of 3×3, stride 1 and dilation 1 have it, and of their gradients
 * that of the input, which is such a convolution with the kernel flipped; likewise for transposed ones. A
 * gradient of weights has another form (results of 3×3 from kernels of m×m) and stays classical.
 *
 * A tile may begin at any position, and smaller tiles than the declared one are right, too: each limit is the
 * greatest over all tiles that hold the element. */

#include "reference/operator/op.h"
#include "reference/ops/product_sum/product_sum_bound.h"

enum {
    WINOGRAD_TILE = PRODUCT_SUM_SENSITIVITIES, /* m as declared */
    WINOGRAD_ROUNDINGS,                        /* κ */
    WINOGRAD_MAGNITUDE, /* W; infinite if a NaN or an infinity of the tile reaches the element */
    WINOGRAD_UNDERFLOW, /* η of underflow */
    WINOGRAD_GREATEST,  /* no intermediate is greater */
    WINOGRAD_SENSITIVITIES
};

/* The callbacks of struct op for convolutions. Each is that of sums of products where the call has no
 * attribute `winograd`. */
bool convolution_assumes(const struct op *op, const struct profile *profile,
                         const struct op_operands *operands, struct attribute *assumed);
bool convolution_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool convolution_enclose(const struct op_call *call, struct truth *truth, struct error *error);
int convolution_sensitivities(const struct op_call *call, int output);
double convolution_bound(const struct bound_query *query);
double convolution_primitive_error(const struct bound_query *query);
bool convolution_may_overflow(const struct bound_query *query);

#endif

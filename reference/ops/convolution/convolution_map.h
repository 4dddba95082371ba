/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_MAP_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_CONVOLUTION_MAP_H

/* The index maps of convolutions (reference/ops/product_sum/product_sum.h): which elements of X, Y and W are
 * multiplied for each element of a result. With the tensors of convolution_shape.h there are four:
 *
 *   CONVOLUTION_OF_X      Y = Σ over channels of X and taps: convolution, gradient of a transposed one's
 * input CONVOLUTION_OF_Y      X = Σ over channels of Y and the taps that meet the position: transposed
 *                         convolution, gradient of a convolution's input
 *   CONVOLUTION_OF_BOTH   W = Σ over batch and positions: gradients of weights
 *   CONVOLUTION_CHANNELS  sums of the channels of grad_output: gradients of biases */

#include "reference/ops/product_sum/product_sum.h"

extern const struct product_sum_map convolution_map;

#endif

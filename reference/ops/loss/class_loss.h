/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_CLASS_LOSS_H
#define ASSAY_REFERENCE_OPS_LOSS_CLASS_LOSS_H

/* Helpers of losses whose targets are class indices: nll_loss, its gradient, cross_entropy.
 *
 * Shapes: input [C], [N, C] or [N, C, d…]; target (int64) the same without C; weight [C] of the input's
 * dtype, or absent. A gradient takes grad_output first, in the shape of the loss. A target equal to
 * ignore_index (default −100) counts for nothing; any other target outside [0, C) is refused. */

#include "reference/operator/op.h"

/* Returns the number of classes and fills the shape without their dimension. */
int64_t class_loss_classes(const struct shape *input, struct shape *others);

/* The layout of an input: its samples, its classes, and the elements from one class to the next. */
struct class_loss_lay {
    int64_t samples, classes, inner;
};

struct class_loss_lay class_loss_lay(const struct shape *input);

/* Returns the element of the input for a class of a sample. */
static inline int64_t class_loss_element(const struct class_loss_lay *lay, int64_t sample, int64_t class)
{
    return (sample / lay->inner * lay->classes + class) * lay->inner + sample % lay->inner;
}

int64_t class_loss_target(const struct tensor *target, int64_t i);
int64_t class_loss_ignored(const struct attributes *attributes);

bool class_loss_signature(const struct op *op, const struct op_operands *operands,
                          struct op_signature *signature, struct error *reason);

#endif

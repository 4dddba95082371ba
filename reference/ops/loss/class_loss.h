/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_CLASS_LOSS_H
#define ASSAY_REFERENCE_OPS_LOSS_CLASS_LOSS_H

/* What losses whose targets name classes share: nll_loss, its gradient, cross_entropy.
 *
 * Shapes: input [C], [N, C] or [N, C, d…], target (int64) the same without C, weight [C] of the input's
 * dtype, or absent; a gradient's grad_output comes first, of the loss's shape. A target that is
 * ignore_index, −100 where it is not given, counts for nothing; any other one outside [0, C) is refused. */

#include "reference/operator/op.h"

/* How many classes there are, and the shape without their dimension. */
int64_t class_loss_classes(const struct shape *input, struct shape *others);

/* How an input lies: its samples, its classes, and so many elements behind a class. */
struct class_loss_lay {
    int64_t samples, classes, inner;
};

struct class_loss_lay class_loss_lay(const struct shape *input);

/* The element of the input that a class of a sample is. */
static inline int64_t class_loss_element(const struct class_loss_lay *lay, int64_t sample, int64_t class)
{
    return (sample / lay->inner * lay->classes + class) * lay->inner + sample % lay->inner;
}

int64_t class_loss_target(const struct tensor *target, int64_t i);
int64_t class_loss_ignored(const struct attributes *attributes);

bool class_loss_signature(const struct op *op, const struct op_operands *operands,
                          struct op_signature *signature, struct error *reason);

#endif

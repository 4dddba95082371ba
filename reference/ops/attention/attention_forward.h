/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_FORWARD_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_FORWARD_H

/* The truths of scaled_dot_product_attention: the callbacks `truth`, `enclose` and `certify` of struct op
 * (reference/operator/op.h). float64 has no enclosure in doubles that is narrow enough, so that `enclose`
 * certifies all elements of it. */

#include "reference/operator/op.h"

bool attention_forward_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool attention_forward_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool attention_forward_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                               struct error *error);

#endif

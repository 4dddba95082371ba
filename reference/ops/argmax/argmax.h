/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ARGMAX_ARGMAX_H
#define ASSAY_REFERENCE_OPS_ARGMAX_ARGMAX_H

#include "reference/operator/op.h"

/* True if the operator is argmin. */
bool argmax_picks_least(const struct op *op);

#endif

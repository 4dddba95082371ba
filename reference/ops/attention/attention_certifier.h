/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_CERTIFIER_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_CERTIFIER_H

/* The rows of probabilities that certifying elements of one gradient needs again and again. Each thread keeps
 * those of the call whose elements it certified last, with a copy of that call. */

#include "reference/ops/attention/attention_gradient_exact.h"

/* Returns the calling thread's rows for this call; those of another call are released. They stay its own.
 * Returns NULL when out of memory. */
struct attention_gradient_exact *attention_certifier(const struct op_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORM_NORM_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_NORM_NORM_ENVELOPE_H

/* The envelope of (Σ x^p)^(1/p) over n finite magnitudes x, the truth about y. `element` is its number. False
 * when out of memory. p = 0 and ±inf round nothing and leave the envelope undecided. */

#include "reference/operator/truth.h"

bool norm_envelope(const double *x, int64_t n, double p, enum dtype dtype, double y, int64_t element,
                   struct envelope *envelope);

#endif

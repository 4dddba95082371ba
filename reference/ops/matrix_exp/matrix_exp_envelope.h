/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_ENVELOPE_H

/* Computes the envelope of e^A for one finite n×n matrix, row-major, by Monte Carlo arithmetic. `value`: the
 * n² truths; `group`: the number of the envelope group, one for each matrix; rounding[i·stride]: the running
 * error bound of element i for the dtype's u (matrix_exp.c). False when out of memory. */

#include "reference/operator/truth.h"

bool matrix_exp_envelope(int n, const double *a, enum dtype dtype, const struct value *value, int64_t group,
                         const double *rounding, int stride, struct envelope *envelope);

#endif

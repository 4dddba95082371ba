/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_LARGE_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_LARGE_H

/* The numbers of reference/ops/determinant/determinant_envelope.h for large orders, by tiles; the same bits on every machine.
 * One inverse serves all forms: those of pivoted matrices are its permutations. */

#include "reference/ops/determinant/determinant_envelope.h"
#include "reference/ops/determinant/determinant_verified.h"

/* Of a matrix that is usable; proved or not. False when out of memory. */
bool determinant_envelope_large(const struct verified_determinant *v, struct determinant_envelope *envelope);

#endif

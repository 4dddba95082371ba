/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_LARGE_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_LARGE_H

/* determinant_envelope for large orders, by tiles, with bit-identical results for every isa. All forms use
 * the inverse X of `v`, because the inverses of the pivoted matrices are permutations of A⁻¹. */

#include "reference/ops/determinant/determinant_envelope.h"
#include "reference/ops/determinant/determinant_verified.h"

/* v->usable must be true; v->verified need not be. False when out of memory. */
bool determinant_envelope_large(const struct verified_determinant *v, struct determinant_envelope *envelope);

#endif

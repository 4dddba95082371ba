/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORM_INPUTS_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORM_INPUTS_H

/* The inputs of the bench of algebraic forms, of ten kinds: uniform, normal, log-uniform, near zero, near
 * kinks, tiny, huge, subnormal, special values, and numbers near one or near midpoints. */

#include "reference/base/philox.h"
#include "reference/ops/elementwise/test/forms.h"

enum { FORM_KINDS = 10 };

/* The operands of one element. Each is of this kind or normal, at least one is of this kind, and an operand
 * may lie beside the one before it. All are in the domains of the table and are numbers of the dtype. */
void form_draw(const struct forms *f, int operands, enum dtype dtype, int kind, struct philox *g, double *x);

#endif

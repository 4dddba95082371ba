/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ARITHMETIC_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ARITHMETIC_H

/* The rows of add, sub, mul, div, lerp, addcmul and addcdiv. Operators that write into an operand
 * (reference/ops/inplace/inplace.c) share them: truth, bound and acceptance of add_ are those of add. */

#include "reference/ops/elementwise/elementwise.h"

extern const struct elementwise arithmetic_add, arithmetic_sub, arithmetic_mul, arithmetic_div,
    arithmetic_lerp, arithmetic_addcmul, arithmetic_addcdiv;

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_MPFI_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_MPFI_H

/* One node of an expression in intervals of any precision, that of `out`. What is not told: [−inf, inf]. */

#include "reference/formula/expression_nodes.h"

#include <mpfi.h>

void enclose_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y);
void enclose_comparison(mpfi_ptr out, enum node_kind kind, mpfi_srcptr a, mpfi_srcptr b); /* 0, 1 or [0, 1] */
void enclose_sign_bit(mpfi_ptr out, mpfi_srcptr x);                                       /* so, too */
void enclose_least_or_most(mpfi_ptr out, bool most, mpfi_srcptr a, mpfi_srcptr b);
void enclose_select(mpfi_ptr out, mpfi_srcptr condition, mpfi_srcptr a, mpfi_srcptr b);
void enclose_function(mpfi_ptr out, enum node_kind kind, mpfi_srcptr x); /* of one argument */

#endif

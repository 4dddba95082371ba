/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_MPFI_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_MPFI_H

/* Evaluates one node of an expression in MPFI intervals at the precision of `out`. Where nothing is known,
 * `out` is [−inf, inf]. */

#include "reference/formula/expression_nodes.h"

#include <mpfi.h>

void enclose_pow(mpfi_ptr out, mpfi_srcptr x, mpfi_srcptr y);
void enclose_comparison(mpfi_ptr out, enum node_kind kind, mpfi_srcptr a, mpfi_srcptr b); /* 0, 1 or [0, 1] */
void enclose_sign_bit(mpfi_ptr out, mpfi_srcptr x);                                       /* 0, 1 or [0, 1] */
void enclose_least_or_most(mpfi_ptr out, bool most, mpfi_srcptr a, mpfi_srcptr b);
void enclose_select(mpfi_ptr out, mpfi_srcptr condition, mpfi_srcptr a, mpfi_srcptr b);
void enclose_function(mpfi_ptr out, enum node_kind kind, mpfi_srcptr x); /* functions of one argument */

#endif

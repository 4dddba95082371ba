/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORM_ARITHMETIC_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORM_ARITHMETIC_H

/* Formulas in the arithmetic of a floating dtype, each operation rounded to nearest: sums, products,
 * quotients and roots of narrower types by double, of which one more rounding changes nothing, functions by
 * the C library's double; functions of float64 by its long double. */

#include "reference/formula/expression_nodes.h"

/* x rounded to the dtype. */
double form_round(enum dtype dtype, double x);

/* The formula at one element: `input` holds its operands and attributes in the order of their names, numbers
 * of the dtype. `fused`: a product that one addition takes is not rounded by itself. Sets *left where an
 * intermediate of finite numbers is infinite. */
double form_evaluate(const struct expression *expression, enum dtype dtype, const double *input, bool fused,
                     bool *left);

#endif

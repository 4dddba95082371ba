/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FMA_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FMA_H

/* Exact sums of a double and a product of doubles. They are computed in doubles by error-free transformations
 * (Knuth's TwoSum, Dekker's product) where no operation leaves the range and a double-double holds the
 * result, else by MPFR. Both ways give the same struct value, that of value_from_mpfr: hi is the result
 * rounded to nearest, and lo the remainder rounded to nearest. */

#include "reference/numeric/double_double.h"
#include "reference/numeric/value.h"

/* Returns x + a·b. Where an operand is not finite or the product is zero, the result is that of double
 * arithmetic. */
struct value exact_fma(double x, double a, double b);

/* Sets *value = x + p, where p is a result of exact_product. Returns false where only MPFR can decide: where
 * the sum is 0, may leave the range, or needs more than a double-double to be rounded. */
bool exact_plus(double x, struct double_double p, struct value *value);

/* Sets *p = a·b. Returns false where the product is 0 or may not fit a double-double. */
bool exact_product(double a, double b, struct double_double *p);

/* Sets *p = a·b·c, where a·b must be a double. Returns false as exact_product does. */
bool exact_triple(double a, double b, double c, struct double_double *p);

/* Returns |p|, rounded up. */
double exact_magnitude(struct double_double p);

/* Sets *value = (n.hi + n.lo)/d, with the bits that value_from_mpfr gives for a quotient of unlimited
 * precision. n is a result of exact_plus. Returns false where only MPFR can decide. */
bool exact_quotient(struct value n, double d, struct value *value);

#endif

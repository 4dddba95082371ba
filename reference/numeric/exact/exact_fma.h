/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FMA_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_FMA_H

/* Sums of a double and a product of doubles, exactly: in doubles without error (Knuth's TwoSum, Dekker's
 * product) where no operation leaves the range and a pair holds what comes, else by MPFR. Both give the same
 * struct value, that of value_from_mpfr: hi and lo are the sum and what it leaves, rounded to nearest. */

#include "reference/numeric/double_double.h"
#include "reference/numeric/value.h"

/* x + a·b; as doubles where an operand is not finite or the product is zero. */
struct value exact_fma(double x, double a, double b);

/* *value = x + p. False where only MPFR can tell: where the sum is 0, or may leave the range, or where more
 * than a pair is needed to round it. p: as exact_product gives it. */
bool exact_plus(double x, struct double_double p, struct value *value);

/* *p = a·b, not 0. False where it is 0 or no pair holds it for certain. */
bool exact_product(double a, double b, struct double_double *p);

/* *p = a·b·c, where a·b is a double. False as for exact_product. */
bool exact_triple(double a, double b, double c, struct double_double *p);

/* |p|, rounded up. */
double exact_magnitude(struct double_double p);

/* *value = (n.hi + n.lo)/d, as value_from_mpfr gives it of a quotient of any number of bits. False where only
 * MPFR can tell. n: as exact_plus gives it. */
bool exact_quotient(struct value n, double d, struct value *value);

#endif

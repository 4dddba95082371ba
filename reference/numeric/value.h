/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_VALUE_H
#define ASSAY_REFERENCE_NUMERIC_VALUE_H

/* A value of a truth: a real number to at least 104 certified bits, an infinity or NaN. Also conversions from
 * and to doubles, MPFR and the bytes of a dtype. */

#include "reference/base/dtype.h"

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_class { VALUE_FINITE, VALUE_NAN, VALUE_POSITIVE_INFINITY, VALUE_NEGATIVE_INFINITY };

/* A real number is (hi + lo)·2^exponent to at least 104 certified bits, with |lo| ≤ ulp(hi)/2. exponent is 0
 * unless |value| lies outside [2^-900, 2^1000]. ±2^VALUE_FAR and ±2^-VALUE_FAR, which are far outside the
 * range of every dtype, stand for all numbers beyond them, some of which MPFR cannot represent. */
enum { VALUE_FAR = 1 << 20 };

struct value {
    double hi, lo;
    int32_t exponent;
    uint8_t class; /* enum value_class */
    bool payload;  /* for a NaN that is copied and not computed: its bits are the integer hi·2^32 + lo, and
                      every bit must be kept */
    bool special_input; /* elementwise operators: an operand of this element is NaN or infinite */
    bool open;  /* NaN and both infinities are right as well; which one results depends on the order of
                   legal operations */
    bool exact; /* (hi + lo)·2^exponent is the truth itself, not the midpoint of an enclosure */
    bool meets; /* the truth is an infinity that comes from an operand, and an intermediate of a legal
                   evaluation may turn it into NaN: NaN is right as well */
};

static inline bool value_is_infinite(const struct value *value)
{
    return value->class == VALUE_POSITIVE_INFINITY || value->class == VALUE_NEGATIVE_INFINITY;
}

struct value value_of(double x);                  /* exact */
struct value value_from_dd(double hi, double lo); /* the exact sum of a normalised double-double */
struct value value_from_mpfr(mpfr_srcptr x, bool exact);
struct value value_of_integer(int64_t x);                              /* exact */
struct value value_of_element(enum dtype component, const void *from); /* exact; keeps the payload of a NaN */
void value_to_mpfr(const struct value *value, mpfr_ptr x); /* exact if x has ≥ 160 bits of precision */

/* Returns the value as a double: hi, scaled by the exponent, ±infinity beyond the range of double, NaN for
 * NaN. */
double value_of_unusual(const struct value *value); /* value_approximately for NaN, infinities and values
                                                       with an exponent */
static inline double value_approximately(const struct value *value)
{
    return value->class == VALUE_FINITE && value->exponent == 0 ? value->hi : value_of_unusual(value);
}

/* Returns got − value to about double precision; both must be finite. */
double value_distance_scaled(const struct value *value, double got);
static inline double value_distance(const struct value *value, double got)
{
    return value->exponent == 0 ? (got - value->hi) - value->lo : value_distance_scaled(value, got);
}

/* Returns whether every number within `radius` of a finite value lies at or beyond twice the greatest number
 * of the dtype, so that only an infinity is near it. */
bool value_is_beyond(const struct value *value, double radius, enum dtype component);

/* rounds once, to nearest even; keeps a NaN payload */
void value_store(const struct value *value, enum dtype component, void *to);

/* Prints the value with so many decimal digits, e.g. "-1.386294361119890618834464242916e0"; integers below
 * 10^9 in full; "nan", "inf", "-0". */
void value_print(const struct value *value, int digits, char *text, size_t size);

#endif

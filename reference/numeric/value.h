/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_VALUE_H
#define ASSAY_REFERENCE_NUMERIC_VALUE_H

/* A number of a truth: a real one to at least 104 certified bits, an infinity or NaN. */

#include "reference/base/dtype.h"

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_class { VALUE_FINITE, VALUE_NAN, VALUE_POSITIVE_INFINITY, VALUE_NEGATIVE_INFINITY };

/* A real number to at least 104 certified bits: (hi + lo)·2^exponent, |lo| ≤ ulp(hi)/2. The sign of a zero is
 * hi's. exponent is 0 unless the value leaves float64's comfortable range (|value| outside [2^-900, 2^1000]).
 * ±2^VALUE_FAR and ±2^-VALUE_FAR, which no type comes near, stand for all that is farther: MPFR has no
 * exponents for some. */
enum { VALUE_FAR = 1 << 20 };

struct value {
    double hi, lo;
    int32_t exponent;
    uint8_t class; /* enum value_class */
    bool
        payload; /* a NaN that is moved, not computed: its bits are the integer hi·2^32 + lo, and all count */
    bool special_input; /* elementwise: a NaN or an infinity is among the operands */
    bool open; /* NaN and the infinities are right as well: which it is, the order of legal operations says */
    bool exact; /* (hi + lo)·2^exponent is the truth itself, not an enclosure's midpoint */
    bool meets; /* an infinity, of an operand, against which what is finite may overflow on the way: a NaN is
                   right as well */
};

static inline bool value_is_infinite(const struct value *value)
{
    return value->class == VALUE_POSITIVE_INFINITY || value->class == VALUE_NEGATIVE_INFINITY;
}

struct value value_of(double x);                    /* exact */
struct value value_from_dd(double hi, double lo); /* exact sum of a normalised pair */
struct value value_from_mpfr(mpfr_srcptr x, bool exact);
struct value value_of_integer(int64_t x);                              /* exact */
struct value value_of_element(enum dtype component, const void *from); /* exact, the payload of a NaN too */
void value_to_mpfr(const struct value *value, mpfr_ptr x); /* exact when x has ≥ 160 bits of precision */

/* Rounded to double, ±infinity beyond its range. */
double value_of_unusual(const struct value *value); /* what is special or has an exponent of its own */
static inline double value_approximately(const struct value *value)
{
    return value->class == VALUE_FINITE && value->exponent == 0 ? value->hi : value_of_unusual(value);
}

/* got − value, of finite ones of ordinary size. */
double value_distance_scaled(const struct value *value, double got);
static inline double value_distance(const struct value *value, double got)
{
    return value->exponent == 0 ? (got - value->hi) - value->lo : value_distance_scaled(value, got);
}

/* Whether all within this radius of a finite value lies beyond twice the greatest number of the dtype:
 * nothing but an infinity comes near. */
bool value_is_beyond(const struct value *value, double radius, enum dtype component);

void value_store(const struct value *value, enum dtype component, void *to); /* RN, once */

/* Decimal digits of a value, e.g. "-1.386294361119890618834464242916e0"; "nan", "inf", "-0". */
void value_print(const struct value *value, int digits, char *text, size_t size);

#endif

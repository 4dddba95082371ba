/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/value.h"

#include <math.h>
#include <stdio.h>

enum { PAIR_BITS = 160 };

struct value value_of(double x)
{
    struct value value = {.exact = true};
    if (isnan(x)) {
        value.class = VALUE_NAN;
    } else if (isinf(x)) {
        value.class = x > 0 ? VALUE_POSITIVE_INFINITY : VALUE_NEGATIVE_INFINITY;
    } else {
        value.hi = x;
    }
    return value;
}

struct value value_from_dd(double hi, double lo)
{
    struct value value = value_of(hi);
    if (value.class == VALUE_FINITE) {
        value.lo = lo;
    }
    return value;
}

struct value value_of_integer(int64_t x)
{
    double hi = (double)x; /* may be 2^63, which is no int64_t: the rest modulo 2^64 */
    uint64_t whole = hi >= 0x1p63 ? (uint64_t)1 << 63 : (uint64_t)(int64_t)hi;
    return value_from_dd(hi, (double)(int64_t)((uint64_t)x - whole));
}

struct value value_of_element(enum dtype component, const void *from)
{
    if (!dtype_is_floating(component)) {
        return value_of_integer(dtype_load_integer(component, from));
    }
    struct value value = value_of(dtype_load(component, from));
    if (value.class == VALUE_NAN) {
        uint64_t bits = dtype_bits(component, from);
        value.hi = (double)(bits >> 32);
        value.lo = (double)(bits & 0xFFFFFFFFU);
        value.payload = true;
    }
    return value;
}

struct value value_from_mpfr(mpfr_srcptr x, bool exact)
{
    if (!mpfr_regular_p(x)) {
        return value_of(mpfr_get_d(x, MPFR_RNDN));
    }
    struct value value = {.exact = exact};
    mpfr_exp_t e = mpfr_get_exp(x);
    mpfr_t scaled, rest;
    mpfr_init2(scaled, mpfr_get_prec(x));
    mpfr_init2(rest, mpfr_get_prec(x) + 64);
    mpfr_set(scaled, x, MPFR_RNDN);
    if (e < -900 || e > 1000) {
        value.exponent = (int32_t)e;
        mpfr_mul_2si(scaled, x, -e, MPFR_RNDN);
    }
    value.hi = mpfr_get_d(scaled, MPFR_RNDN);
    mpfr_sub_d(rest, scaled, value.hi, MPFR_RNDN);
    value.lo = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_sub_d(rest, rest, value.lo, MPFR_RNDN);
    value.exact = exact && mpfr_zero_p(rest);
    mpfr_clear(scaled);
    mpfr_clear(rest);
    return value;
}

void value_to_mpfr(const struct value *value, mpfr_ptr x)
{
    switch ((enum value_class)value->class) {
    case VALUE_NAN:
        mpfr_set_nan(x);
        return;
    case VALUE_POSITIVE_INFINITY:
        mpfr_set_inf(x, 1);
        return;
    case VALUE_NEGATIVE_INFINITY:
        mpfr_set_inf(x, -1);
        return;
    case VALUE_FINITE:
        mpfr_set_d(x, value->hi, MPFR_RNDN);
        if (value->lo != 0) { /* x + 0 would lose the sign of −0 */
            mpfr_add_d(x, x, value->lo, MPFR_RNDN);
        }
        mpfr_mul_2si(x, x, value->exponent, MPFR_RNDN);
    }
}

/* x·2^exponent: far exponents, of which there are many at the ends of a range, need no ldexp. */
static double scaled(double x, int32_t exponent)
{
    enum { FAR_OUT = 2200 }; /* farther than float64's numbers lie apart */
    bool far = exponent > FAR_OUT || exponent < -FAR_OUT;
    return far && x != 0 ? copysign(exponent > 0 ? INFINITY : 0, x) : ldexp(x, exponent);
}

double value_of_unusual(const struct value *value)
{
    switch ((enum value_class)value->class) {
    case VALUE_NAN:
        return NAN;
    case VALUE_POSITIVE_INFINITY:
        return INFINITY;
    case VALUE_NEGATIVE_INFINITY:
        return -INFINITY;
    default:
        return scaled(value->hi, value->exponent);
    }
}

double value_distance_scaled(const struct value *value, double got)
{
    return (got - scaled(value->hi, value->exponent)) - scaled(value->lo, value->exponent);
}

bool value_is_beyond(const struct value *value, double radius, enum dtype component)
{
    return value->class == VALUE_FINITE && dtype_is_floating(component) &&
           (isinf(radius) || fabs(value_approximately(value)) - radius >= 2 * dtype_max(component));
}

void value_store(const struct value *value, enum dtype component, void *to)
{
    if (value->payload) {
        dtype_store_bits(component, to, (uint64_t)value->hi << 32 | (uint64_t)value->lo);
    } else if (value->class != VALUE_FINITE) {
        dtype_store(component, to, value_approximately(value));
    } else if (value->exponent == 0) {
        dtype_store_dd(component, to, value->hi, value->lo);
    } else {
        mpfr_t x;
        mpfr_init2(x, PAIR_BITS);
        value_to_mpfr(value, x);
        dtype_store_mpfr(component, to, x);
        mpfr_clear(x);
    }
}

void value_print(const struct value *value, int digits, char *text, size_t size)
{
    if (value->class != VALUE_FINITE) {
        snprintf(text, size, "%s",
                 value->class == VALUE_NAN                 ? "nan"
                 : value->class == VALUE_POSITIVE_INFINITY ? "inf"
                                                           : "-inf");
        return;
    }
    mpfr_t x;
    mpfr_init2(x, PAIR_BITS);
    value_to_mpfr(value, x);
    if (mpfr_integer_p(x) && mpfr_cmpabs_ui(x, 1000000000UL) < 0) {
        mpfr_snprintf(text, size, "%.0RNf", x);
    } else {
        mpfr_snprintf(text, size, "%.*RNg", digits, x);
    }
    mpfr_clear(x);
}

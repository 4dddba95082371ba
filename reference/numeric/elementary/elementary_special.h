/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_SPECIAL_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_SPECIAL_H

/* The arguments that the loops of reference/numeric/elementary/elementary.h handle one element at a time:
 * special arguments, decided by table, and large angles. These functions exist once, for all isas. */

#include <stdbool.h>
#include <stdint.h>

struct enclosed {
    double value, radius; /* the guarantee is that of reference/numeric/elementary/elementary.h */
};

/* A value of this, with a radius of this, encloses a positive result that may be too small for a double. */
#define ELEMENTARY_BELOW 0x1p-1022

/* Each function returns f(x) for the arguments that its vector loop marks as special, and must not be called
 * for others. */
struct enclosed elementary_special_exp(double x);
struct enclosed elementary_special_tanh(double x);
struct enclosed elementary_special_erf(double x);
struct enclosed elementary_special_sin(double x);
struct enclosed elementary_special_cos(double x);
struct enclosed elementary_special_tan(double x);
struct enclosed elementary_special_atan(double x);
struct enclosed elementary_special_expm1(double x);
struct enclosed elementary_special_exp2(double x);
struct enclosed elementary_special_sigmoid(double x);
struct enclosed elementary_special_log1p(double x);
struct enclosed elementary_special_end_of_log(double x); /* for every base; not for subnormal x */
/* `exponent` is y·log |x| with relative error 2^-50 where |y| < 2^64, else the same with y cut to that size.
 * Its value does not matter where Annex F decides the result. */
struct enclosed elementary_special_pow(double x, double y, double exponent);

/* Returns whether the finite special arguments of this function are those whose result is too small or too
 * large for a double, as the sign of the argument decides. */
static inline bool elementary_ends_by_sign(struct enclosed (*special)(double x))
{
    return special == elementary_special_exp || special == elementary_special_exp2 ||
           special == elementary_special_sigmoid;
}

/* An angle x less a multiple of π/2, the nearest one or its neighbour: hi + lo with relative error below
 * 2^-70. elementary_large_angle requires a finite x with |x| ≥ 1. */
struct angle {
    double hi, lo;
    uint64_t quadrant; /* the multiple, modulo 4 */
};
struct angle elementary_large_angle(double x);

#endif

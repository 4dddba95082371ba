/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_SPECIAL_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_SPECIAL_H

/* What the loops of reference/numeric/elementary/elementary.h leave to one element at a time: special arguments, decided by
 * table, and large angles. One copy for all machines. */

#include <stdbool.h>
#include <stdint.h>

struct enclosed {
    double value, radius; /* as reference/numeric/elementary/elementary.h says */
};

/* Within this of this lies what is positive and too small for doubles. */
#define ELEMENTARY_BELOW 0x1p-1022

/* Of arguments that are special to each function, which its loops name. */
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
struct enclosed elementary_special_end_of_log(double x); /* of whatever base: not of subnormal numbers */
/* exponent: y·log |x|, to 2^-50 of it where |y| < 2^64, else so of y cut to that; any for what Annex F
 * decides. */
struct enclosed elementary_special_pow(double x, double y, double exponent);

/* Whether a finite argument that is special is one whose result is too small for doubles, or too great: by
 * its sign. */
static inline bool elementary_ends_by_sign(struct enclosed (*special)(double x))
{
    return special == elementary_special_exp || special == elementary_special_exp2 ||
           special == elementary_special_sigmoid;
}

/* x less the multiple of π/2 that is nearest, or next to it: hi + lo, wrong by less than 2^-70 of it; |x| ≥
 * 1, finite. */
struct angle {
    double hi, lo;
    uint64_t quadrant; /* that multiple, modulo 4 */
};
struct angle elementary_large_angle(double x);

#endif

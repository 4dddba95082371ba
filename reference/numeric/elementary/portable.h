/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_PORTABLE_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_PORTABLE_H

/* Functions of one double that give the same bits with every C library. Inputs, bounds and verdicts use them,
 * because the last bit of libm's log2, hypot, exp or tan differs between C libraries (.ci/libm refuses those
 * calls). Loops over many numbers should call reference/numeric/elementary/elementary.h directly.
 *
 * portable_exp … portable_tan return the value of elementary_…, with its relative error (2^-51 or 2^-50). At
 * the ends of the range they return its value too: 2^-1022 where exp is far below 2^-1022, and exactly 0 for
 * exp(−∞). Pure functions; any number of threads may call them. */

#include "reference/numeric/elementary/elementary.h"

#include <math.h>

#define PORTABLE_DEFINE(name, error)                                                                         \
    static inline double portable_##name(double x)                                                           \
    {                                                                                                        \
        double value, radius;                                                                                \
        elementary_##name(&x, &value, &radius, 1);                                                           \
        return value;                                                                                        \
    }
ELEMENTARY_FUNCTIONS(PORTABLE_DEFINE)

/* Returns an upper bound of f(x), where `f` is a function of reference/numeric/elementary/elementary.h and
 * f(x) ≥ 0. value + radius is one but for the rounding of that sum, which the factor 1 + 2^-40 covers. */
static inline double portable_above(void (*f)(const double *x, double *value, double *radius, size_t count),
                                    double x)
{
    double value, radius;
    f(&x, &value, &radius, 1);
    return (value + radius) * (1 + 0x1p-40);
}

/* Returns an upper bound of log2 x for x ≥ 0; −infinity at 0, NaN for NaN. The radius is at most 2^-50 of the
 * value, and the next double up covers the rounding of the sum. */
static inline double portable_log2_above(double x)
{
    double value, radius;
    elementary_log2(&x, &value, &radius, 1);
    return isinf(value) ? value : radius == 0 ? value : nextafter(value + radius, INFINITY);
}

/* Returns ⌈log2 x⌉ exactly, for finite x > 0. */
static inline int portable_log2_ceiling(double x)
{
    int exponent;
    return frexp(x, &exponent) == 0.5 ? exponent - 1 : exponent;
}

/* Returns ⌊log2 x⌋ exactly, for finite x > 0. */
static inline int portable_log2_floor(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

/* Returns x to the power of n ≥ 0 by n products, each of which rounds once. */
static inline double portable_power(double x, int n)
{
    double power = 1;
    for (int k = 0; k < n; k++) {
        power *= x;
    }
    return power;
}

/* Returns √(x² + y²), with the special cases of Annex F's hypot. The relative error is at most 2u (u = 2^-53)
 * where the result is normal: the squares and their sum err by 2u together, which the root halves before it
 * rounds. Scaling by powers of two keeps the squares in range. Exact where x or y is 0. */
static inline double portable_hypot(double x, double y)
{
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (isinf(a) || isnan(x) || isnan(y)) {
        return isinf(x) || isinf(y) ? INFINITY : NAN;
    }
    if (b == 0) {
        return a;
    }
    double scale = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
    a *= scale;
    b *= scale;
    return sqrt(a * a + b * b) / scale;
}

#endif

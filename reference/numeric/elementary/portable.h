/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_PORTABLE_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_PORTABLE_H

/* Functions of one double that give the same bits with every C library, for what makes inputs, bounds and
 * verdicts. The last bit of libm's log2, hypot, exp or tan differs between C libraries; .ci/libm refuses them
 * here. Loops over many numbers call reference/numeric/elementary/elementary.h directly.
 *
 * portable_exp … portable_tan return the value of elementary_…, with its relative error (2^-51 or 2^-50) and
 * its ends: of an exp far below 2^-1022 they return 2^-1022, of exp(−∞) exactly 0. Pure functions, any number
 * of threads. */

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

/* No less than f(x), where `f` is a function of reference/numeric/elementary/elementary.h and f(x) ≥ 0: value + radius is, but
 * for the rounding of the sum, which 2^-40 exceeds. */
static inline double portable_above(void (*f)(const double *x, double *value, double *radius, size_t count),
                                    double x)
{
    double value, radius;
    f(&x, &value, &radius, 1);
    return (value + radius) * (1 + 0x1p-40);
}

/* No less than log2 of x ≥ 0, of either sign; −infinity of 0, NaN of NaN. The radius is at most 2^-50 of the
 * value, and one unit more covers the rounding of the sum. */
static inline double portable_log2_above(double x)
{
    double value, radius;
    elementary_log2(&x, &value, &radius, 1);
    return isinf(value) ? value : radius == 0 ? value : nextafter(value + radius, INFINITY);
}

/* ⌈log2 x⌉ of a finite x > 0, exactly. */
static inline int portable_log2_ceiling(double x)
{
    int exponent;
    return frexp(x, &exponent) == 0.5 ? exponent - 1 : exponent;
}

/* ⌊log2 x⌋ of a finite x > 0, exactly. */
static inline int portable_log2_floor(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

/* x to the power of n ≥ 0 by n products: each rounds once. */
static inline double portable_power(double x, int n)
{
    double power = 1;
    for (int k = 0; k < n; k++) {
        power *= x;
    }
    return power;
}

/* √(x² + y²) as Annex F's hypot. The squares and their sum err by 2u together, which the root halves before it
 * rounds: at most 2u of the result (u = 2^-53), where that is normal. Squares neither overflow nor vanish:
 * large numbers and small ones are scaled by powers of two; exact where x or y is 0. */
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

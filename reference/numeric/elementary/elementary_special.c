/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results for special arguments, as Annex F of C11 defines them. */

#include "reference/numeric/elementary/elementary_special.h"
#include "reference/numeric/elementary/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const struct enclosed not_known = {NAN, INFINITY};

static struct enclosed exactly(double value)
{
    return (struct enclosed){value, 0};
}

/* Encloses (0, 2^-1021], with a sign. */
static struct enclosed below(double sign)
{
    return (struct enclosed){copysign(ELEMENTARY_BELOW, sign), ELEMENTARY_BELOW};
}

/* A finite result beyond 2^1022, with a sign. */
static struct enclosed beyond(double sign)
{
    return (struct enclosed){copysign(INFINITY, sign), INFINITY};
}

struct enclosed elementary_special_exp(double x)
{
    if (isnan(x) || x == INFINITY) {
        return exactly(x);
    }
    return x == -INFINITY ? exactly(0) : x < 0 ? below(1) : beyond(1);
}

struct enclosed elementary_special_end_of_log(double x)
{
    if (isnan(x) || x == INFINITY) {
        return exactly(x);
    }
    return x == 0 ? exactly(-INFINITY) : x < 0 ? exactly(NAN) : not_known;
}

/* Returns f(x) of an odd function for |x| below 2^-500, infinite or NaN. Small arguments give the slope times
 * x, within 2^-1000 relative. */
static struct enclosed odd(double x, double at_infinity, double slope, double error)
{
    if (isnan(x) || x == 0) {
        return exactly(x);
    }
    if (fabs(x) < 0x1p-1022) { /* half a last place of the product, and much smaller errors */
        return (struct enclosed){slope * x, 0x1p-1074};
    }
    double lost = fabs(x) < 0x1p-900 ? 0x1p-1073 : 0; /* covers the underflow of the radius and of the
                                                         product */
    return isinf(x) ? exactly(copysign(at_infinity, x))
                    : (struct enclosed){slope * x, error * fabs(slope * x) + lost};
}

struct enclosed elementary_special_tanh(double x)
{
    return odd(x, 1, 1, ELEMENTARY_TANH_ERROR);
}

struct enclosed elementary_special_erf(double x)
{
    return odd(x, 1, M_2_SQRTPI, ELEMENTARY_ERF_ERROR);
}

struct enclosed elementary_special_sin(double x)
{
    return isinf(x) ? exactly(NAN) : odd(x, 0, 1, ELEMENTARY_SIN_ERROR);
}

struct enclosed elementary_special_cos(double x)
{
    return exactly(isinf(x) ? NAN : x);
}

struct enclosed elementary_special_tan(double x)
{
    return isinf(x) ? exactly(NAN) : odd(x, 0, 1, ELEMENTARY_TAN_ERROR);
}

/* The vector loop handles infinities itself: their result π/2 is no double and needs a radius. */
struct enclosed elementary_special_atan(double x)
{
    return odd(x, NAN, 1, ELEMENTARY_ATAN_ERROR);
}

struct enclosed elementary_special_expm1(double x)
{
    return x == -INFINITY ? exactly(-1)
           : fabs(x) < 1  ? odd(x, 0, 1, ELEMENTARY_EXPM1_ERROR)
                          : elementary_special_exp(x);
}

struct enclosed elementary_special_exp2(double x)
{
    return elementary_special_exp(x);
}

struct enclosed elementary_special_sigmoid(double x)
{
    return x == INFINITY ? exactly(1) : elementary_special_exp(x);
}

struct enclosed elementary_special_log1p(double x)
{
    return fabs(x) < 1 ? odd(x, 0, 1, ELEMENTARY_LOG1P_ERROR)
           : x == -1   ? exactly(-INFINITY)
                       : elementary_special_end_of_log(x);
}

static bool is_integer(double y)
{
    return rint(y) == y;
}

static bool is_odd(double y)
{
    return is_integer(y) && !is_integer(y / 2);
}

/* Returns pow for a base that is 0 or infinite and an exponent that is neither 0 nor NaN. */
static struct enclosed power_of_end(double x, double y)
{
    double size = (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
    return exactly(signbit(x) && is_odd(y) ? -size : size);
}

struct enclosed elementary_special_pow(double x, double y, double exponent)
{
    double size = fabs(x);
    if (y == 0 || x == 1) {
        return exactly(1);
    }
    if (isnan(x) || isnan(y)) {
        return exactly(NAN);
    }
    if (isinf(y)) {
        return exactly(size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0);
    }
    if (x == 0 || isinf(x)) {
        return power_of_end(x, y);
    }
    if (x < 0 && !is_integer(y)) {
        return exactly(NAN);
    }
    double sign = x < 0 && is_odd(y) ? -1 : 1;
    if (size == 1) {
        return exactly(sign);
    }
    if (size < DBL_MIN) {
        return not_known;
    }
    return exponent < -708 ? below(sign) : exponent > 709 ? beyond(sign) : not_known;
}

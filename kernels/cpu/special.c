/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/special.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* Five steps of Newton's method on erf, or, beyond 1/2, on erfc of the exact complement 1 − x, from S.
 * Winitzki's approximation. */
long double cpu_erfinv(long double x)
{
    long double size = fabsl(x), rest = 1 - size, y = size * sqrtl(pi) / 2;
    if (!(size < 1) || size < 1e-12L) { /* the next term, of relative size x²·π/12, is lost */
        return isnan(x)    ? x
               : size == 1 ? copysignl(INFINITY, x)
               : size > 1  ? (long double)NAN
                           : copysignl(y, x);
    }
    if (size > 0.05L) {
        long double l = logl(rest * (2 - rest)), half = 2 / (pi * 0.147L) + l / 2;
        y = sqrtl(sqrtl(half * half - l / 0.147L) - half);
    }
    for (int k = 0; k < 5; k++) {
        long double f = size > 0.5L ? rest - erfcl(y) : erfl(y) - size;
        y -= f * expl(y * y) * sqrtl(pi) / 2;
    }
    return copysignl(y, x);
}

/* Shifts x to 20 or beyond, then sums Stirling's series. Negative x are reflected, with cot(πx) computed from
 * the exact remainder of x. */
long double cpu_digamma(long double x)
{
    static const long double bernoulli[] = {1.0L / 12,  -1.0L / 120,     1.0L / 252, -1.0L / 240,
                                            1.0L / 132, -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160};
    if (x == 0 || isinf(x) || isnan(x)) {
        return x == 0 ? -copysignl(INFINITY, x) : x > 0 ? x : (long double)NAN;
    }
    if (x < 0) {
        long double rest = x - rintl(x);
        return rest == 0 ? (long double)NAN : cpu_digamma(1 - x) - pi / tanl(pi * rest);
    }
    long double sum = 0, power = 1;
    for (; x < 20; x += 1) {
        sum -= 1 / x;
    }
    sum += logl(x) - 1 / (2 * x);
    for (int k = 0; k < 8; k++) {
        power /= x * x;
        sum -= bernoulli[k] * power;
    }
    return sum;
}

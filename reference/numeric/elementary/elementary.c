/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/elementary/elementary_special.h"
#include "reference/numeric/elementary/elementary_tables.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define UNROLL _Pragma("GCC unroll 16")
#define INLINE static inline __attribute__((always_inline))

#define LOOP(name, error) void (*name)(const double *x, double *value, double *radius, size_t count);
struct loops {
    ELEMENTARY_FUNCTIONS(LOOP)
    void (*pow)(const double *x, const double *y, double *value, double *radius, size_t count);
};

/* --- coefficients, each rounded once; docs/explanation/elementary-functions.md bounds the truncation errors
 */

/* (exp r − 1 − r)/r² = 1/2! + r/3! + … + r^11/13! */
static const double exp_series[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                    1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                    1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};

/* artanh(s)/s − 1 = z·(1/3 + z/5 + … + z^9/21), z = s² */
static const double artanh_series[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                       1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};

/* (sin r − r)/r³ = −1/3! + z/5! − … + z^7/17!, z = r² */
static const double sin_series[] = {
    -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
    -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};

/* (cos r − 1 + r²/2)/r⁴ = 1/4! − z/6! + … + z^6/16! */
static const double cos_series[] = {1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
                                    1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};

/* (log(1 + f) − f + f²/2)/f³ = 1/3 − f/4 + … + f^6/9 */
static const double log_series[] = {1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9};

/* (atan w − w)/w³ = −1/3 + z/5 − z²/7, z = w² */
static const double atan_series[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7};

static struct enclosed elementary_special_erfc(double x); /* defined below, because it calls exp */
static struct enclosed elementary_special_log(double x);  /* defined below, because it calls itself */
static struct enclosed elementary_special_log2(double x);
static struct enclosed elementary_special_log10(double x);

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define ANY(m) (((m)[0] | (m)[1]) != 0)
#include "reference/numeric/elementary/elementary_body.inc"

/* Returns the logarithm of a subnormal x as that of x·2^54 less that of 2^54. The errors of the logarithm,
 * the constant and the difference are together at most 1.3·2^-51 of the result. */
static struct enclosed special_logarithm(double x, double of_scale,
                                         void (*of)(const double *, double *, double *, size_t))
{
    double scaled = x * 0x1p54, value, radius;
    if (!(x > 0 && x < DBL_MIN)) {
        return elementary_special_end_of_log(x);
    }
    of(&scaled, &value, &radius, 1);
    value -= of_scale;
    return (struct enclosed){value, -0x1p-50 * value};
}

static struct enclosed elementary_special_log(double x)
{
    return special_logarithm(x, 54 * M_LN2, log_plain);
}

static struct enclosed elementary_special_log2(double x)
{
    return special_logarithm(x, 54, log2_plain);
}

static struct enclosed elementary_special_log10(double x)
{
    return special_logarithm(x, 54 * (M_LN2 / M_LN10), log10_plain);
}

/* Returns erfc x for large x: exp(−x²)/(x·√π)·(1 − t + 3t² − 15t³ + …), t = 1/(2x²). A partial sum errs by
 * less than the next term (DLMF 7.12(i)): (19!!)·t^10 ≤ 2^-49.9 from 11 on. With ε = 2^-53, exp contributes
 * 8.6 ε, the sum 2 ε (its inner terms count 1/242), the products and √π 5 ε. Beyond √690 erfc is below
 * 2^-1000. */
static struct enclosed elementary_special_erfc(double x)
{
    double square = x * x, rest = fma(x, x, -square), argument = -square, density, radius, sum = 1;
    if (isnan(x) || isinf(x)) {
        return (struct enclosed){isnan(x) ? x : x < 0 ? 2 : 0, 0};
    }
    if (square > 690) {
        return (struct enclosed){0x1p-1001, 0x1p-1001};
    }
    for (int odd = 17; odd >= 1; odd -= 2) {
        sum = 1 - sum * odd / (2 * square);
    }
    exp_plain(&argument, &density, &radius, 1); /* all isas give the same bits */
    double value = (density - density * rest) * sum * (M_2_SQRTPI / 2) / x;
    return (struct enclosed){value, value * ELEMENTARY_ERFC_FAR};
}

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH   4
#define NAME(x) x##_avx2
#define TARGET  __attribute__((target("avx2")))
#define ANY(m)  (_mm256_movemask_pd((__m256d)(m)) != 0)
#include "reference/numeric/elementary/elementary_body.inc"

#define WIDTH   8
#define NAME(x) x##_avx512
#define TARGET  __attribute__((target("avx512f")))
#define ANY(m)  (_mm512_test_epi64_mask((__m512i)(m), (__m512i)(m)) != 0)
#include "reference/numeric/elementary/elementary_body.inc"

#define ISAS ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool elementary_force(int isa)
{
    return force_loops(isa);
}

#define DEFINE(name, error)                                                                                  \
    void elementary_##name(const double *x, double *value, double *radius, size_t count)                     \
    {                                                                                                        \
        loops_here()->name(x, value, radius, count);                                                         \
    }
ELEMENTARY_FUNCTIONS(DEFINE)

void elementary_pow(const double *x, const double *y, double *value, double *radius, size_t count)
{
    loops_here()->pow(x, y, value, radius, count);
}

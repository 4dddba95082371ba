/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_TEST_ELEMENTARY_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_TEST_ELEMENTARY_H

/* Shared by the tests of reference/numeric/elementary/elementary.h: inputs at which its methods change or are
 * weakest, and a check of each result against MPFR. */

#include "reference/numeric/elementary/elementary.h"
#include "reference/test/support.h"

#include <float.h>

enum { ELEMENTARY_BATCH = 4096, ELEMENTARY_BITS = 200 };

typedef void elementary_function(const double *x, double *value, double *radius, size_t count);
typedef int mpfr_function(mpfr_ptr value, mpfr_srcptr x, mpfr_rnd_t rounding);

static inline int mpfr_sigmoid(mpfr_ptr value, mpfr_srcptr x, mpfr_rnd_t rounding)
{
    mpfr_neg(value, x, rounding);
    mpfr_exp(value, value, rounding);
    mpfr_add_ui(value, value, 1, rounding);
    mpfr_ui_div(value, 1, value, rounding);
    return 1;
}

#define ELEMENTARY_ROW(name_, error_) {#name_, elementary_##name_, mpfr_##name_, error_},
static const struct elementary_row {
    const char *name;
    elementary_function *function;
    mpfr_function *truth;
    double error;
} elementary_rows[] = {ELEMENTARY_FUNCTIONS(ELEMENTARY_ROW)};
enum { ELEMENTARY_ROWS = sizeof elementary_rows / sizeof *elementary_rows };

/* ANY, ANY_FLOAT: patterns of bits; SIZED, SIZED_FLOAT: magnitudes 2^-13 to 2^10; NEAR_ONE: 1 ± 2^-k;
 * THRESHOLDS: within three doubles of where a method changes; QUARTERS: multiples of π/2, rounded. */
enum elementary_kind { ANY, ANY_FLOAT, SIZED, SIZED_FLOAT, NEAR_ONE, THRESHOLDS, QUARTERS, ELEMENTARY_KINDS };

static inline double elementary_any_sign(struct philox *g, double x)
{
    return philox_next(g) & 1 ? -x : x;
}

/* On [1, 2), with all 53 bits. */
static inline double elementary_mantissa(struct philox *g)
{
    uint64_t bits = philox_next64(g) >> 12 | 0x3ff0000000000000;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double elementary_threshold(struct philox *g)
{
    static const double fixed[] = {1, 0x1p-500, 22, 6, 40, 708, 709, 1021, 1022, 0x1p20, 0x1p52, DBL_MIN};
    double n = philox_below(g, 1024), x = 0;
    switch (philox_below(g, 4)) {
    case 0:
        x = fixed[philox_below(g, sizeof fixed / sizeof *fixed)];
        break;
    case 1: /* halfway between multiples of log 2 */
        x = (n + 0.5) * M_LN2;
        break;
    case 2: /* where the mantissa is √½ */
        x = ldexp(M_SQRT1_2, (int)n - 512);
        break;
    default: /* halfway between rows of the tables, and on them */
        x = n / 128;
    }
    for (int k = (int)philox_below(g, 7) - 3; k != 0; k -= k < 0 ? -1 : 1) {
        x = nextafter(x, k < 0 ? 0 : INFINITY);
    }
    return elementary_any_sign(g, x);
}

static inline double elementary_input(struct philox *g, enum elementary_kind kind)
{
    uint64_t bits = philox_next64(g);
    uint32_t few = (uint32_t)bits;
    double x;
    float y;
    switch (kind) {
    case ANY:
        memcpy(&x, &bits, sizeof x);
        return x;
    case ANY_FLOAT:
        memcpy(&y, &few, sizeof y);
        return (double)y;
    case NEAR_ONE:
        x = elementary_any_sign(g, ldexp(elementary_mantissa(g), -1 - (int)philox_below(g, 52)));
        return elementary_any_sign(g, 1 + x);
    case THRESHOLDS:
        return elementary_threshold(g);
    case QUARTERS:
        return elementary_any_sign(g, (double)(bits >> philox_below(g, 64)) * M_PI_2);
    default:
        x = elementary_any_sign(g, ldexp(elementary_mantissa(g), (int)philox_below(g, 23) - 13));
        return kind == SIZED ? x : (double)(float)x;
    }
}

/* What a result says; fails where MPFR says otherwise. */
enum elementary_says { KNOWN, EXACT, BELOW, BEYOND, NOT_KNOWN };

struct elementary_claim {
    const char *name;
    double x, y, value, radius, error;
};

static inline enum elementary_says elementary_hold(const struct elementary_claim *c, mpfr_srcptr truth)
{
    double v = c->value, r = c->radius;
    mpfr_t rest;
    bool good = false;
    enum elementary_says says = KNOWN;
    mpfr_init2(rest, ELEMENTARY_BITS);
    mpfr_sub_d(rest, truth, v, MPFR_RNDA);
    mpfr_abs(rest, rest, MPFR_RNDA);
    if (r == 0) {
        says = EXACT;
        good = isnan(v) ? mpfr_nan_p(truth) != 0
                        : mpfr_cmp_d(truth, v) == 0 && (v != 0 || mpfr_signbit(truth) == signbit(v));
    } else if (isnan(v)) {
        says = NOT_KNOWN;
        good = r == INFINITY;
    } else if (isinf(v)) {
        says = BEYOND;
        good = r == INFINITY && (v > 0 ? mpfr_cmp_d(truth, 0x1p1022) > 0 : mpfr_cmp_d(truth, -0x1p1022) < 0);
    } else {
        bool log = strncmp(c->name, "log", 3) == 0 && strcmp(c->name, "log1p") != 0;
        bool subnormal =
            fabs(c->x) < DBL_MIN && strcmp(c->name, "pow") != 0 && (log || fabs(v) < 2 * DBL_MIN);
        says = r == fabs(v) && !subnormal ? BELOW : KNOWN;
        bool far = strcmp(c->name, "erfc") == 0 && c->x > 11, small = fabs(v) < 0x1p-890;
        double most = (far ? ELEMENTARY_ERFC_FAR : c->error) * fabs(v);
        good = mpfr_cmp_d(rest, r) <= 0 &&
               (subnormal       ? r == (log ? 0x1p-50 * fabs(v) : 0x1p-1074)
                : says == BELOW ? r == 0x1p-1022 || (far && r == 0x1p-1001)
                                : r == most || (small && fabs(c->x) < 0x1p-900 && r == most + 0x1p-1073));
    }
    mpfr_clear(rest);
    cr_assert(good, "%s %a %a: not %a within %a", c->name, c->x, c->y, v, r);
    return says;
}

#endif

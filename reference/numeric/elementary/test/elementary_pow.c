/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests pow in double against MPFR at 200 bits. Inputs are chosen by the exponent of the result, because
 * nearly all random pairs overflow, vanish or give NaN. */

#include "reference/numeric/elementary/test/elementary.h"

/* x^y is about 2^e with e uniform on (−1100, 1100); x has either sign where y is an integer. */
static void dd_of(struct philox *g, int i, double *x, double *y)
{
    *x = elementary_input(g, (enum elementary_kind)(i % ELEMENTARY_KINDS));
    if (i % 5 == 0) {
        *y = elementary_input(g, (enum elementary_kind)(i / 5 % ELEMENTARY_KINDS));
        return;
    }
    double size = log2(fabs(*x)), e = 1100 * philox_signed(g) * (i % 5 == 1 ? 0x1p-9 : 1);
    *y = isfinite(size) && size != 0 ? e / size : e;
    if (i % 5 == 2) {
        *y = (double)(float)*y;
    } else if (i % 5 == 3) {
        *y = rint(*y);
    } else {
        *x = fabs(*x);
    }
}

static void hold_all(const double *x, const double *y, int64_t said[5])
{
    double value[ELEMENTARY_BATCH], radius[ELEMENTARY_BATCH];
    mpfr_t base, power, truth;
    mpfr_inits2(ELEMENTARY_BITS, base, power, truth, (mpfr_ptr)0);
    elementary_pow(x, y, value, radius, ELEMENTARY_BATCH);
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        mpfr_set_d(base, x[i], MPFR_RNDN);
        mpfr_set_d(power, y[i], MPFR_RNDN);
        mpfr_pow(truth, base, power, MPFR_RNDN);
        struct elementary_claim claim = {"pow", x[i], y[i], value[i], radius[i], ELEMENTARY_POW_ERROR};
        enum elementary_says says = elementary_hold(&claim, truth);
        cr_assert(says != NOT_KNOWN || fabs(x[i]) < DBL_MIN ||
                      (x[i] < 0 && fabs(y[i]) >= 0x1p52 && x[i] != (double)(float)x[i]),
                  "%a to the power of %a is unknown", x[i], y[i]);
        said[says]++;
    }
    mpfr_clears(base, power, truth, (mpfr_ptr)0);
}

static void hold_random(int64_t least)
{
    double x[ELEMENTARY_BATCH], y[ELEMENTARY_BATCH];
    int64_t said[5] = {0}, batches = 0;
    struct philox g;
    philox_start(&g, 14);
    for (; said[KNOWN] < least; batches++) {
        for (int i = 0; i < ELEMENTARY_BATCH; i++) {
            dd_of(&g, i, &x[i], &y[i]);
        }
        hold_all(x, y, said);
    }
    cr_assert_lt(batches * ELEMENTARY_BATCH, 4 * least);
    cr_assert(said[EXACT] > 0 && said[BELOW] > 0 && said[BEYOND] > 0);
    mpfr_free_cache();
}

Test(elementary, pow_is_within_its_radius)
{
    hold_random(40000);
}

Test(elementary_slow, pow_is_within_its_radius_takes_seconds, .timeout = 600)
{
    hold_random(1000000);
}

/* Mantissas on each row of the table of logarithms, and next to where rows meet, far up and down. */
Test(elementary, pow_on_each_row_of_logarithms)
{
    double x[ELEMENTARY_BATCH], y[ELEMENTARY_BATCH];
    int64_t said[5] = {0};
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        x[i] = (180 + i / 4 % 186) / 256.0 + (i % 256 + 1) * 0x1p-40;
        y[i] = (i % 4 < 2 ? 700 : -700) / log(x[i]);
        x[i] *= i % 2 ? 1 : 1 + 0x1p-10;
    }
    hold_all(x, y, said);
    cr_assert_gt(said[KNOWN], ELEMENTARY_BATCH / 2);
}

/* Every float16 and every bfloat16, to the power of some. */
Test(elementary, pow_of_sixteen_bits_takes_seconds, .timeout = 120)
{
    const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16};
    const double powers[] = {0.5, -0.5, 2, 3, -7, 0.333984375, -1.3984375, 12.0625};
    double x[ELEMENTARY_BATCH], y[ELEMENTARY_BATCH];
    int64_t said[5] = {0};
    for (int block = 0; block < 8 * 2 * 65536 / ELEMENTARY_BATCH; block++) {
        for (int i = 0; i < ELEMENTARY_BATCH; i++) {
            int number = block * ELEMENTARY_BATCH + i;
            const uint16_t bits[4] = {(uint16_t)number};
            x[i] = dtype_load(dtypes[number >> 16 & 1], bits);
            y[i] = powers[number >> 17];
        }
        hold_all(x, y, said);
    }
    cr_assert_eq(said[NOT_KNOWN], 0);
    mpfr_free_cache();
}

Test(elementary, arb_says_the_same_of_pow)
{
    double x[ELEMENTARY_BATCH], y[ELEMENTARY_BATCH], value[ELEMENTARY_BATCH], radius[ELEMENTARY_BATCH];
    struct philox g;
    arb_t base, power, rest;
    mag_t most;
    int held = 0;
    arb_init(base);
    arb_init(power);
    arb_init(rest);
    mag_init(most);
    philox_start(&g, 16);
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        dd_of(&g, i, &x[i], &y[i]);
        x[i] = fabs(x[i]);
    }
    elementary_pow(x, y, value, radius, ELEMENTARY_BATCH);
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        if (radius[i] > 0x1p-900 && !isinf(radius[i])) { /* a mag_t has its own doubles */
            arb_set_d(base, x[i]);
            arb_set_d(power, y[i]);
            arb_pow(power, base, power, 2 * ELEMENTARY_BITS);
            arb_set_d(rest, value[i]);
            arb_sub(rest, power, rest, ELEMENTARY_BITS);
            arb_get_mag(most, rest);
            cr_assert_leq(mag_get_d(most), radius[i] * (1 + 0x1p-20), "%a to the power of %a", x[i], y[i]);
            held++;
        }
    }
    arb_clear(base);
    arb_clear(power);
    arb_clear(rest);
    mag_clear(most);
    cr_assert_gt(held, ELEMENTARY_BATCH / 2);
}

/* Annex F's table; C's pow keeps it. */
Test(elementary, pow_of_special_arguments)
{
    const double odd[] = {NAN, INFINITY, 0, 1, 2, 3, 0.5, 1.5, 4503599627370497, 0x1p53, 0x1p100, DBL_MAX};
    enum { COUNT = 2 * sizeof odd / sizeof *odd };
    int known = 0;
    for (int i = 0; i < COUNT * COUNT; i++) {
        double x = odd[i / COUNT / 2] * (i / COUNT % 2 ? -1 : 1), y = odd[i % COUNT / 2] * (i % 2 ? -1 : 1);
        double value, radius, expected = pow(x, y);
        elementary_pow(&x, &y, &value, &radius, 1);
        bool same = isnan(expected) ? isnan(value) : value == expected && signbit(value) == signbit(expected);
        bool ordinary = x != 0 && isfinite(x) && isfinite(y) && !(x < 0 && rint(y) != y);
        if (!ordinary) {
            cr_expect(same && radius == 0, "pow(%a, %a): %a within %a", x, y, value, radius);
            known++;
        } else if (!isnan(value)) { /* what is finite may be beyond the doubles, or below them */
            double least = value - radius, most = value + radius;
            cr_expect((isinf(value) && fabs(expected) > 0x1p1022 && (value > 0) == (expected > 0)) ||
                          (least <= expected && expected <= most),
                      "pow(%a, %a): %a within %a", x, y, value, radius);
        }
    }
    cr_assert_gt(known, 200);
}

Test(elementary, pow_has_the_same_bits_on_every_machine)
{
    static double x[ELEMENTARY_BATCH], y[ELEMENTARY_BATCH], value[2][ELEMENTARY_BATCH],
        radius[2][ELEMENTARY_BATCH];
    const size_t counts[] = {1, 7, 4096};
    struct philox g;
    philox_start(&g, 15);
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        dd_of(&g, i, &x[i], &y[i]);
    }
    cr_assert(elementary_force(0));
    elementary_pow(x, y, value[0], radius[0], ELEMENTARY_BATCH);
    for (int k = 0; k < 8 * 3; k++) {
        size_t count = counts[k % 3];
        for (size_t i = 0; elementary_force(k / 3) && i < ELEMENTARY_BATCH; i += count) {
            size_t here = ELEMENTARY_BATCH - i < count ? ELEMENTARY_BATCH - i : count;
            elementary_pow(x + i, y + i, value[1] + i, radius[1] + i, here);
        }
        cr_assert_arr_eq(value[0], value[1], sizeof *value, "machine %d", k / 3);
        cr_assert_arr_eq(radius[0], radius[1], sizeof *radius, "machine %d", k / 3);
    }
    cr_assert(elementary_force(-1));
}

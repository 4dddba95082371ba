/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* x = k·log 2 + r, 0 ≤ r < (1 + 2^-29)·log 2, and r = i/2^8 + j/2^16 + s, i < 178, j < 256, s < 2^-16:
 *
 *     e^x = 2^k · e^(i/2^8) · e^(j/2^16) · (1 + s + s²/2! + … + s^9/9!),
 *
 * where two factors come from tables and the series is evaluated by Horner's rule. x, log 2 and r are
 * integers times 2^-192. Powers of e, which lie in [1, 4), and the coefficients of the series are integers
 * times 2^-190. k is computed in double, less 2^-30 so that r is not below 0. Every operation truncates. The
 * losses, relative to the result:
 *
 *     x to a multiple of 2^-192, log 2 likewise |k| < 1,480 times                 2^-181.4
 *     the terms of the series from s^10/10! on                                    2^-181.7
 *     nine products and nine coefficients of the series, each 2^-190, all but the
 *     last two of which are multiplied by s                                       2^-187
 *     two table entries and two products, 2^-190 of numbers ≥ 1                   2^-188
 *
 * add up to less than 2^-180. The ends of the enclosure lie 2^-179 to 2^-178 away. */

#include "reference/numeric/exact/fixed_exp.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIMBS = 3,
    BITS = LIMBS * GMP_NUMB_BITS,
    WHOLE_BITS = 2, /* bits of a power of e before the point */
    LARGEST = 10,   /* |x| < 2^LARGEST */
    LEAST = -96,    /* |x| >= 2^LEAST: then e^x differs visibly from 1 */
    STEP_BITS = 8,  /* bits of r that one table covers */
    FIRST_STEPS = 178,
    STEPS = 1 << STEP_BITS,
    SERIES = 9
};
static_assert(GMP_NUMB_BITS == 64, "192 bits are three limbs");
static_assert(FIXED_EXP_BITS <= BITS - 32, "an end is nearer than a rounding");

typedef mp_limb_t fixed[LIMBS]; /* least significant limb first */

static struct {
    fixed first[FIRST_STEPS], second[STEPS], coefficient[SERIES + 1], log_2;
} table;

/* Sets `out` to x·2^scale, truncated, for 0 ≤ x·2^scale < 2^192. */
static void cut(fixed out, mpfr_srcptr x, int scale)
{
    mpz_t all;
    mpfr_t scaled;
    mpz_init(all);
    mpfr_init2(scaled, mpfr_get_prec(x));
    mpfr_mul_2si(scaled, x, scale, MPFR_RNDZ);
    mpfr_get_z(all, scaled, MPFR_RNDZ);
    for (int k = 0; k < LIMBS; k++) {
        out[k] = mpz_getlimbn(all, k);
    }
    mpfr_clear(scaled);
    mpz_clear(all);
}

static void fill_steps(fixed *to, int count, int bits)
{
    mpfr_t power;
    mpfr_init2(power, BITS + 64);
    for (int i = 0; i < count; i++) {
        mpfr_set_si_2exp(power, i, -bits, MPFR_RNDN);
        mpfr_exp(power, power, MPFR_RNDD);
        cut(to[i], power, BITS - WHOLE_BITS);
    }
    mpfr_clear(power);
}

static void fill_table(void)
{
    mpfr_t one;
    mpfr_init2(one, BITS + 64);
    mpfr_const_log2(one, MPFR_RNDD);
    cut(table.log_2, one, BITS);
    fill_steps(table.first, FIRST_STEPS, STEP_BITS);
    fill_steps(table.second, STEPS, 2 * STEP_BITS);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    for (int n = 0; n <= SERIES; n++) {
        mpfr_div_ui(one, one, n > 0 ? (unsigned long)n : 1, MPFR_RNDD);
        cut(table.coefficient[n], one, BITS - WHOLE_BITS);
    }
    mpfr_clear(one);
}

/* Sets `out` to x·2^192, truncated towards 0, modulo 2^192. The integer part is not needed, because x less
 * k·log 2 lies below 1. */
static void take(fixed out, mpfr_srcptr x)
{
    const mp_limb_t *significand = mpfr_custom_get_significand(x);
    const int limbs = (int)((mpfr_get_prec(x) - 1) / GMP_NUMB_BITS) + 1;
    const int exponent = (int)mpfr_get_exp(x); /* exponent for a significand below 1 */
    const int away = exponent < 0 ? -exponent / GMP_NUMB_BITS : 0, bits = abs(exponent) % GMP_NUMB_BITS;
    const int kept = limbs < LIMBS - away ? limbs : LIMBS - away;
    memset(out, 0, sizeof(fixed));
    memcpy(out + LIMBS - away - kept, significand + limbs - kept, (size_t)kept * sizeof *out);
    if (bits > 0 && exponent > 0) {
        mpn_lshift(out, out, LIMBS, (unsigned)bits);
    } else if (bits > 0) {
        mpn_rshift(out, out, LIMBS, (unsigned)bits);
    }
    if (mpfr_sgn(x) < 0) {
        mpn_neg(out, out, LIMBS);
    }
}

/* Returns k and sets r. */
static int reduce(fixed r, mpfr_srcptr x)
{
    const int k = (int)floor(mpfr_get_d(x, MPFR_RNDN) * 0x1.71547652b82fep+0 - 0x1p-30);
    take(r, x);
    if (k < 0) {
        (void)mpn_addmul_1(r, table.log_2, LIMBS, (mp_limb_t)-k);
    } else {
        (void)mpn_submul_1(r, table.log_2, LIMBS, (mp_limb_t)k);
    }
    return k;
}

/* Sets `out` to x·y/2^192, truncated: y keeps its scale, x is below 1. */
static void scale(fixed out, const fixed x, const fixed y)
{
    mp_limb_t product[2 * LIMBS];
    mpn_mul_n(product, x, y, LIMBS);
    memcpy(out, product + LIMBS, sizeof(fixed));
}

/* Sets `out` to x·y for two powers whose product is a power too. */
static void multiply(fixed out, const fixed x, const fixed y)
{
    mp_limb_t product[2 * LIMBS];
    mpn_mul_n(product, x, y, LIMBS);
    mpn_lshift(out, product + LIMBS, LIMBS, WHOLE_BITS);
    out[0] |= product[LIMBS - 1] >> (GMP_NUMB_BITS - WHOLE_BITS);
}

/* Sets `power` and returns k so that power·2^(k − 190) differs from e^x by less than 2^-180 relative. */
static int exponential(fixed power, mpfr_srcptr x)
{
    fixed s; /* r, then what the tables leave of it */
    const int k = reduce(s, x);
    const mp_limb_t top = s[LIMBS - 1];
    const int i = (int)(top >> (GMP_NUMB_BITS - STEP_BITS)),
              j = (int)(top >> (GMP_NUMB_BITS - 2 * STEP_BITS)) % STEPS;
    s[LIMBS - 1] &= ~(mp_limb_t)0 >> 2 * STEP_BITS;
    memcpy(power, table.coefficient[SERIES], sizeof(fixed));
    for (int n = SERIES; n-- > 0;) {
        scale(power, s, power);
        mpn_add_n(power, power, table.coefficient[n], LIMBS);
    }
    multiply(power, power, table.second[j]);
    multiply(power, power, table.first[i]);
    return k;
}

/* Sets `out` to one end of the result: power·2^(k − 190) moved up or down by the error bound. */
static void put(mpfr_ptr out, const fixed power, int k, bool up)
{
    const mp_limb_t error = (mp_limb_t)1
                            << 12; /* 2^-178 where the power is 1, 2^-179 of itself where it is 2 */
    mp_limb_t end[LIMBS + 1];
    mpz_t whole;
    end[LIMBS] = up ? mpn_add_1(end, power, LIMBS, error) : 0;
    if (!up) {
        mpn_sub_1(end, power, LIMBS, error);
    }
    mpfr_set_z_2exp(out, mpz_roinit_n(whole, end, LIMBS + 1), k - (BITS - WHOLE_BITS),
                    up ? MPFR_RNDU : MPFR_RNDD);
}

static bool takes(mpfr_srcptr x)
{
    return mpfr_regular_p(x) && mpfr_get_prec(x) <= FIXED_EXP_BITS && mpfr_get_exp(x) <= LARGEST &&
           mpfr_get_exp(x) > LEAST;
}

bool fixed_exp(mpfi_ptr out, mpfi_srcptr x)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    fixed left, right;
    if (!takes(&x->left) || !takes(&x->right) || mpfr_get_prec(&out->left) > FIXED_EXP_BITS) {
        return false;
    }
    pthread_once(&once, fill_table);
    const bool point = mpfr_equal_p(&x->left, &x->right);
    int left_k = exponential(left, &x->left), right_k = point ? left_k : exponential(right, &x->right);
    put(&out->left, left, left_k, false);
    put(&out->right, point ? left : right, right_k, true);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* x = k·log 2 + r, 0 ≤ r < log 2, and r = i/2^8 + j/2^16 + s, i < 178, j < 256, s < 2^-16:
 *
 *     e^x = 2^k · e^(i/2^8) · e^(j/2^16) · (1 + s + s²/2! + … + s^9/9!),
 *
 * two numbers of tables and a series by Horner's rule. x, log 2 and r are integers times 2^-192; powers of e,
 * which lie in [1, 2), and the series' coefficients integers times 2^-191. Everything is cut, never rounded
 * up. What is lost, relative to the result:
 *
 *     x to a multiple of 2^-192, log 2 likewise |k| < 1,479 times                 2^-181.4
 *     the terms of the series from s^10/10! on                                    2^-181.7
 *     nine products and nine coefficients of the series, each 2^-191, all but the
 *     last two of which count s times                                             2^-188
 *     two numbers of tables and two products, 2^-191 of numbers from 1 on         2^-189
 *
 * that is less than 2^-180 in all. The ends lie 2^-179 to 2^-178 away. */

#include "reference/fixed_exp.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

enum {
    LIMBS = 3,
    BITS = LIMBS * GMP_NUMB_BITS,
    LARGEST = 10,  /* |x| < 2^LARGEST */
    LEAST = -96,   /* |x| >= 2^LEAST: on which side of 1 e^x lies is seen */
    STEP_BITS = 8, /* of r that one table takes */
    FIRST_STEPS = 178,
    STEPS = 1 << STEP_BITS,
    SERIES = 9
};
static_assert(GMP_NUMB_BITS == 64, "192 bits are three limbs");
static_assert(FIXED_EXP_BITS <= BITS - 32, "");

typedef mp_limb_t fixed[LIMBS]; /* the least first */

static struct {
    fixed first[FIRST_STEPS], second[STEPS], coefficient[SERIES + 1], log_2;
} table;

/* x·2^scale, cut, of a number 0 ≤ x·2^scale < 2^192. */
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
        cut(to[i], power, BITS - 1);
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
        cut(table.coefficient[n], one, BITS - 1);
    }
    mpfr_clear(one);
}

/* |x|·2^192, cut, and a limb for its whole part. */
static void take(mp_limb_t out[LIMBS + 1], mpfr_srcptr x)
{
    const mp_limb_t *significand = mpfr_custom_get_significand(x);
    const int limbs = (int)((mpfr_get_prec(x) - 1) / GMP_NUMB_BITS) + 1;
    const mpfr_exp_t exponent = mpfr_get_exp(x); /* of a significand below 1 */
    memset(out, 0, (LIMBS + 1) * sizeof *out);
    if (exponent > 0) {
        memcpy(out + LIMBS - limbs, significand, (size_t)limbs * sizeof *out);
        out[LIMBS] = mpn_lshift(out, out, LIMBS, (unsigned)exponent);
    } else if (exponent > -BITS) {
        const int away = (int)-exponent / GMP_NUMB_BITS, bits = (int)-exponent % GMP_NUMB_BITS;
        const int kept = limbs < LIMBS - away ? limbs : LIMBS - away;
        memcpy(out + LIMBS - away - kept, significand + limbs - kept, (size_t)kept * sizeof *out);
        if (bits > 0) {
            mpn_rshift(out, out, LIMBS, (unsigned)bits);
        }
    }
}

/* k and r of x, which is not 0. */
static int reduce(fixed r, mpfr_srcptr x)
{
    mp_limb_t size[LIMBS + 1], multiple[LIMBS + 1];
    const bool negative = mpfr_sgn(x) < 0;
    take(size, x);
    double near = (double)size[LIMBS] + (double)size[LIMBS - 1] * 0x1p-64;
    int k = (int)(near * 0x1.71547652b82fep+0) + negative; /* or one more, or less */
    for (bool done = false; !done;) {
        multiple[LIMBS] = mpn_mul_1(multiple, table.log_2, LIMBS, (mp_limb_t)k);
        const mp_limb_t *more = negative ? multiple : size, *less = negative ? size : multiple;
        if (mpn_cmp(more, less, LIMBS + 1) < 0) { /* r < 0 */
            k += negative ? 1 : -1;
            continue;
        }
        mpn_sub_n(multiple, more, less, LIMBS + 1);
        done = multiple[LIMBS] == 0 && mpn_cmp(multiple, table.log_2, LIMBS) < 0;
        k += done ? 0 : negative ? -1 : 1;
    }
    memcpy(r, multiple, sizeof(fixed));
    return negative ? -k : k;
}

/* x·y/2^192, cut: y as it is scaled, of an x below 1. */
static void scale(fixed out, const fixed x, const fixed y)
{
    mp_limb_t product[2 * LIMBS];
    mpn_mul_n(product, x, y, LIMBS);
    memcpy(out, product + LIMBS, sizeof(fixed));
}

/* x·y of numbers times 2^-191, whose product is below 2. */
static void multiply(fixed out, const fixed x, const fixed y)
{
    mp_limb_t product[2 * LIMBS];
    mpn_mul_n(product, x, y, LIMBS);
    mpn_lshift(out, product + LIMBS, LIMBS, 1);
    out[0] |= product[LIMBS - 1] >> (GMP_NUMB_BITS - 1);
}

/* e^x is within 2^-180 of itself of power·2^(k − 191). */
static int exponential(fixed power, mpfr_srcptr x)
{
    fixed s;
    int k = reduce(s, x);
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

/* An end of the result. */
static void put(mpfr_ptr out, const fixed power, int k, bool up)
{
    const mp_limb_t error = (mp_limb_t)1 << 13; /* 2^-179 of 2^192 */
    mp_limb_t end[LIMBS + 1];
    mpz_t whole;
    end[LIMBS] = up ? mpn_add_1(end, power, LIMBS, error) : 0;
    if (!up) {
        mpn_sub_1(end, power, LIMBS, error);
    }
    mpfr_set_z_2exp(out, mpz_roinit_n(whole, end, LIMBS + 1), k - (BITS - 1), up ? MPFR_RNDU : MPFR_RNDD);
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

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* x = m·2^(e − 1075) with an integer m < 2^53 and 1 ≤ e ≤ 2046; e is the exponent field, except for subnormal
 * x. With f the least e of the terms that are not 0, x^p = m^p·2^(p(e − f)) · 2^(p(f − 1075)): an integer of
 * at most four limbs, shifted by p(e − f), is added to a long integer. The long integer has room for p·(2045
 * + 53) bits and 2^64 terms. */

#include "reference/numeric/exact/power_sum.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

enum {
    MANTISSA = 53,
    EXPONENTS = 2046,
    LIMBS = (POWER_SUM_MOST * (EXPONENTS + MANTISSA) + 64) / GMP_NUMB_BITS + POWER_SUM_MOST + 2
};

_Static_assert(GMP_NUMB_BITS >= MANTISSA, "a mantissa fits into a limb");

struct term {
    mp_limb_t mantissa;
    int exponent; /* e */
};

static struct term term_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int field = (int)(bits >> 52 & 0x7ff);
    return field ? (struct term){fraction | (uint64_t)1 << 52, field} : (struct term){fraction, 1};
}

/* Adds m^p·2^shift to the long integer; *used is the number of its limbs that may not be 0. */
static void add_term(mp_limb_t *sum, mp_size_t *used, mp_limb_t m, int p, int shift)
{
    mp_limb_t power[POWER_SUM_MOST + 1] = {m};
    for (int k = 1; k < p; k++) {
        power[k] = mpn_mul_1(power, power, k, m);
    }
    int bits = shift % GMP_NUMB_BITS;
    if (bits) {
        power[p] = mpn_lshift(power, power, p, (unsigned)bits);
    }
    mp_size_t at = shift / GMP_NUMB_BITS, behind = at + p + 1;
    for (mp_limb_t carry = mpn_add_n(sum + at, sum + at, power, p + 1); carry; behind++) {
        sum[behind] += carry;
        carry = sum[behind] == 0;
    }
    *used = behind > *used ? behind : *used;
}

void power_sum(const double *x, int64_t n, int64_t apart, int p, mpfr_ptr sum)
{
    mp_limb_t limb[LIMBS];
    mp_size_t used = 0;
    int first = EXPONENTS;
    double special = 0;
    for (int64_t i = 0; i < n; i++) {
        double y = x[i * apart];
        int exponent = term_of(y).exponent;
        first = y != 0 && exponent < first ? exponent : first;
        special += isfinite(y) ? 0 : y;
    }
    if (special != 0) {
        mpfr_set_d(sum, special, MPFR_RNDN);
        return;
    }
    memset(limb, 0, sizeof limb);
    for (int64_t i = 0; i < n; i++) {
        struct term term = term_of(x[i * apart]);
        if (term.mantissa) {
            add_term(limb, &used, term.mantissa, p, p * (term.exponent - first));
        }
    }
    mpz_t whole;
    mpfr_set_z_2exp(sum, mpz_roinit_n(whole, limb, used), p * (first - 1075), MPFR_RNDN);
}

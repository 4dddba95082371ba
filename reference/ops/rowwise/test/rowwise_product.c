/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of rows against rational arithmetic and integers modulo 2^64; float32 programs of any order are
 * accepted. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

#include <gmp.h>

enum { LENGTH = 60 };

static struct truth *product_of(enum dtype dtype, const double *x, int n)
{
    struct tensor input = tensor_from(dtype, shape_of(1, (int64_t)n), x);
    struct truth *truth = truth_of_call("prod", NULL, 1, &input);
    tensor_destroy(&input);
    return truth;
}

static struct accept accepted(const struct profile *profile, const struct truth *truth)
{
    const struct attributes none = {.count = 0};
    return accept_of("prod", &none, profile, truth, 0, 0, false);
}

/* Kind 0: near one; 1: any exponent; 2: whole numbers; 3: powers of two. */
static double factor(struct philox *g, int kind)
{
    double unit = philox_unit(g), sign = philox_below(g, 2) ? -1 : 1;
    int exponent = (int)philox_below(g, 31) - 15;
    return sign * (kind == 0   ? (double)(float)(0.75 + 0.6 * unit)
                   : kind == 1 ? (double)(float)ldexp(1 + unit, exponent)
                   : kind == 2 ? 1 + floor(9 * unit)
                               : ldexp(1, exponent));
}

Test(rowwise_product, truths_are_rational)
{
    struct philox g;
    mpq_t exact, term, rest;
    mpfr_t known;
    mpq_inits(exact, term, rest, (mpq_ptr)0);
    mpfr_init2(known, 4096);
    philox_start(&g, 61);
    for (int i = 0; i < 400; i++) {
        int n = (int)philox_below(&g, LENGTH);
        double x[LENGTH];
        mpq_set_ui(exact, 1, 1);
        for (int k = 0; k < n; k++) {
            x[k] = factor(&g, i % 4);
            mpq_set_d(term, x[k]);
            mpq_mul(exact, exact, term);
        }
        struct truth *truth = product_of(i % 8 < 4 ? DTYPE_FLOAT32 : DTYPE_FLOAT64, x, n);
        const struct value *value = &truth->output[0].value[0];
        value_to_mpfr(value, known);
        mpfr_get_q(rest, known);
        mpq_sub(rest, rest, exact);
        mpq_abs(rest, rest);
        mpq_abs(term, exact);
        mpq_div_2exp(term, term, 104);
        cr_expect_leq(mpq_cmp(rest, term), 0, "product %d of %d factors", i, n);
        cr_expect(!value->exact || mpq_sgn(rest) == 0, "product %d is not exact", i);
        truth_destroy(&truth);
    }
    mpq_clears(exact, term, rest, (mpq_ptr)0);
    mpfr_clear(known);
}

Test(rowwise_product, integers_wrap)
{
    struct philox g;
    mpz_t product;
    mpz_init(product);
    philox_start(&g, 62);
    for (int i = 0; i < 200; i++) {
        int64_t x[LENGTH], n = (int64_t)philox_below(&g, LENGTH);
        bool narrow = i % 2;
        mpz_set_ui(product, 1);
        for (int k = 0; k < n; k++) {
            uint64_t bits = (uint64_t)philox_below(&g, UINT32_MAX) << 32 | philox_below(&g, UINT32_MAX) | 1;
            x[k] = narrow ? (int32_t)bits : (int64_t)bits;
            mpz_mul_si(product, product, x[k]);
        }
        struct tensor input = tensor_from_integers(narrow ? DTYPE_INT32 : DTYPE_INT64, shape_of(1, n), x);
        struct truth *truth = truth_of_call("prod", NULL, 1, &input);
        mpz_fdiv_r_2exp(product, product, 64);
        cr_expect_eq(truth->output[0].dtype, DTYPE_INT64);
        const struct profile profile = profile_ieee();
        const struct accept accept = accepted(&profile, truth);
        const int64_t expected = (int64_t)mpz_get_ui(product);
        unsigned char bytes[8];
        memcpy(bytes, &expected, sizeof bytes);
        cr_expect(accept_judge(&accept, bytes).accepted, "product %d of %lld integers", i, (long long)n);
        bytes[7] ^= 1;
        cr_expect_not(accept_judge(&accept, bytes).accepted);
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
    mpz_clear(product);
}

/* Factors of any size in any order: where partial products leave the range, the resulting infinity, NaN and 0
 * are accepted; elsewhere they are refused. */
Test(rowwise_product, no_order_is_reported_falsely)
{
    struct profile profile = profile_ieee();
    struct philox g;
    int odd = 0, doubled = 0, known = 0;
    philox_start(&g, 63);
    for (int i = 0; i < 3000; i++) {
        int n = 1 + (int)philox_below(&g, LENGTH - 1);
        double x[LENGTH];
        float single[LENGTH];
        for (int k = 0; k < n; k++) {
            x[k] = i % 11 == 0 && k == n / 2 ? 0 : i % 2 ? factor(&g, 0) : factor(&g, 1);
            single[k] = (float)x[k];
        }
        struct truth *truth = product_of(DTYPE_FLOAT32, x, n);
        struct accept accept = accepted(&profile, truth);
        for (int order = 0; order < 4; order++) {
            float got = by_any_tree(single, n, true, &g);
            cr_expect(accepts_double(&accept, (double)got), "product %d of %d factors: %.9g", i, n,
                      (double)got);
            odd += !isfinite(got);
        }
        if (i % 2 && i % 11) {
            double y = value_approximately(&truth->output[0].value[0]);
            known++;
            doubled += accepts_double(&accept, (double)(float)(y * (1 + LENGTH * 0x1p-22))) ||
                       accepts_double(&accept, 0) || accepts_double(&accept, -y) ||
                       accepts_double(&accept, INFINITY) || accepts_double(&accept, NAN);
        }
        truth_destroy(&truth);
    }
    cr_expect_gt(odd, 50, "%d infinities and NaN", odd);
    cr_expect_eq(doubled, 0, "%d of %d wrong ones are taken", doubled, known);
}

Test(rowwise_product, special_rows)
{
    static const struct {
        double x[3], y;
        bool nan; /* right as well */
    } rows[] = {{{2, INFINITY, -3}, -INFINITY, false},
                {{0, INFINITY, 2}, NAN, true},
                {{1, NAN, 0}, NAN, true},
                {{-0.0, 5, -1}, 0, false},
                {{1e30, 1e30, 0}, 0, true},                 /* infinity times 0 */
                {{1e-30, 1e-30, INFINITY}, INFINITY, true}, /* 0 times infinity */
                {{1e30, 1e30, 2}, INFINITY, false},
                {{1.5, 3, 7}, 31.5, false}};
    struct profile profile = profile_ieee();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct truth *truth = product_of(DTYPE_FLOAT32, rows[i].x, 3);
        struct accept accept = accepted(&profile, truth);
        cr_expect(accepts_double(&accept, rows[i].y), "row %zu", i);
        cr_expect_eq(accepts_double(&accept, NAN), rows[i].nan, "row %zu", i);
        cr_expect_not(accepts_double(&accept, isfinite(rows[i].y) ? rows[i].y + 0x1p-18 : 2), "row %zu", i);
        truth_destroy(&truth);
    }
    struct truth *nothing = product_of(DTYPE_FLOAT32, rows[0].x, 0);
    cr_expect_eq(value_approximately(&nothing->output[0].value[0]), 1);
    truth_destroy(&nothing);
}

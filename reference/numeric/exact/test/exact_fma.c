/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests exact sums, products and quotients against MPFR at more bits than any of them has. */

#include "reference/numeric/exact/exact_fma.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

enum { BITS = 8000 };

/* ALIKE: sums that cancel; HALVES: what a sum leaves is near half a unit of it; ENDS: up to the range's ends.
 */
enum kind { FLOATS, DOUBLES, SPREAD, ALIKE, HALVES, ENDS, KINDS };

static double number(struct philox *g, enum kind kind)
{
    double x = philox_signed(g);
    int e = (int)philox_below(g, 3);
    switch (kind) {
    case FLOATS:
        return (double)(float)x;
    case SPREAD:
        return ldexp((double)(float)x, (int)philox_below(g, 240) - 120);
    case ALIKE:
        return 1 + 0x1p-20 * floor(8 * x);
    case HALVES: /* few bits, in three places 53 bits apart */
        return ldexp(1 + floor(2 * fabs(x)) * 0x1p-52, -53 * e) * (x < 0 ? -1 : 1);
    case ENDS:
        return ldexp(x, e == 0 ? -1060 : e == 1 ? 1020 : 0);
    default:
        return x;
    }
}

static bool same(const struct value *a, const struct value *b)
{
    return a->class == b->class && a->exact == b->exact && a->exponent == b->exponent &&
           memcmp(&a->hi, &b->hi, sizeof a->hi) == 0 && memcmp(&a->lo, &b->lo, sizeof a->lo) == 0;
}

/* How many of `count` were decided without MPFR: of sums, of triple products, of quotients. */
static void hold(enum kind kind, int count, int found[3])
{
    struct philox g;
    mpfr_t product, sum, quotient;
    mpfr_inits2(BITS, product, sum, quotient, (mpfr_ptr)0);
    philox_start(&g, 40 + (uint64_t)kind);
    for (int i = 0; i < count; i++) {
        double x = number(&g, kind), a = number(&g, kind), b = number(&g, kind), c = number(&g, kind);
        if (a == 0 || b == 0) {
            continue;
        }
        struct double_double p, triple;
        struct value v, w;
        mpfr_set_d(product, a, MPFR_RNDN);
        mpfr_mul_d(product, product, b, MPFR_RNDN);
        mpfr_add_d(sum, product, x, MPFR_RNDN);
        w = value_from_mpfr(sum, true);
        v = exact_fma(x, a, b);
        cr_assert(same(&v, &w), "kind %d: %a + %a·%a is %a + %a", kind, x, a, b, v.hi, v.lo);
        if (exact_product(a, b, &p)) {
            cr_assert_eq(exact_magnitude(p), fabs(mpfr_get_d(product, MPFR_RNDA)));
        }
        bool known = exact_product(a, b, &p) && exact_plus(x, p, &v);
        found[0] += known;
        if (known && v.exact && exact_quotient(v, c, &v)) {
            int ternary = mpfr_div_d(quotient, sum, c, MPFR_RNDN);
            w = value_from_mpfr(quotient, ternary == 0);
            cr_assert(same(&v, &w), "kind %d: (%a + %a·%a)/%a is %a + %a", kind, x, a, b, c, v.hi, v.lo);
            found[2]++;
        }
        if (exact_triple(a, b, c, &triple)) {
            mpfr_mul_d(product, product, c, MPFR_RNDN);
            mpfr_sub_d(product, product, triple.hi, MPFR_RNDN);
            cr_assert_eq(mpfr_cmp_d(product, triple.lo), 0);
            found[1]++;
        }
    }
    mpfr_clears(product, sum, quotient, (mpfr_ptr)0);
}

Test(exact_fma, doubles_tell_what_mpfr_tells)
{
    enum { COUNT = 40000 };
    const int least[KINDS][3] = {{COUNT * 9 / 10, COUNT * 9 / 10, COUNT * 8 / 10},
                                 {COUNT * 9 / 10, 0, 0},
                                 {COUNT / 2, COUNT * 9 / 10, COUNT / 100},
                                 {COUNT / 2, COUNT / 2, COUNT / 10},
                                 {COUNT / 2, COUNT / 100, COUNT / 100},
                                 {0, 0, 0}};
    for (int kind = 0; kind < KINDS; kind++) {
        int found[3] = {0};
        hold((enum kind)kind, COUNT, found);
        for (int t = 0; t < 3; t++) {
            cr_expect_geq(found[t], least[kind][t], "kind %d, %d: %d of %d known in doubles", kind, t,
                          found[t], COUNT);
        }
    }
}

Test(exact_fma, zeros_and_what_is_no_number)
{
    const double odd[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1};
    for (int i = 0; i < 7 * 7 * 7; i++) {
        double x = odd[i % 7], a = odd[i / 7 % 7], b = odd[i / 49];
        struct value v = exact_fma(x, a, b), w = value_of(a * b + x);
        cr_assert(same(&v, &w), "%g + %g·%g", x, a, b);
    }
}

/* 2^-53·(1 + ε)(1 − ε) is just below half a unit of 1, -2^-53·… just above that of what lies below. */
Test(exact_fma, a_third_double_decides)
{
    const double head[] = {1, 1 + 0x1p-52, 1 - 0x1p-53, -1};
    for (int e = 27; e < 60; e++) {
        for (int i = 0; i < 16; i++) {
            double tiny = ldexp(i & 8 ? -1 : 1, -e), x = head[i & 3];
            double a = (i & 4 ? -0x1p-53 : 0x1p-53) * (1 + tiny), b = e < 53 ? 1 - tiny : 1 + 0x1p-52;
            struct value v = exact_fma(x, a, b);
            mpfr_t sum;
            mpfr_init2(sum, BITS);
            mpfr_set_d(sum, a, MPFR_RNDN);
            mpfr_mul_d(sum, sum, b, MPFR_RNDN);
            mpfr_add_d(sum, sum, x, MPFR_RNDN);
            struct value w = value_from_mpfr(sum, true);
            mpfr_clear(sum);
            cr_assert(same(&v, &w), "%a + %a·%a is %a + %a", x, a, b, v.hi, v.lo);
        }
    }
}

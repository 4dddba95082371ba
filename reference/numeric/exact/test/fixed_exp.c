/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the enclosures of e^x in integers: Arb's value lies between the ends, and the ends lie where the
 * header says. */

#include "reference/numeric/exact/fixed_exp.h"
#include "reference/test/support.h"

enum { ARB_BITS = 400 };

struct pair_of_ends {
    mpfi_t x, out;
    arb_t e;
    arf_t end;
    mpfr_t from_arb, distance;
};

static void ends_open(struct pair_of_ends *p, mpfr_prec_t bits)
{
    mpfi_init2(p->x, bits);
    mpfi_init2(p->out, FIXED_EXP_BITS);
    arb_init(p->e);
    arf_init(p->end);
    mpfr_inits2(ARB_BITS, p->from_arb, p->distance, (mpfr_ptr)0);
}

static void ends_close(struct pair_of_ends *p)
{
    mpfi_clear(p->x);
    mpfi_clear(p->out);
    arb_clear(p->e);
    arf_clear(p->end);
    mpfr_clears(p->from_arb, p->distance, (mpfr_ptr)0);
}

/* How far the end lies outside of e^x, in units of 2^-160 of it; below 0: inside. */
static double outside(struct pair_of_ends *p, mpfr_srcptr x, mpfr_srcptr end, bool upper)
{
    arf_set_mpfr(p->end, x);
    arb_set_arf(p->e, p->end);
    arb_exp(p->e, p->e, ARB_BITS);
    arf_get_mpfr(p->from_arb, arb_midref(p->e), MPFR_RNDN);
    mpfr_sub(p->distance, upper ? end : p->from_arb, upper ? p->from_arb : end, MPFR_RNDN);
    mpfr_div(p->distance, p->distance, p->from_arb, MPFR_RNDN);
    mpfr_mul_2si(p->distance, p->distance, FIXED_EXP_BITS, MPFR_RNDN);
    return mpfr_get_d(p->distance, MPFR_RNDN);
}

/* An end is one rounding, at most 2 units, and 2^-17 of one away. */
static void check(struct pair_of_ends *p)
{
    cr_assert(fixed_exp(p->out, p->x), "%.17g to %.17g", mpfr_get_d(&p->x->left, MPFR_RNDN),
              mpfr_get_d(&p->x->right, MPFR_RNDN));
    double left = outside(p, &p->x->left, &p->out->left, false),
           right = outside(p, &p->x->right, &p->out->right, true);
    cr_expect(left >= 0 && right >= 0 && left <= 2 + 0x1p-17 && right <= 2 + 0x1p-17,
              "%.17g to %.17g: %g and %g units", mpfr_get_d(&p->x->left, MPFR_RNDN),
              mpfr_get_d(&p->x->right, MPFR_RNDN), left, right);
}

static void check_number(struct pair_of_ends *p, double x)
{
    mpfi_set_d(p->x, x);
    check(p);
}

Test(fixed_exp, encloses_the_exponential_of_numbers)
{
    struct pair_of_ends p;
    struct philox g;
    ends_open(&p, FIXED_EXP_BITS);
    philox_start(&g, 1);
    for (int i = 0; i < 40000; i++) {
        check_number(&p, ldexp(philox_signed(&g), (int)philox_below(&g, 80) - 69));
        check_number(&p, 1023.99 * philox_signed(&g));
    }
    ends_close(&p);
}

Test(fixed_exp, encloses_it_at_every_edge)
{
    struct pair_of_ends p;
    ends_open(&p, FIXED_EXP_BITS);
    for (int i = 1; i < 1 << 16; i++) { /* of both tables */
        check_number(&p, i * 0x1p-16);
        check_number(&p, nextafter(i * -0x1p-16, 0));
    }
    for (int e = -96; e < 10; e++) {
        check_number(&p, ldexp(1, e));
        check_number(&p, -ldexp(1, e));
    }
    for (int k = -1477; k <= 1477; k++) { /* of r: multiples of log 2, from both sides */
        mpfr_const_log2(&p.x->left, MPFR_RNDD);
        mpfr_const_log2(&p.x->right, MPFR_RNDU);
        mpfi_mul_si(p.x, p.x, k != 0 ? k : 1);
        check(&p);
    }
    check_number(&p, nextafter(1024, 0));
    check_number(&p, nextafter(-1024, 0));
    ends_close(&p);
}

Test(fixed_exp, encloses_intervals_of_any_precision_that_it_takes)
{
    struct pair_of_ends p;
    struct philox g;
    philox_start(&g, 2);
    for (mpfr_prec_t bits = 2; bits <= FIXED_EXP_BITS; bits++) {
        ends_open(&p, bits);
        for (int i = 0; i < 50; i++) {
            double a = ldexp(philox_signed(&g), (int)philox_below(&g, 20) - 10),
                   b = ldexp(philox_signed(&g), (int)philox_below(&g, 20) - 10);
            mpfi_interv_d(p.x, fmin(a, b), fmax(a, b));
            mpfi_div_ui(p.x, p.x, 3); /* all bits */
            if (!mpfr_zero_p(&p.x->left) && !mpfr_zero_p(&p.x->right)) {
                check(&p);
            }
        }
        ends_close(&p);
    }
}

Test(fixed_exp, leaves_the_rest_to_others)
{
    mpfi_t x, out, wide;
    mpfi_init2(x, FIXED_EXP_BITS);
    mpfi_init2(out, FIXED_EXP_BITS);
    mpfi_init2(wide, FIXED_EXP_BITS + 1);
    mpfi_set_d(out, 7);
    for (int k = 0; k < 8; k++) {
        mpfi_set_d(x, (const double[]){0, 1024, -1024, INFINITY, -INFINITY, NAN, 0x1p-97, -0x1p-97}[k]);
        cr_expect(!fixed_exp(out, x), "%d", k);
    }
    mpfi_interv_d(x, 0, 1);
    cr_expect(!fixed_exp(out, x));
    mpfi_set_d(x, 1);
    cr_expect(!fixed_exp(wide, x));
    cr_expect(mpfi_cmp_d(out, 7) == 0);
    mpfi_set_d(wide, 1);
    cr_expect(!fixed_exp(out, wide));
    mpfi_clear(x);
    mpfi_clear(out);
    mpfi_clear(wide);
}

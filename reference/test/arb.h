/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_ARB_H
#define ASSAY_REFERENCE_TEST_ARB_H

/* Comparison of truths with Arb's, and functions that Arb does not have. */

#include "reference/test/support.h"

/* Computes log|Γ(x)| as −log|1/Γ(x)|, because arb_lgamma does not take negative numbers. */
static inline void arb_log_gamma(arb_t y, const arb_t x, slong p)
{
    arb_rgamma(y, x, p);
    arb_abs(y, y);
    arb_log(y, y, p);
    arb_neg(y, y);
}

/* Encloses grad·f′(x) in y by grad·(f(x + h) − f(x − h))/2h with h = 2^-step; `above` is f(x + h) and is
 * overwritten, `below` is f(x − h). */
static inline void difference_quotient(arb_t y, arb_t above, const arb_t below, double grad, slong step,
                                       slong precision)
{
    arb_sub(y, above, below, precision);
    arb_mul_2exp_si(y, y, step - 1);
    arb_set_d(above, grad);
    arb_mul(y, y, above, precision);
    arb_abs(above, y); /* the remainder: a sixth of the third derivative times h² */
    arb_mul_2exp_si(above, above, 200 - 2 * step);
    arb_add_error(y, above);
}

/* Expects |value − y| ≤ 2^-103·|y| + radius; `precision` is that of y. */
static inline void expect_near(const struct value *value, double radius, const arb_t y, slong precision,
                               const char *name, double x, double other)
{
    arb_t difference, limit, r;
    arf_t f;
    mpfr_t v;
    arb_init(difference);
    arb_init(limit);
    arb_init(r);
    arf_init(f);
    mpfr_init2(v, 300);
    value_to_mpfr(value, v);
    arf_set_mpfr(f, v);
    arb_set_arf(difference, f);
    arb_sub(difference, difference, y, precision);
    arb_mul_2exp_si(limit, y, -103);
    arb_abs(limit, limit);
    arb_set_d(r, radius * (1 + 0x1p-52)); /* at erfc(30) the radius is the value itself, but for 2^-1000 of
                                             it */
    arb_add(limit, limit, r, precision);
    arb_abs(difference, difference);
    cr_expect(!value->exact || arb_contains_zero(difference), "%s(%a, %a) is not exact", name, x, other);
    cr_expect(value->class == VALUE_FINITE && (arb_le(difference, limit) || arb_is_zero(difference)),
              "%s(%a, %a) is not %a within %g", name, x, other, value->hi, radius);
    arf_clear(f);
    mpfr_clear(v);
    arb_clear(r);
    arb_clear(limit);
    arb_clear(difference);
}

#endif

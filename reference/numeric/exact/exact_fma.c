/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/exact_fma.h"
#include "reference/numeric/round_up.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

enum { PRODUCT_BITS = 106, SUM_BITS = 7000 };

/* Returns whether |x| lies in (2^-400, 2^400). Products of two such numbers and their errors stay in the
 * range of double, and value_from_mpfr does not scale them. */
static bool ordinary(double x)
{
    double size = fabs(x);
    return size > 0x1p-400 && size < 0x1p400;
}

bool exact_product(double a, double b, struct double_double *p)
{
    *p = dd_product(a, b);
    return ordinary(a) && ordinary(b);
}

bool exact_triple(double a, double b, double c, struct double_double *p)
{
    struct double_double first;
    return exact_product(a, b, &first) && first.lo == 0 && exact_product(first.hi, c, p);
}

double exact_magnitude(struct double_double p)
{
    return p.lo != 0 && (p.lo > 0) == (p.hi > 0) ? round_up_next(fabs(p.hi)) : fabs(p.hi);
}

static bool power_of_two(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0xFFFFFFFFFFFFF) == 0;
}

/* Repeated TwoSum leaves the sum in three doubles e.hi, f.hi and f.lo. If f.lo is 0, a double-double holds
 * the sum. Otherwise hi is the sum rounded to nearest and lo the remainder, unless lo may be half a unit of
 * hi (a power of two): then f.lo would decide, and MPFR is used. */
bool exact_plus(double x, struct double_double p, struct value *value)
{
    struct double_double a = dd_sum(p.hi, x), b = dd_sum(a.lo, p.lo), c = dd_sum(a.hi, b.hi);
    struct double_double d = dd_sum(c.lo, b.lo), e = dd_sum(c.hi, d.hi), f = dd_sum(e.lo, d.lo);
    *value = value_from_dd(e.hi, f.hi + 0.0); /* no -0 */
    value->exact = f.lo == 0;
    return (x == 0 || ordinary(x)) && ordinary(e.hi) && e.hi + f.hi == e.hi &&
           (f.lo == 0 || !power_of_two(f.hi));
}

/* The remainders of TwoSum and of Dekker's product are doubles, so hi = n/d up to one rounding, and lo is
 * what n leaves, divided by d, up to one rounding. Together they are the quotient only if hi does not change
 * when lo is added. */
bool exact_quotient(struct value n, double d, struct value *value)
{
    double hi = n.hi / d;
    struct double_double back = dd_product(hi, d), left = dd_sum(n.hi - back.hi, -back.lo);
    struct double_double rest = dd_sum(left.hi, n.lo);
    double lo = rest.hi / d;
    struct double_double last = dd_product(lo, d);
    *value = value_from_dd(hi, lo + 0.0);
    value->exact = last.hi == rest.hi && last.lo == 0;
    bool plain = lo == 0 ? rest.hi == 0 : ordinary(lo) && hi + lo == hi && !power_of_two(lo);
    return n.exact && ordinary(n.hi) && ordinary(d) && ordinary(hi) && left.lo == 0 && rest.lo == 0 && plain;
}

static struct value by_mpfr(double x, double a, double b)
{
    mpfr_t product, sum;
    mpfr_init2(product, PRODUCT_BITS);
    mpfr_init2(sum, SUM_BITS);
    mpfr_set_d(product, a, MPFR_RNDN);
    mpfr_mul_d(product, product, b, MPFR_RNDN);
    mpfr_add_d(sum, product, x, MPFR_RNDN);
    struct value value = value_from_mpfr(sum, true);
    mpfr_clears(product, sum, (mpfr_ptr)0);
    return value;
}

struct value exact_fma(double x, double a, double b)
{
    struct double_double product;
    struct value value;
    if (!isfinite(x) || !isfinite(a) || !isfinite(b) || a == 0 || b == 0) {
        return value_of(a * b + x);
    }
    return exact_product(a, b, &product) && exact_plus(x, product, &value) ? value : by_mpfr(x, a, b);
}

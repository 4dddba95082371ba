/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_DOUBLE_DOUBLE_H
#define ASSAY_REFERENCE_NUMERIC_DOUBLE_DOUBLE_H

/* Double-double arithmetic: numbers hi + lo with |lo| ≤ ulp(hi)/2 after each operation. Only + − × ÷ and
 * square roots are used, so every machine gets the same bits. Relative errors, in the absence of overflow and
 * underflow (products not below 2^-900): 2^-104 of the sum of the magnitudes for sums, 2^-101 for products
 * and quotients (Joldes, Muller and Popescu, ACM TOMS 44 (2017), prove sharper bounds). */

struct double_double {
    double hi, lo;
};

/* Returns a + b exactly (Knuth's TwoSum). */
static inline struct double_double dd_sum(double a, double b)
{
    double sum = a + b, t = sum - a;
    return (struct double_double){sum, (a - (sum - t)) + (b - t)};
}

/* Returns a + b exactly, for |a| ≥ |b| or a = 0 (Dekker's FastTwoSum). */
static inline struct double_double dd_tidy(double a, double b)
{
    double sum = a + b;
    return (struct double_double){sum, b - (sum - a)};
}

/* Returns a·b exactly (Veltkamp's split, Dekker's product), for |a|, |b| < 2^990. */
static inline struct double_double dd_product(double a, double b)
{
    double t = a * (0x1p27 + 1), s = b * (0x1p27 + 1), product = a * b;
    double ah = t - (t - a), al = a - ah, bh = s - (s - b), bl = b - bh;
    return (struct double_double){product, al * bl - (((product - ah * bh) - al * bh) - ah * bl)};
}

static inline struct double_double dd_plus(struct double_double a, double b)
{
    struct double_double sum = dd_sum(a.hi, b);
    return dd_tidy(sum.hi, sum.lo + a.lo);
}

static inline struct double_double dd_add(struct double_double a, struct double_double b)
{
    struct double_double sum = dd_sum(a.hi, b.hi);
    return dd_tidy(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline struct double_double dd_times(struct double_double a, double b)
{
    struct double_double product = dd_product(a.hi, b);
    return dd_tidy(product.hi, product.lo + a.lo * b);
}

static inline struct double_double dd_multiply(struct double_double a, struct double_double b)
{
    struct double_double product = dd_product(a.hi, b.hi);
    return dd_tidy(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct double_double dd_over(struct double_double a, double b)
{
    double quotient = a.hi / b;
    struct double_double back = dd_product(quotient, b);
    return dd_tidy(quotient, ((a.hi - back.hi) - back.lo + a.lo) / b);
}

/* Returns 1/sqrt(a) for a > 0, with relative error 2^-98: r(1 + ρ/2 + 3ρ²/8) with r = 1/sqrt(a.hi), ρ = 1 −
 * a·r². */
static inline struct double_double dd_rsqrt(struct double_double a)
{
    double r = 1 / __builtin_sqrt(a.hi);
    struct double_double left = dd_multiply(a, dd_product(r, r));
    double rho = (1 - left.hi) - left.lo;
    return dd_tidy(r, r * (rho / 2 + 3 * rho * rho / 8));
}

#endif

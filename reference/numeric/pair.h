/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PAIR_H
#define ASSAY_REFERENCE_PAIR_H

/* Double-double arithmetic: hi + lo, |lo| ≤ ulp(hi)/2 after each operation. By + − × alone, so that every
 * machine gets the same bits. Relative errors, in the absence of over- and underflow (products not below
 * 2^-900): sums of the terms' magnitudes 2^-104, products and quotients 2^-101 (Joldes, Muller and Popescu,
 * ACM TOMS 44 (2017), have sharper ones). */

struct pair {
    double hi, lo;
};

/* a + b, exactly (Knuth). */
static inline struct pair pair_sum(double a, double b)
{
    double sum = a + b, t = sum - a;
    return (struct pair){sum, (a - (sum - t)) + (b - t)};
}

/* The same where |a| ≥ |b| or a = 0 (Dekker). */
static inline struct pair pair_tidy(double a, double b)
{
    double sum = a + b;
    return (struct pair){sum, b - (sum - a)};
}

/* a·b, exactly (Veltkamp, Dekker); |a|, |b| < 2^990. */
static inline struct pair pair_product(double a, double b)
{
    double t = a * (0x1p27 + 1), s = b * (0x1p27 + 1), product = a * b;
    double ah = t - (t - a), al = a - ah, bh = s - (s - b), bl = b - bh;
    return (struct pair){product, al * bl - (((product - ah * bh) - al * bh) - ah * bl)};
}

static inline struct pair pair_plus(struct pair a, double b)
{
    struct pair sum = pair_sum(a.hi, b);
    return pair_tidy(sum.hi, sum.lo + a.lo);
}

static inline struct pair pair_add(struct pair a, struct pair b)
{
    struct pair sum = pair_sum(a.hi, b.hi);
    return pair_tidy(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline struct pair pair_times(struct pair a, double b)
{
    struct pair product = pair_product(a.hi, b);
    return pair_tidy(product.hi, product.lo + a.lo * b);
}

static inline struct pair pair_multiply(struct pair a, struct pair b)
{
    struct pair product = pair_product(a.hi, b.hi);
    return pair_tidy(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct pair pair_over(struct pair a, double b)
{
    double quotient = a.hi / b;
    struct pair back = pair_product(quotient, b);
    return pair_tidy(quotient, ((a.hi - back.hi) - back.lo + a.lo) / b);
}

/* 1/sqrt(a), a > 0: r(1 + ρ/2 + 3ρ²/8), ρ = 1 − a·r², r = 1/sqrt(a.hi); relative error 2^-98. */
static inline struct pair pair_rsqrt(struct pair a)
{
    double r = 1 / __builtin_sqrt(a.hi);
    struct pair left = pair_multiply(a, pair_product(r, r));
    double rho = (1 - left.hi) - left.lo;
    return pair_tidy(r, r * (rho / 2 + 3 * rho * rho / 8));
}

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ROUND_UP_H
#define ASSAY_REFERENCE_NUMERIC_ROUND_UP_H

/* Double arithmetic rounded up. Sensitivities are computed with it, because they must be upper bounds.
 *
 * For operands ≥ 0 (sums accept any sign) each result is the least double that is not below the exact one, so
 * exact results stay exact: a sum of integers is an integer. Below 2^-900, where the rounding error may
 * itself underflow and cannot be determined, the result is one double larger. 0 times anything is 0. Pure
 * functions. */

#include <math.h>

/* Below this the rounding error of a product, quotient or root may itself underflow. */
#define ROUND_UP_LEAST 0x1p-900

static inline double round_up_next(double x)
{
    return nextafter(x, INFINITY);
}

static inline double round_up_sum(double a, double b)
{
    double sum = a + b, t = sum - a, rest = (a - (sum - t)) + (b - t); /* Knuth's TwoSum */
    return rest > 0 ? round_up_next(sum) : sum;
}

static inline double round_up_product(double a, double b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    double product = a * b;
    return product < ROUND_UP_LEAST || fma(a, b, -product) > 0 ? round_up_next(product) : product;
}

static inline double round_up_quotient(double a, double b)
{
    double quotient = a / b;
    if (a == 0 || b == 0 || isinf(b)) {
        return quotient;
    }
    return a < ROUND_UP_LEAST || quotient < ROUND_UP_LEAST || fma(-quotient, b, a) > 0
               ? round_up_next(quotient)
               : quotient;
}

static inline double round_up_root(double x)
{
    double root = sqrt(x);
    return (x > 0 && x < ROUND_UP_LEAST) || fma(-root, root, x) > 0 ? round_up_next(root) : root;
}

/* Returns the second next double above x, of either sign: an upper bound of a product with a constant, where
 * the constant and the product were each rounded once. */
static inline double round_up_twice(double x)
{
    return isinf(x) ? x : round_up_next(round_up_next(x));
}

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_UPWARD_H
#define ASSAY_REFERENCE_UPWARD_H

/* Arithmetic rounded up, in double: what sensitivities are computed with, since they are promised as upper
 * bounds.
 *
 * Of numbers ≥ 0 (sums also of others) each result is the least double that is not below the true one, so
 * that what is exact stays exact: a sum of integers is one. Where the residue cannot be told, near the least
 * normal number, one double more. 0 times anything is 0. Pure functions. */

#include <math.h>

/* Below, the residue of a product, a quotient or a root may itself underflow. */
#define UPWARD_LEAST 0x1p-900

static inline double upward_next(double x)
{
    return nextafter(x, INFINITY);
}

static inline double upward_sum(double a, double b)
{
    double sum = a + b, t = sum - a, rest = (a - (sum - t)) + (b - t); /* Knuth's TwoSum */
    return rest > 0 ? upward_next(sum) : sum;
}

static inline double upward_product(double a, double b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    double product = a * b;
    return product < UPWARD_LEAST || fma(a, b, -product) > 0 ? upward_next(product) : product;
}

static inline double upward_quotient(double a, double b)
{
    double quotient = a / b;
    if (a == 0 || b == 0 || isinf(b)) {
        return quotient;
    }
    return a < UPWARD_LEAST || quotient < UPWARD_LEAST || fma(-quotient, b, a) > 0 ? upward_next(quotient)
                                                                                   : quotient;
}

static inline double upward_root(double x)
{
    double root = sqrt(x);
    return (x > 0 && x < UPWARD_LEAST) || fma(-root, root, x) > 0 ? upward_next(root) : root;
}

/* Two doubles up, of either sign: above a product with a constant, each of which was rounded once. */
static inline double upward_twice(double x)
{
    return isinf(x) ? x : upward_next(upward_next(x));
}

#endif

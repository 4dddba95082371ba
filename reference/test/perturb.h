/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_PERTURB_H
#define ASSAY_REFERENCE_TEST_PERTURB_H

/* The spread S by brute force: an algorithm runs in double once for each of its roundings, with only that
 * rounding perturbed by a relative error, and S² = Σ (∂result/∂error)². */

#include <math.h>

struct perturbation {
    long count, target; /* roundings so far; the perturbed one, −1: none */
    double error;
};

/* Returns a rounded result; `weight` is how many unit roundoffs this operation may err by. */
static inline double rounding(struct perturbation *p, double weight, double x)
{
    return p->count++ == p->target ? x * (1 + weight * p->error) : x;
}

#define R(x_) rounding(p, 1, (x_))

typedef void algorithm(struct perturbation *p, const void *problem, double *result);

/* Fills spread[] with S/u of `results` ≤ 64 numbers. */
static inline void spread_by_force(algorithm *run, const void *problem, int results, double *spread)
{
    enum { MOST_RESULTS = 64 };
    double plain[MOST_RESULTS], moved[MOST_RESULTS];
    struct perturbation p = {.target = -1};
    run(&p, problem, plain);
    long count = p.count;
    for (int i = 0; i < results; i++) {
        spread[i] = 0;
    }
    for (long k = 0; k < count; k++) {
        p = (struct perturbation){.target = k, .error = 0x1p-24};
        run(&p, problem, moved);
        for (int i = 0; i < results; i++) {
            double slope = (moved[i] - plain[i]) / 0x1p-24;
            spread[i] += slope * slope;
        }
    }
    for (int i = 0; i < results; i++) {
        spread[i] = sqrt(spread[i]);
    }
}

/* Adds to squares[k] the square of the prefix sum s_k for every order of x, n ≤ 7, and to *orders the number
 * of orders. */
static inline void permute(double *x, int n, int fixed, double *squares, double *orders)
{
    if (fixed == n) {
        double prefix = 0;
        for (int k = 0; k < n; k++) {
            prefix += x[k];
            squares[k] += prefix * prefix;
        }
        ++*orders;
    }
    for (int k = fixed; k < n; k++) {
        double t = x[fixed];
        x[fixed] = x[k];
        x[k] = t;
        permute(x, n, fixed + 1, squares, orders);
        x[k] = x[fixed];
        x[fixed] = t;
    }
}

/* Returns the greater of Σ_{k ≥ 2} s_k² in the natural order and its mean over all orders; fills
 * mean_square[k] with the mean of s_k² unless it is NULL. */
static inline double energy_by_force(const double *x, int n, double *mean_square)
{
    double copy[8], squares[8] = {0}, orders = 0, natural = 0, mean = 0, prefix = 0;
    for (int k = 0; k < n; k++) {
        copy[k] = x[k];
        prefix += x[k];
        natural += k > 0 ? prefix * prefix : 0;
    }
    permute(copy, n, 0, squares, &orders);
    for (int k = 0; k < n; k++) {
        mean += squares[k] / orders;
        if (mean_square) {
            mean_square[k] = squares[k] / orders;
        }
    }
    return natural > mean ? natural : mean;
}

#endif

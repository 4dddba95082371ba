/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/matrix_component.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- the running bound: R0 = c0·u·e^(|A|/2^s), c0 = 10n; R ← |X|R + R|X| + R² + n·u·|X|², X = e^(A/2^k), k =
 * s..1; the worst admissible s. R is kept with the exponent of X. To this comes the truncated series: all
 * good polynomials and rational functions of A give e^(A + Δ) with Δ a series in A and ‖Δ‖ ≤ u‖A‖ (Al-Mohy
 * and Higham, SIMAX 31 (2009), sec. 2), hence u‖A‖₁‖X‖₁; no elimination leaves a component, so ‖X‖ is that of
 * the component. All sums are of positive terms; the factor 1 + 2^-30 covers their rounding. */

/* e^(|A|/2^s) by its series: ‖A/2^s‖ ≤ 6. */
static void absolute_exponential(const struct block *block, int s, double *term, double *next, double *sum)
{
    int n = block->n;
    for (int i = 0; i < n * n; i++) {
        sum[i] = term[i] = i / n == i % n;
    }
    for (int k = 1; k <= 60; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double x = 0;
                for (int l = 0; l < n; l++) {
                    x += term[i * n + l] * ldexp(fabs(block->a[l * n + j]), -s);
                }
                next[i * n + j] = x / k;
            }
        }
        double largest = 0;
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i];
            sum[i] += next[i];
            largest = fmax(largest, next[i]);
        }
        if (largest < 0x1p-60) {
            return;
        }
    }
}

/* One squaring: r (2^e, beside x) → r (2^after, beside x²). */
static void bound_square(int n, double u, const double *x, double *r, double *next, int rescale)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0, square = 0;
            for (int k = 0; k < n; k++) {
                sum += (x[i * n + k] + r[i * n + k]) * r[k * n + j] + r[i * n + k] * x[k * n + j];
                square += x[i * n + k] * x[k * n + j];
            }
            next[i * n + j] = ldexp(sum + n * u * square, rescale);
        }
    }
    for (int i = 0; i < n * n; i++) {
        r[i] = next[i];
    }
}

static int clamp_exponent(long e)
{
    return (int)fmax(-4000, fmin(4000, (double)e));
}

/* work: 3 n². Raises worst[] (beside e^A, its exponent) to the bound of this s. */
static void running_bound(const struct block *block, int s, double u, double *work, double *worst)
{
    int n = block->n, count = n * n;
    double *r = work, *t1 = work + count, *t2 = work + 2 * count;
    absolute_exponential(block, s, t1, t2, r);
    for (int i = 0; i < count; i++) {
        r[i] = ldexp(10 * n * u * r[i], clamp_exponent(-block->exponent[s]));
    }
    for (int k = s; k > 0; k--) {
        bound_square(n, u, &block->stage[(size_t)k * (size_t)count], r, t1,
                     clamp_exponent(2 * block->exponent[k] - block->exponent[k - 1]));
    }
    for (int i = 0; i < count; i++) {
        worst[i] = fmax(worst[i], r[i] * (1 + 0x1p-30));
    }
}

static double in_range(double x, long exponent) /* finite as long as x is */
{
    double scaled = ldexp(x, clamp_exponent(exponent));
    return isfinite(x) && !isfinite(scaled) ? DBL_MAX : scaled;
}

/* out: rounding, underflow, overflow and log2 of rounding of the component, n² each. */
bool block_sensitivities(const struct block *block, double u, double *out)
{
    int n = block->n, count = n * n;
    double *work = malloc(3 * (size_t)count * sizeof *work);
    if (!work) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        out[i] = 0;
    }
    for (int s = block->least; s <= block->greatest; s++) {
        running_bound(block, s, u, work, out);
    }
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += block->stage[i * n + j];
        }
        norm = fmax(norm, sum);
    }
    for (int i = 0; i < count; i++) {
        double partial = 0;
        const double *half = &block->stage[count]; /* e^(A/2) */
        for (int k = 0; block->squarings && k < n; k++) {
            partial += half[i / n * n + k] * half[k * n + i % n];
        }
        double rounding = block->norm == 0 ? 0 : (out[i] + u * block->norm * norm) * (1 + 0x1p-30);
        out[i] = in_range(rounding, block->exponent[0]);
        out[3 * count + i] = log2(rounding) + (double)block->exponent[0] + 0x1p-30;
        out[count + i] = 4 * n * fmax(1, in_range(norm, block->exponent[0])) * ldexp(1, block->greatest);
        out[2 * count + i] = block->greatest ? log2(partial) + 2 * (double)block->exponent[1] : -INFINITY;
    }
    free(work);
    return true;
}

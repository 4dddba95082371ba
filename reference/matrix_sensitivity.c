/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/matrix_component.h"
#include "reference/upward.h"

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

/* work: 3 n². Raises worst[] (beside e^A, its exponent) to the bound of this s, and half[] to that of e^(A/2)
 * beside it, where there is a squaring. */
static void running_bound(const struct block *block, int s, double u, double *work, double *worst,
                          double *half)
{
    int n = block->n, count = n * n;
    double *r = work, *t1 = work + count, *t2 = work + 2 * count;
    absolute_exponential(block, s, t1, t2, r);
    for (int i = 0; i < count; i++) {
        r[i] = ldexp(10 * n * u * r[i], clamp_exponent(-block->exponent[s]));
    }
    for (int k = s; k > 0; k--) {
        for (int i = 0; k == 1 && i < count; i++) {
            half[i] = fmax(half[i], r[i] * (1 + 0x1p-30));
        }
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

static double column_norm(int n, const double *a)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum = upward_sum(sum, a[i * n + j]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

/* log2 of Σ|x||y| over the products of the last squaring that lead to entry i, and of those among them whose
 * sign may differ from the entry's: a factor within `slack` times its error of zero has no sign. */
static void describe_squaring(const struct block *block, const double *error, int i, double *all,
                              double *opposed)
{
    const double slack = 4; /* a profile's u may be twice the dtype's; and terms of second order */
    const double *half = &block->stage[block->n * block->n];
    double sum = 0, against = 0, sign = block->value[i].hi > 0 ? 1 : block->value[i].hi < 0 ? -1 : 0;
    for (int k = 0; k < block->n; k++) {
        int x = i / block->n * block->n + k, y = k * block->n + i % block->n;
        double p = slack * error[x], q = slack * error[y];
        bool sure = half[x] > p && half[y] > q && block->half_sign[x] * block->half_sign[y] == sign;
        sum = upward_sum(sum, upward_product(half[x], half[y]));
        if (!sure && block->reach[x] && block->reach[y]) {
            against = upward_sum(against, upward_product(half[x] + p, half[y] + q));
        }
    }
    *all = upward_libm(log2(sum)) + 2 * (double)block->exponent[1];
    *opposed = upward_libm(log2(against)) + 2 * (double)block->exponent[1];
}

/* out: rounding, underflow, overflow, opposed and log2 of rounding of the component, n² each. */
bool block_sensitivities(const struct block *block, double u, double *out)
{
    int n = block->n, count = n * n;
    double *work = malloc(4 * (size_t)count * sizeof *work);
    if (!work) {
        return false;
    }
    double *half = work + 3 * count;
    for (int i = 0; i < count; i++) {
        out[i] = half[i] = 0;
    }
    for (int s = block->least; s <= block->greatest; s++) {
        running_bound(block, s, u, work, out, half);
    }
    double norm = column_norm(n, block->stage);
    double floor = block->greatest ? u * block->norm * column_norm(n, &block->stage[count]) : 0;
    for (int i = 0; i < count; i++) {
        half[i] += floor;
    }
    for (int i = 0; i < count; i++) {
        double rounding = block->norm == 0 ? 0 : (out[i] + u * block->norm * norm) * (1 + 0x1p-30);
        out[i] = in_range(rounding, block->exponent[0]);
        out[4 * count + i] = log2(rounding) + (double)block->exponent[0] + 0x1p-30;
        double products = ldexp(4 * n, block->greatest); /* exact */
        out[count + i] = upward_product(products, fmax(1, in_range(norm, block->exponent[0])));
        out[2 * count + i] = out[3 * count + i] = -INFINITY;
        if (block->greatest) {
            describe_squaring(block, half, i, &out[2 * count + i], &out[3 * count + i]);
        }
    }
    free(work);
    return true;
}

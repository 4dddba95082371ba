/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Matrices with dense factors, as users have them: no pivot is known beforehand, and every entry takes part.
 * Computed in float64 by + − × ÷ alone, so that the bits are the same on every machine. */

#include "suites/shared/dense_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER_MAX = 64 };

/* Nearly N(0, 1): the sum of twelve uniform numbers of 24 bits, an exact integer until it is scaled. */
static double gaussian(struct philox *generator)
{
    int64_t sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += philox_next(generator) >> 8;
    }
    return ldexp((double)(sum - ((int64_t)6 << 24)), -24);
}

/* a ← (I − 2vvᵀ/vᵀv)·a for a Gaussian v. The product of n of them is an orthogonal factor without preferred
 * direction (Stewart, "The efficient generation of random orthogonal matrices", SIAM J. Numer. Anal. 17
 * (1980)). */
static void reflect(struct philox *generator, int n, double *a)
{
    double v[ORDER_MAX], norm = 0;
    for (int i = 0; i < n; i++) {
        v[i] = gaussian(generator);
        norm += v[i] * v[i];
    }
    for (int j = 0; j < n && norm > 0; j++) {
        double dot = 0;
        for (int i = 0; i < n; i++) {
            dot += v[i] * a[i * n + j];
        }
        for (int i = 0; i < n; i++) {
            a[i * n + j] -= 2 * dot / norm * v[i];
        }
    }
}

static void transpose(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double x = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = x;
        }
    }
}

/* Whether det a < 0, by elimination with partial pivoting on a copy. */
static bool determinant_is_negative(int n, const double *from)
{
    double a[ORDER_MAX * ORDER_MAX];
    bool negative = false;
    memcpy(a, from, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        negative ^= pivot != k;
        for (int j = 0; j < n && pivot != k; j++) {
            double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        negative ^= a[k * n + k] < 0;
        for (int i = k + 1; i < n && a[k * n + k] != 0; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    return negative;
}

void dense_matrix_fill(struct builder *b, const struct view *view, const struct dense_matrix *matrix,
                       int tensor)
{
    int n = (int)view->shape.dim[0];
    double a[ORDER_MAX * ORDER_MAX] = {0};
    struct philox generator = build_generator(b, tensor);
    if (n > ORDER_MAX) {
        build_fail(b, "a dense matrix is larger than its generator holds");
        return;
    }
    for (int i = 0; i < n * n; i++) {
        a[i] = matrix->orthogonal ? i % (n + 1) == 0 ? 0.5 + 1.5 * philox_unit(&generator) : 0
                                  : gaussian(&generator);
    }
    for (int side = 0; matrix->orthogonal && side < 2; side++) {
        for (int k = 0; k < n; k++) {
            reflect(&generator, n, a);
        }
        transpose(n, a);
    }
    bool turn = determinant_is_negative(n, a) != matrix->negative;
    for (int i = 0; i < n * n; i++) {
        build_set(b, view, i, (turn && i < n ? -a[i] : a[i]) * matrix->scale);
    }
}

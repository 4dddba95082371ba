/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_LARGE_MATRICES_H
#define ASSAY_REFERENCE_TEST_LARGE_MATRICES_H

/* Matrices that tests of elimination in double share. */

#include "reference/test/support.h"

enum large_kind { NORMAL, FULL_DIGITS, COVARIANCE, SCALED_ROWS, NEARLY_SINGULAR, PERMUTED, LARGE_KINDS };

static inline double normal_number(struct philox *g)
{
    double z = -6;
    for (int k = 0; k < 12; k++) {
        z += philox_unit(g);
    }
    return z;
}

/* Turns a random matrix `a` into one of the kind; `b` is a work array of the same size. */
static inline void spoil(enum large_kind kind, int n, struct philox *g, double *a, double *b)
{
    for (int i = 0; kind == COVARIANCE && i < n * n; i++) {
        b[i] = 0;
        for (int k = 0; k < n; k++) {
            b[i] += a[i / n * n + k] * a[i % n * n + k] / n;
        }
    }
    for (int i = 0; kind == COVARIANCE && i < n * n; i++) {
        a[i] = (double)(float)b[i];
    }
    for (int i = 0; kind == SCALED_ROWS && i < n; i++) {
        int e = (int)philox_below(g, 120) - 60;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = ldexp(a[i * n + j], e);
        }
    }
    for (int j = 0; kind == NEARLY_SINGULAR && j < n; j++) { /* two rows that differ only in their last
                                                                bits */
        a[7 * n + j] = a[40 * n + j] * (1 + 0x1p-14 * normal_number(g));
    }
    for (int i = 0; kind == PERMUTED && i < n; i++) { /* triangular, its rows shifted by five */
        for (int j = 0; j < n; j++) {
            b[(i + 5) % n * n + j] = j < i ? 0 : j == i ? 1 + philox_unit(g) : a[i * n + j] / 16;
        }
    }
    if (kind == PERMUTED) {
        memcpy(a, b, (size_t)n * (size_t)n * sizeof *a);
    }
}

/* Returns a new n × n matrix, n ≥ 49; the caller frees it. */
static inline double *large_matrix(enum large_kind kind, int n, uint64_t seed)
{
    struct philox g;
    size_t count = (size_t)n * (size_t)n;
    double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    philox_start(&g, seed * LARGE_KINDS + (uint64_t)kind);
    for (size_t i = 0; i < count; i++) {
        double z = normal_number(&g);
        a[i] = kind == FULL_DIGITS ? z * philox_unit(&g) : (double)(float)z;
    }
    spoil(kind, n, &g, a, b);
    free(b);
    return a;
}

#endif

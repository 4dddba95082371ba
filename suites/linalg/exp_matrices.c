/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/linalg/exp_matrices.h"

#include <math.h>

enum { ORDER_MAX = 64 };

static void jordan(int n, double p, double *a)
{
    for (int i = 0; i < n; i++) {
        a[i * n + i] = p;
        if (i + 1 < n) {
            a[i * n + i + 1] = 1e3;
        }
    }
}

static void generator_matrix(struct philox *generator, int n, double p, double *a)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = p * (double)philox_below(generator, 1 << 10) / (1 << 10);
            sum += i == j ? 0 : a[i * n + j];
        }
        a[i * n + i] = -sum;
    }
}

static void rotations(int n, double p, double *a)
{
    for (int i = 0; i + 1 < n; i += 2) {
        double t = p * 0.7 * (i / 2 + 1);
        a[i * n + i + 1] = -t;
        a[(i + 1) * n + i] = t;
    }
}

static bool fixed_entries(enum exp_kind kind, double *a)
{
    static const double moler[] = {-49, 24, -64, 31}, ward1[] = {4, 2, 0, 1, 4, 1, 1, 1, 4},
                        ward2[] = {29.87942128909879,  0.7815750847907159, -2.289519314033932,
                                   0.7815750847907159, 25.72656945571064,  8.680737820540137,
                                   -2.289519314033932, 8.680737820540137,  34.39400925519054},
                        ward3[] = {-131, 19, 18, -390, 56, 54, -387, 57, 52};
    const double *from = kind == MOLER_VAN_LOAN ? moler
                         : kind == WARD1        ? ward1
                         : kind == WARD2        ? ward2
                         : kind == WARD3        ? ward3
                                                : NULL;
    for (int i = 0; from && i < (kind == MOLER_VAN_LOAN ? 4 : 9); i++) {
        a[i] = from[i];
    }
    return from;
}

/* The matrix a is zero on entry. */
static void random_entries(struct philox *generator, enum exp_kind kind, int n, double p, double *a)
{
    double scale = kind == RANDOM_P ? p / n : kind == TINY ? ldexp(1, (int)p) : p;
    for (int i = 0; i < n * n; i++) {
        double x = philox_signed(generator);
        a[i] = kind == TRIANGLE && i / n > i % n ? 0 : x * scale;
    }
}

static double entry(enum exp_kind kind, int n, double p, int i, int j)
{
    switch (kind) {
    case SCALAR:
        return i == j ? p : 0;
    case OVERSCALED:
        return i == j ? 1 - 2 * i : i < j ? p : 0;
    case SKEW:
        return i == j ? 0 : i < j ? -p : p;
    case WARD4:
        return j == i + 1 ? 1 : i == n - 1 && j == 0 ? 1e-10 : 0;
    case SHIFT:
        return j == i + 1 ? p : 0;
    case SQUARE_ZERO:
        return i < n / 2 && j >= n / 2 ? ldexp((i + j) % 2 ? -1 : 1, (i * n + j) % 11 - 5 + (int)p) : 0;
    case SHIFTED:
        return j == (i + 1) % n ? p : 0;
    case DECAY:
        return i == j ? -p * (n - i) / n : 0;
    case OUTER:
        return ((i * 3 % 4 < 2) == (j * 3 % 4 < 2) ? p : -p) / n;
    case DIAGONAL:
        return i != j ? 0 : (i % 2 ? -p : p) / (1 + i / 2);
    case CANCELLED:
        return i == j                         ? p
               : i == 0 && j == 1             ? 1
               : i == 0 && j == 2             ? -1
               : (i == 1 || i == 2) && j == 3 ? 1
                                              : 0;
    default:
        return 0;
    }
}

void exp_matrix_store(struct builder *b, const struct view *view, enum exp_kind kind, double p, int tensor)
{
    double a[ORDER_MAX * ORDER_MAX] = {0};
    int n = (int)view->shape.dim[view->shape.rank - 1];
    struct philox generator = build_generator(b, tensor);
    if (kind == JORDAN) {
        jordan(n, p, a);
    } else if (kind == ROTATIONS) {
        rotations(n, p, a);
    } else if (kind == GENERATOR) {
        generator_matrix(&generator, n, p, a);
    } else if (kind == RANDOM_P || kind == TRIANGLE || kind == TINY) {
        random_entries(&generator, kind, n, p, a);
    } else if (!fixed_entries(kind, a)) {
        for (int i = 0; i < n * n; i++) {
            a[i] = entry(kind, n, p, i / n, i % n);
        }
    }
    for (int i = 0; i < n * n; i++) {
        build_set(b, view, i, a[i]);
    }
    build_origin(b, view, kind == RANDOM_P || kind == TRIANGLE || kind == TINY);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/linalg/matrices.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct op lowering = {.family = "linalg", .name = "logdet"};
static const struct suite_case here = {.op = &lowering,
                                       .dtype = DTYPE_FLOAT32,
                                       .name = "matrices",
                                       .covers = "",
                                       .file = __FILE__,
                                       .line = __LINE__};

static void make(enum family family, int n, int64_t p, double *a)
{
    struct builder b = {.c = &here, .seed = 1};
    matrix_make(&b, family, n, p, 0, a);
}

/* Returns the determinant by elimination in long double, which is accurate enough to distinguish these
 * families. */
static double determinant(int n, const double *entries)
{
    long double a[40 * 40], d = 1;
    for (int i = 0; i < n * n; i++) {
        a[i] = entries[i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++) {
            pivot = fabsl(a[i * n + k]) > fabsl(a[pivot * n + k]) ? i : pivot;
        }
        for (int j = 0; j < n && pivot != k; j++) {
            long double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        d *= pivot != k ? -a[k * n + k] : a[k * n + k];
        for (int i = k + 1; i < n && a[k * n + k] != 0; i++) {
            long double m = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) {
                a[i * n + j] -= m * a[k * n + j];
            }
        }
    }
    return (double)d;
}

static void expect_determinant(enum family family, int n, int64_t p, double expected)
{
    double a[40 * 40];
    make(family, n, p, a);
    double d = determinant(n, a);
    cr_expect(fabs(d - expected) <= 1e-9 * fmax(1, fabs(expected)), "family %d, n = %d: %g, expected %g",
              family, n, d, expected);
}

static void expect_entries(enum family family, int n, const double *expected)
{
    double a[40 * 40];
    make(family, n, 0, a);
    for (int i = 0; i < n * n; i++) {
        cr_expect(fabs(a[i] - expected[i]) < 1e-15, "family %d, entry %d: %.17g, expected %.17g", family, i,
                  a[i], expected[i]);
    }
}

Test(matrices, entries)
{
    expect_entries(HILBERT, 3, (double[]){1, 1. / 2, 1. / 3, 1. / 2, 1. / 3, 1. / 4, 1. / 3, 1. / 4, 1. / 5});
    double s = sin(1.2), c = cos(1.2);
    expect_entries(KAHAN, 3, (double[]){1, -c, -c, 0, s, -c * s, 0, 0, s * s});
    expect_entries(VANDERMONDE, 3, (double[]){1, 1, 1, 1, 2, 4, 1, 3, 9});
    expect_entries(FRANK, 4, (double[]){4, 3, 2, 1, 3, 3, 2, 1, 0, 2, 2, 1, 0, 0, 1, 1});
    expect_entries(PASCAL, 4, (double[]){1, 1, 1, 1, 1, 2, 3, 4, 1, 3, 6, 10, 1, 4, 10, 20});
    expect_entries(MOLER, 3, (double[]){1, -1, -1, -1, 2, 0, -1, 0, 3});
    expect_entries(MIN_IJ, 3, (double[]){1, 1, 1, 1, 2, 2, 1, 2, 3});
    expect_entries(LEHMER, 3, (double[]){1, 1. / 2, 1. / 3, 1. / 2, 1, 2. / 3, 1. / 3, 2. / 3, 1});
    expect_entries(TRIDIAGONAL, 3, (double[]){2, -1, 0, -1, 2, -1, 0, -1, 2});
    expect_entries(GROWTH, 3, (double[]){1, 0, 1, -1, 1, 1, -1, -1, 1});
    expect_entries(CYCLIC, 3, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 0});
    expect_entries(COUNTING, 3, (double[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    expect_entries(DUPLICATE_EXACT, 4, (double[]){2, 1, 1, 1, 2, 1, 1, 1, 0, 4, 1, 1, 0, 0, 8, 1});
}

Test(matrices, determinants)
{
    expect_determinant(FRANK, 7, 0, 1);
    expect_determinant(PASCAL, 7, 0, 1);
    expect_determinant(MOLER, 9, 0, 1);
    expect_determinant(MIN_IJ, 9, 0, 1);
    expect_determinant(TRIDIAGONAL, 16, 0, 17);
    expect_determinant(GROWTH, 12, 0, 2048);
    expect_determinant(VANDERMONDE, 4, 0, 12);
    expect_determinant(KAHAN, 5, 0, pow(sin(1.2), 10));
    expect_determinant(TRANSPOSITION, 5, 2, -1);
    expect_determinant(CYCLIC, 4, 0, -1);
    expect_determinant(CYCLIC, 5, 0, 1);
    expect_determinant(REFLECTION, 4, 0, -1);
    expect_determinant(NEAR_SINGULAR, 2, 0, 0x1p-23);
    expect_determinant(NEAR_SINGULAR_NEGATIVE, 2, 0, -0x1p-24);
    expect_determinant(ZEROS, 4, 0, 0);
    expect_determinant(DUPLICATE_EXACT, 8, 0, 0);
    expect_determinant(RANK_ONE, 3, 0, 0);
    expect_determinant(NEGATIVE_PAIR, 7, 0, 6);
    expect_determinant(SCALED_IDENTITY, 3, 4, 4096);
    expect_determinant(UPPER, 4, 0, 1024);
    expect_determinant(LOWER, 4, 1, -1024);
    expect_determinant(DIAGONAL_MIXED, 6, 0, 1);
    for (int n = 3; n <= 9; n++) {
        expect_determinant(EVEN_PERMUTATION, n, 0, 1);
        expect_determinant(ODD_PERMUTATION, n, 0, -1);
    }
}

/* Tests what the tables assume of the random families, for many orders and both signs. */
Test(matrices, signs_of_random_families)
{
    double a[40 * 40];
    for (int n = 1; n <= 40; n++) {
        make(RANDOM, n, 0, a);
        cr_expect_gt(determinant(n, a), 0, "RANDOM, n = %d", n);
        make(RANDOM_NEGATIVE, n, 0, a);
        cr_expect_lt(determinant(n, a), 0, "RANDOM_NEGATIVE, n = %d", n);
        make(PERMUTED_DIAGONAL, n, 0, a);
        cr_expect_gt(determinant(n, a), 0, "PERMUTED_DIAGONAL, n = %d", n);
        make(PERMUTED_DIAGONAL, n, 1, a);
        cr_expect_lt(determinant(n, a), 0, "PERMUTED_DIAGONAL negative, n = %d", n);
        if (n >= 3) {
            make(TINY_PIVOT, n, 0, a);
            cr_expect(determinant(n, a) > 0 && a[0] == 0x1p-20, "TINY_PIVOT, n = %d", n);
            make(ZERO_PIVOT, n, 0, a);
            cr_expect(determinant(n, a) > 0 && a[0] == 0, "ZERO_PIVOT, n = %d", n);
        }
    }
}

/* Tests the exactness probes: elimination in the dtype itself rounds nowhere, whichever of equal candidates
 * it chooses. */
static bool eliminates_exactly(int n, const double *entries, bool last_of_equals)
{
    double a[40 * 40];
    for (int i = 0; i < n * n; i++) {
        a[i] = entries[i];
    }
    bool exact = true;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            double x = fabs(a[i * n + k]), y = fabs(a[pivot * n + k]);
            pivot = x > y || (last_of_equals && x == y) ? i : pivot;
        }
        for (int j = 0; j < n && pivot != k; j++) {
            double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        if (a[k * n + k] == 0) { /* an exact zero pivot: the matrix is singular */
            return exact;
        }
        for (int i = k + 1; i < n; i++) {
            int e;
            double m = a[i * n + k] / a[k * n + k];
            exact = exact && (a[i * n + k] == 0 || fabs(frexp(a[k * n + k], &e)) == 0.5 || fabs(m) == 1);
            for (int j = k; j < n; j++) {
                a[i * n + j] -= m * a[k * n + j];
                exact = exact && (double)(float)a[i * n + j] == a[i * n + j];
            }
        }
    }
    return exact;
}

Test(matrices, exact_families_never_round)
{
    static const enum family families[] = {
        UPPER,         LOWER,           PERMUTED_DIAGONAL,     EVEN_PERMUTATION,
        CYCLIC,        DUPLICATE_EXACT, ODD_PERMUTATION,       NEGATIVE_PAIR,
        NEAR_SINGULAR, PROPORTIONAL,    NEAR_SINGULAR_NEGATIVE};
    double a[40 * 40], turned[40 * 40];
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int n = 3; n <= 33; n += 5) {
            bool pair = families[f] == NEAR_SINGULAR || families[f] == NEAR_SINGULAR_NEGATIVE ||
                        families[f] == PROPORTIONAL;
            int order = pair ? 2 : n;
            make(families[f], order, 0, a);
            for (int i = 0; i < order * order; i++) {
                turned[i] = a[i % order * order + i / order];
            }
            cr_expect(eliminates_exactly(order, a, false) && eliminates_exactly(order, a, true),
                      "family %d, n = %d", families[f], order);
            cr_expect(eliminates_exactly(order, turned, false) && eliminates_exactly(order, turned, true),
                      "transpose of family %d, n = %d", families[f], order);
        }
    }
}

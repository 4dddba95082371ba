/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests blocked elimination, to the bit, against the textbook's loops, and the loops of each isa against each
 * other. */

#include "reference/numeric/matrix/double_lu.h"
#include "reference/test/large_matrices.h"

static void swap(double *x, double *y)
{
    double t = *x;
    *x = *y;
    *y = t;
}

static void textbook(int n, double *a, bool complete)
{
    for (int k = 0; k < n; k++) {
        int row = k, column = k;
        for (int j = k; j < (complete ? n : k + 1); j++) {
            for (int i = k; i < n; i++) {
                if (fabs(a[i * n + j]) > fabs(a[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        for (int j = 0; row != k && j < n; j++) {
            swap(&a[k * n + j], &a[row * n + j]);
        }
        for (int i = 0; column != k && i < n; i++) {
            swap(&a[i * n + k], &a[i * n + column]);
        }
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}

static void check(enum large_kind kind, int n, uint64_t seed)
{
    double *a = large_matrix(kind, n, seed), *b = malloc((size_t)(n * n) * sizeof *b);
    for (int form = 0; form < 3; form++) {
        struct double_lu f;
        for (int i = 0; i < n * n; i++) {
            b[i] = form == 1 ? a[i % n * n + i / n] : a[i];
        }
        textbook(n, b, form == 2);
        cr_assert(double_lu_create(&f, n, a, form == 1, form == 2 ? LU_COMPLETE : LU_PARTIAL));
        cr_assert(f.regular);
        for (int i = 0; i < n; i++) {
            cr_assert(memcmp(f.lu + i * f.stride, b + i * n, (size_t)n * sizeof *b) == 0,
                      "kind %d, n = %d, form %d: row %d", kind, n, form, i);
        }
        double_lu_destroy(&f);
    }
    free(a);
    free(b);
}

Test(double_lu, blocks_are_the_textbooks_loops_to_the_bit)
{
    for (int isa = -1; lu_force(isa); isa++) {
        for (int kind = 0; kind < LARGE_KINDS; kind++) {
            check((enum large_kind)kind, 49 + 9 * kind + isa, 3);
        }
    }
    lu_force(-1);
}

/* Ties: the first in its column, the first of the columns. */
Test(double_lu, ties_go_to_the_first_of_the_first_column)
{
    double a[64 * 64];
    for (int i = 0; i < 64 * 64; i++) { /* Hadamard's, by Sylvester: every entry ±1 */
        a[i] = __builtin_popcount((unsigned)(i / 64 & i % 64)) % 2 ? -1 : 1;
    }
    double b[64 * 64];
    memcpy(b, a, sizeof a);
    textbook(64, b, true);
    struct double_lu f;
    cr_assert(double_lu_create(&f, 64, a, false, LU_COMPLETE));
    cr_assert(memcmp(f.lu, b, sizeof b) == 0);
    double_lu_destroy(&f);
}

Test(double_lu, orders_and_signs_are_those_of_the_rows)
{
    enum { N = 70 };
    double *a = large_matrix(NORMAL, N, 9);
    for (int pivots = LU_PARTIAL; pivots <= LU_COMPLETE; pivots++) {
        struct double_lu f;
        cr_assert(double_lu_create(&f, N, a, false, (enum lu_pivots)pivots));
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k <= i && k <= j; k++) {
                    sum += (k == i ? 1 : f.lu[i * f.stride + k]) * f.lu[k * f.stride + j];
                }
                cr_assert_float_eq(sum, a[f.row[i] * N + f.column[j]], 1e-12);
            }
        }
        double_lu_destroy(&f);
    }
    free(a);
}

static void numbers(struct philox *g, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = normal_number(g) * (1 + philox_unit(g));
    }
}

/* A sum by lu_dot2 within its error of MPFR's. */
Test(double_lu, dot2_is_within_its_error)
{
    enum { TERMS = 61 };
    static double left[LU_TILE * TERMS];
    static _Alignas(64) double panel[TERMS * LU_TILE];
    struct philox g;
    philox_start(&g, 4);
    numbers(&g, left, LU_TILE * TERMS);
    numbers(&g, panel, TERMS * LU_TILE);
    struct lu_factors f = {left, TERMS, panel, TERMS};
    mpfr_t sum, term;
    mpfr_init2(sum, 600);
    mpfr_init2(term, 106);
    for (int isa = -1; lu_force(isa); isa++) {
        struct lu_pairs pairs;
        double greatest = 0;
        for (int e = 0; e < LU_TILE * LU_TILE; e++) { /* cancels */
            double plain = 0;
            for (int k = 0; k < TERMS; k++) {
                plain += left[e / LU_TILE * TERMS + k] * panel[k * LU_TILE + e % LU_TILE];
            }
            pairs.total[e] = -plain;
        }
        double head[LU_TILE * LU_TILE];
        memcpy(head, pairs.total, sizeof head);
        lu_dot2(&pairs, &f);
        for (int e = 0; e < LU_TILE * LU_TILE; e++) {
            mpfr_set_d(sum, head[e], MPFR_RNDN);
            for (int k = 0; k < TERMS; k++) {
                mpfr_set_d(term, left[e / LU_TILE * TERMS + k], MPFR_RNDN);
                mpfr_mul_d(term, term, panel[k * LU_TILE + e % LU_TILE], MPFR_RNDN);
                mpfr_add(sum, sum, term, MPFR_RNDN);
            }
            mpfr_sub_d(sum, sum, pairs.total[e], MPFR_RNDN);
            mpfr_sub_d(sum, sum, pairs.low[e], MPFR_RNDN);
            double gap = fabs(mpfr_get_d(sum, MPFR_RNDA)) / (pairs.absolute[e] + fabs(head[e]));
            greatest = fmax(greatest, gap);
        }
        cr_assert_leq(greatest, (TERMS + 2) * (TERMS + 2) * 0x1p-104);
        cr_assert_lt(greatest, 0x1p-100, "%g", greatest);
    }
    lu_force(-1);
    mpfr_clears(sum, term, (mpfr_ptr)0);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Determinants of small orders: elimination in integers against Arb, sensitivities from elimination in double
 * against those of the precision ladder, singular values in double-double against known ones, logarithms in
 * double against MPFR. */

#include "reference/ops/determinant/determinant_fixed.h"
#include "reference/numeric/elementary/double_log.h"
#include "reference/ops/determinant/determinant_coefficients.h"
#include "reference/test/support.h"

enum { MOST = 48, ARB_BITS = 1024 };

enum kind { PLAIN, WIDE, ROWS_AND_COLUMNS, TWINS, TRIANGULAR, NEAR_ONE, KINDS };

static void fill(enum kind kind, int n, uint64_t seed, double *a)
{
    struct philox g;
    int row[MOST], column[MOST];
    philox_start(&g, seed * KINDS + (uint64_t)kind);
    for (int i = 0; i < n; i++) {
        row[i] = (int)philox_below(&g, 400) - 200;
        column[i] = (int)philox_below(&g, 200) - 100;
    }
    for (int i = 0; i < n * n; i++) {
        double x = philox_signed(&g);
        a[i] = kind == WIDE               ? ldexp(x, (int)philox_below(&g, 60) - 30)
               : kind == ROWS_AND_COLUMNS ? ldexp(x, row[i / n] + column[i % n])
               : kind == TRIANGULAR       ? (i / n <= (i + 3) % n ? x : 0)
               : kind == NEAR_ONE         ? 0x1p-20 * x + (i / n == i % n)
                                          : x;
    }
    for (int j = 0; kind == TWINS && n > 1 && j < n; j++) {
        a[j] = a[n + j] * (1 + 0x1p-16 * philox_signed(&g));
    }
}

/* Computes log|det A| by Arb and returns the sign. */
static int arb_log_determinant(int n, const double *a, arb_t log)
{
    arb_mat_t m;
    arb_mat_init(m, n, n);
    for (int i = 0; i < n * n; i++) {
        arb_set_d(arb_mat_entry(m, i / n, i % n), a[i]);
    }
    arb_mat_det(log, m, 4 * ARB_BITS);
    int sign = arb_is_positive(log) ? 1 : arb_is_negative(log) ? -1 : 0;
    arb_abs(log, log);
    arb_log(log, log, ARB_BITS);
    arb_mat_clear(m);
    return sign;
}

/* True if the value is certified; asserts that it has the stated bits, as far as a double-double holds
 * them. */
static bool hold(int n, const double *a, const char *what)
{
    struct verified_determinant v;
    struct determinant d = {.sign = 0};
    bool certified = false;
    cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v));
    cr_assert(!v.verified || determinant_fixed(&v, &d, &certified));
    if (certified) {
        arb_t log;
        arb_init(log);
        int sign = arb_log_determinant(n, a, log);
        cr_assert_eq(d.sign, sign, "%s", what);
        double off = value_distance_log2(&d.logabs, log);
        cr_assert_lt(off, 1 - fmin(d.bits, 106), "%s: 2^%g off, %d bits", what, off, d.bits);
        cr_assert_lt(d.bits, 200, "%s", what);
        arb_clear(log);
    }
    verified_determinant_destroy(&v);
    return certified;
}

Test(determinant_fixed, agrees_with_arb)
{
    for (int kind = 0; kind < KINDS; kind++) {
        double a[MOST * MOST];
        int certified = 0;
        for (int t = 0; t < 24; t++) {
            int n = t < 8 ? t + 1 : 1 + (t * 17 + kind) % MOST;
            char what[64];
            snprintf(what, sizeof what, "kind %d, n = %d", kind, n);
            fill((enum kind)kind, n, (uint64_t)t, a);
            certified += hold(n, a, what);
        }
        cr_assert_geq(certified, 14, "kind %d: %d of 24", kind, certified);
    }
}

/* Singular matrices, |det| = 1, ends of the range, subnormals, condition 1/u: every certified value is
 * correct. */
Test(determinant_fixed, claims_nothing_that_is_not_so)
{
    double a[9 * 9];
    for (int n = 1; n <= 9; n++) {
        for (int which = 0; which < 8; which++) {
            fill(PLAIN, n, 99, a);
            for (int i = 0; i < n * n; i++) {
                bool diagonal = i / n == i % n;
                a[i] = which == 0   ? (double)((i / n + 1) * (i % n + 1)) /* rank 1 */
                       : which == 1 ? diagonal
                       : which == 2 ? (double)(i / n < i % n ? i / n + 1 : i % n + 1) /* det 1 */
                       : which == 3 ? ldexp(a[i], 1000)
                       : which == 4 ? ldexp(a[i], -1060)
                       : which == 5 ? (double)(float)(1.0 / (i / n + i % n + 1)) /* Hilbert */
                       : which == 6 ? diagonal * ldexp(1, i % n % 2 ? 600 : -600)
                                    : (diagonal ? 1 + 0x1p-50 : 0);
            }
            bool certified = hold(n, a, "hostile");
            cr_assert(!certified || (which != 1 && which != 2 && (which != 0 || n == 1)), "%d, n = %d", which,
                      n);
        }
    }
}

static void near(const char *what, double got, double expect, double relative)
{
    cr_assert(got == expect || fabs(got - expect) <= relative * fabs(expect), "%s: %.17g, %.17g", what, got,
              expect);
}

/* All of struct determinant. Bounds found by an iteration agree to 1 %. */
Test(determinant_fixed, limits_are_those_of_the_precision_ladder)
{
    double a[MOST * MOST];
    const double some = 0x1p-18;
    for (int t = 0; t < 4 * KINDS; t++) {
        struct determinant d, e;
        int n = 1 + t * 7 % 24;
        fill((enum kind)(t % KINDS), n, (uint64_t)t, a);
        cr_assert(determinant_compute(n, a, 0x1p-8, 0, &d, NULL));
        cr_assert(determinant_by_ziv(n, a, 0x1p-8, 0, &e, NULL));
        cr_assert_eq(d.sign, e.sign);
        near("logabs", d.logabs.hi, e.logabs.hi, 0);
        near("the rest of it", d.logabs.lo, e.logabs.lo, 0x1p-48);
        near("condition", d.condition, e.condition, some);
        near("inverse_sum", d.inverse_sum, e.inverse_sum, some);
        for (int k = 0; k < DETERMINANT_TRACES; k++) {
            near("trace", d.trace[k], e.trace[k], some * (k + 1));
        }
        near("radius", d.radius, e.radius, 0.01);
        near("underflow_sum", d.underflow_sum, e.underflow_sum, 0.05);
        near("log_sum", d.log_sum, e.log_sum, some);
        cr_assert_eq(d.near_one, e.near_one);
        cr_assert(d.log_hadamard >= e.log_hadamard - 1e-12 * fabs(e.log_hadamard) &&
                  d.log_hadamard <= e.log_hadamard + 1e-9 * (1 + fabs(e.log_hadamard)));
        near("log2_abs", d.log2_abs, e.log2_abs, 1e-12);
        cr_assert_eq(!d.log2_coefficient, !e.log2_coefficient, "kind %d, n = %d", t % KINDS, n);
        for (int k = 0; k < n && d.log2_coefficient; k++) {
            cr_assert_float_eq(d.log2_coefficient[k], e.log2_coefficient[k], 1e-4 * (k + 1));
        }
        determinant_clear(&d);
        determinant_clear(&e);
    }
}

/* log2 of D = Σ_k s_{n−k}·F^k·ε^k = Π(σ_i + εF) − Πσ_i. */
static double log2_reach(int n, const double *log2_coefficient, double log2_epsilon)
{
    double sum = 0;
    for (int k = 1; k <= n; k++) {
        sum += exp2(log2_coefficient[k - 1] + k * log2_epsilon);
    }
    return log2(sum);
}

/* Rows 2^(−step·i) of Hadamard's matrix of order 16: its singular values are four times these. The last may
 * be 0. */
Test(determinant_fixed, singular_values_are_the_known_ones)
{
    enum { N = 16 };
    for (int step = 0; step <= 12; step++) {
        for (int singular = 0; singular < 2; singular++) {
            double a[N * N], coefficient[N], most = 0, det = 1;
            double epsilon = N * 0x1p-53, norm = 16;
            for (int i = 0; i < N; i++) {
                double size = singular && i == N - 1 ? 0 : ldexp(1, -step * i);
                for (int j = 0; j < N; j++) {
                    a[i * N + j] = __builtin_popcount((unsigned)(i & j)) % 2 ? -size : size;
                }
                most += log2(4 * size + epsilon * norm);
                det *= 4 * size / (4 * size + epsilon * norm);
            }
            most += log2(1 - det);
            cr_assert(determinant_coefficients(N, a, log2(norm), coefficient));
            double got = log2_reach(N, coefficient, log2(epsilon));
            cr_assert(got >= most - 1e-9 && got <= most + 1e-4, "step %d: %.17g, %.17g", step, got, most);
        }
    }
}

/* Singular values 59, 0, 0 and 2^-60: rounding errors of rotations of columns that cancel would be
 * visible. */
Test(determinant_fixed, rotations_leave_nothing_of_what_cancels)
{
    const double row[] = {1, 3, 7}, column[] = {5, 3, 5};
    double a[16] = {0}, coefficient[4];
    for (int i = 0; i < 9; i++) {
        a[i / 3 * 4 + i % 3] = row[i / 3] * column[i % 3];
    }
    a[15] = 0x1p-60;
    cr_assert(determinant_coefficients(4, a, 0, coefficient));
    double known = log2(59 * 59) / 2 - 60;
    cr_assert(coefficient[1] >= known && coefficient[1] < known + 1e-4, "%.17g, %.17g", coefficient[1],
              known);
}

Test(determinant_fixed, logarithms_in_double_err_by_less_than_they_say)
{
    struct philox g;
    double greatest = 0;
    mpfr_t exact;
    mpfr_init2(exact, 128);
    philox_start(&g, 12);
    for (int t = 0; t < 400000; t++) {
        double unit = 0.5 + philox_unit(&g) / 2;
        double x = t % 4 == 0   ? ldexp(unit, (int)philox_below(&g, 2098) - 1074)
                   : t % 4 == 1 ? 1 + philox_signed(&g) * ldexp(1, -(int)philox_below(&g, 53))
                   : t % 4 == 2 ? M_SQRT1_2 * (1 + philox_signed(&g) * 0x1p-40)
                                : 4 * unit * philox_unit(&g);
        if (!(x > 0)) {
            continue;
        }
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_log(exact, exact, MPFR_RNDN);
        double size = fabs(mpfr_get_d(exact, MPFR_RNDN));
        mpfr_sub_d(exact, exact, double_log(x), MPFR_RNDN);
        double off = fabs(mpfr_get_d(exact, MPFR_RNDN));
        cr_assert(off <= 0x1p-49 * size, "log %a", x);
        greatest = size > 0 ? fmax(greatest, off / size) : greatest;
    }
    cr_assert(greatest > 0x1p-53 && double_log(1) == 0, "%g", greatest);
    mpfr_clear(exact);
}

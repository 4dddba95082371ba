/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/exact_determinant.h"
#include "reference/ops/determinant/determinant.h"
#include "reference/test/support.h"

static void random_matrix(struct philox *generator, int n, double *a, int exponents)
{
    for (int i = 0; i < n * n; i++) {
        int e = exponents ? (int)philox_below(generator, (uint32_t)(2 * exponents)) - exponents : 0;
        a[i] = ldexp(philox_signed(generator), e);
    }
}

static void arb_determinant(int n, const double *a, arb_t det)
{
    arb_mat_t m;
    arb_mat_init(m, n, n);
    for (int i = 0; i < n * n; i++) {
        arb_set_d(arb_mat_entry(m, i / n, i % n), a[i]);
    }
    arb_mat_det(det, m, 4096);
    arb_mat_clear(m);
}

static void check_against_arb(int n, const double *a, const char *what)
{
    struct determinant d;
    struct error error = {.text = ""};
    cr_assert(determinant_compute(n, a, 0x1p-53, 0, &d, &error), "%s: %s", what, error.text);
    arb_t det;
    arb_init(det);
    arb_determinant(n, a, det);
    if (d.sign == 0) {
        cr_assert(arb_contains_zero(det), "%s: called singular", what);
        cr_assert_eq(d.logabs.class, VALUE_NEGATIVE_INFINITY);
    } else {
        cr_assert(d.sign > 0 ? arb_is_positive(det) : arb_is_negative(det), "%s: sign %d", what, d.sign);
        arb_abs(det, det);
        arb_log(det, det, 2048);
        if (d.logabs.exact) {
            cr_assert(d.logabs.hi == 0 && arb_contains_zero(det), "%s: |det| = 1", what);
        } else {
            cr_assert_geq(d.bits, 104);
            cr_assert_lt(value_distance_log2(&d.logabs, det), -100, "%s: log|det|", what);
        }
    }
    arb_clear(det);
    determinant_clear(&d);
}

Test(logdet, random_matrices_agree_with_arb)
{
    struct philox generator;
    philox_start(&generator, 6);
    double a[24 * 24];
    char what[64];
    for (int i = 0; i < 120; i++) {
        int n = 1 + (int)philox_below(&generator, 12);
        random_matrix(&generator, n, a, i % 3 == 0 ? 100 : 0);
        snprintf(what, sizeof what, "random %d, n = %d", i, n);
        check_against_arb(n, a, what);
    }
    random_matrix(&generator, 24, a, 0);
    check_against_arb(24, a, "random n = 24");
}

Test(logdet, difficult_matrices_agree_with_arb)
{
    double a[12 * 12];
    for (int n = 2; n <= 12; n++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = (double)(1.0F / (float)(i + j + 1));
            }
        }
        check_against_arb(n, a, "Hilbert");
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = i < j ? i + 1 : j + 1; /* det = 1 exactly */
            }
        }
        check_against_arb(n, a, "min(i, j)");
        for (int i = 0; i < n * n; i++) {
            a[i] = i + 1; /* rank 2 */
        }
        check_against_arb(n, a, "1, 2, 3, …");
        for (int i = 0; i < n * n; i++) {
            a[i] = (i % n == (i / n + 1) % n) ? ldexp(1, 60 * (i / n) - 300) : 0; /* a scaled cyclic shift */
        }
        check_against_arb(n, a, "cyclic shift");
    }
    double near[4] = {1, 1, 1, 1 + 0x1p-23};
    check_against_arb(2, near, "near-singular");
    double cancel[9] = {0x1p100, 1, 0, 0x1p100, 1, 0x1p-100, 1, 1, 1};
    check_against_arb(3, cancel, "wide exponents");
}

/* det = 0, 1, −1 or none, against FLINT's exact integer determinant. */
Test(logdet, exact_decisions_agree_with_flint)
{
    struct philox generator;
    philox_start(&generator, 8);
    int seen[4] = {0};
    for (int i = 0; i < 4000; i++) {
        int n = 1 + (int)philox_below(&generator, 5);
        double a[25];
        fmpz_mat_t m;
        fmpz_mat_init(m, n, n);
        for (int k = 0; k < n * n; k++) {
            long x = (long)philox_below(&generator, 5) - 2;
            a[k] = (double)x;
            fmpz_set_si(fmpz_mat_entry(m, k / n, k % n), x);
        }
        fmpz_t det;
        fmpz_init(det);
        fmpz_mat_det(det, m);
        enum exact_determinant expect = fmpz_is_zero(det)        ? DETERMINANT_ZERO
                                        : fmpz_equal_si(det, 1)  ? DETERMINANT_ONE
                                        : fmpz_equal_si(det, -1) ? DETERMINANT_MINUS_ONE
                                                                 : DETERMINANT_OTHER;
        enum exact_determinant got = exact_determinant_decide(n, a);
        cr_assert_eq(got, expect, "matrix %d of order %d: %d, FLINT %d", i, n, got, expect);
        seen[got]++;
        fmpz_clear(det);
        fmpz_mat_clear(m);
    }
    cr_assert(seen[0] > 100 && seen[1] > 100 && seen[2] > 100 && seen[3] > 100);
}

Test(logdet, exact_decisions_see_fractions)
{
    double half[4] = {0.5, 0, 0, 2}, quarter[4] = {0.5, 0, 0, 0.5}, tiny[1] = {0x1p-1074}, minus[1] = {-1};
    double singular[4] = {0x1p-1000, 0x1p1000, 0x1p-1010, 0x1p990},
           nearly[4] = {0x1p-1000, 0x1p1000, 0x1p-1010, 0x1p989};
    cr_assert_eq(exact_determinant_decide(2, half), DETERMINANT_ONE);
    cr_assert_eq(exact_determinant_decide(2, quarter), DETERMINANT_OTHER);
    cr_assert_eq(exact_determinant_decide(1, tiny), DETERMINANT_OTHER);
    cr_assert_eq(exact_determinant_decide(1, minus), DETERMINANT_MINUS_ONE);
    double prime[1] = {1073741827}; /* the first prime that is tried: 0 modulo itself */
    cr_assert_eq(exact_determinant_decide(1, prime), DETERMINANT_OTHER);
    cr_assert_eq(exact_determinant_decide(2, singular), DETERMINANT_ZERO);
    cr_assert_eq(exact_determinant_decide(2, nearly), DETERMINANT_OTHER);
}

/* log|det| moves by no more than the bound when every entry of A moves by n·u·|L||U|, which C and D stand
 * for. */
static double perturbed_logdet(int n, const double *a, double u, struct philox *generator, double *sign)
{
    double m[64];
    double largest = 0;
    for (int i = 0; i < n * n; i++) {
        largest = fmax(largest, fabs(a[i]));
    }
    for (int i = 0; i < n * n; i++) { /* |L||U| ≥ |A| componentwise: perturbing by n·u·|A| is within it */
        m[i] = a[i] + n * u * philox_signed(generator) * fabs(a[i]);
    }
    arb_t det;
    arb_init(det);
    arb_determinant(n, m, det);
    *sign = arb_is_positive(det) ? 1 : arb_is_negative(det) ? -1 : 0;
    arb_abs(det, det);
    arb_log(det, det, 200);
    double log_abs = arf_get_d(arb_midref(det), ARF_RND_NEAR);
    arb_clear(det);
    return log_abs;
}

Test(logdet, condition_and_reach_cover_random_perturbations)
{
    struct philox generator;
    philox_start(&generator, 9);
    double u = 0x1p-24;
    int undecided = 0;
    for (int i = 0; i < 150; i++) {
        int n = 2 + (int)philox_below(&generator, 6);
        double a[64];
        random_matrix(&generator, n, a, 0);
        for (int j = 0; i % 2 && j < n; j++) { /* nearly dependent rows */
            a[j] = a[n + j] * (1 + philox_signed(&generator) * 0x1p-22);
        }
        struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)n, (int64_t)n), a);
        for (int k = 0; k < n * n; k++) {
            a[k] = tensor_component(&tensor, k);
        }
        struct truth *truth = truth_of_call("slogdet", NULL, 1, &tensor);
        struct profile ieee = profile_ieee();
        struct accept sign = accept_of("slogdet", NULL, &ieee, truth, 0, 0, false);
        struct accept logabs = accept_of("slogdet", NULL, &ieee, truth, 1, 0, false);
        undecided += logabs.set[0].unbounded_below;
        for (int k = 0; k < 8; k++) {
            double s, l = perturbed_logdet(n, a, u, &generator, &s);
            cr_assert(accepts_double(&sign, s), "matrix %d of order %d: sign %g", i, n, s);
            cr_assert(accepts_double(&logabs, l), "matrix %d of order %d: %.17g, truth %.17g, B %g", i, n, l,
                      value_approximately(&truth->output[1].value[0]), logabs.set[0].radius);
        }
        truth_destroy(&truth);
        tensor_destroy(&tensor);
    }
    cr_assert(undecided > 10, "only %d matrices reached rule D", undecided);
}

/* C by its definition in double precision, without the reference's code. */
Test(logdet, condition_of_a_known_matrix)
{
    /* A = [[2, 1], [1, 3]]: L = [[1, 0], [1/2, 1]], U = [[2, 1], [0, 5/2]], A⁻¹ = [[3, −1], [−1, 2]]/5,
     * |L||U| = [[2, 1], [1, 3]], C = (3·2 + 1·1 + 1·1 + 2·3)/5 = 14/5. */
    double a[4] = {2, 1, 1, 3};
    struct determinant d;
    cr_assert(determinant_compute(2, a, 0x1p-24, 0, &d, NULL));
    cr_assert_float_eq(d.condition, 2.8, 1e-5);
    cr_assert_float_eq(d.inverse_sum, 7.0 / 5, 1e-5);
    cr_assert_float_eq(d.log_sum, log(2) + log(2.5), 1e-5);
    cr_assert_eq(d.near_one, 1);
    cr_assert_float_eq(d.log_hadamard, log(sqrt(5) * sqrt(10)), 1e-5);
    determinant_clear(&d);
    double diagonal[9] = {0.25, 0, 0, 0, 1.5, 0, 0, 0, 0.75};
    cr_assert(determinant_compute(3, diagonal, 0x1p-24, 0, &d, NULL));
    cr_assert_eq(d.near_one, 2);
    determinant_clear(&d);
}

Test(logdet, reach_of_a_diagonal_matrix_is_the_polynomial)
{
    /* diag(1, s): F = ‖|L||U|‖_F = √(1 + s²); coefficients s_1·F and s_0·F². */
    double s = 0x1p-30, a[4] = {1, 0, 0, s};
    struct determinant d;
    a[1] = a[2] = s / 2; /* C large enough for the coefficients to be wanted */
    a[0] = s;
    a[3] = s / 4 + 0x1p-50;
    cr_assert(determinant_compute(2, a, 0x1p-24, 0, &d, NULL));
    cr_assert_not_null(d.log2_coefficient);
    double p = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3], det = a[0] * a[3] - a[1] * a[2];
    double sigma_sum = sqrt(p + 2 * fabs(det)); /* σ1 + σ2 */
    double l = 0.5, u22 = a[3] - l * a[1];
    double f = sqrt(pow(a[0], 2) + pow(a[1], 2) + pow(l * a[0], 2) + pow(l * a[1] + fabs(u22), 2));
    cr_assert_float_eq(d.log2_coefficient[0], log2(sigma_sum * f), 1e-4);
    cr_assert_float_eq(d.log2_coefficient[1], log2(f * f), 1e-4);
    determinant_clear(&d);
}

Test(logdet, special_matrices)
{
    double nan[4] = {1, NAN, 0, 1}, negative[4] = {0, 1, 1, 0}, singular[4] = {1, 2, 2, 4},
           minus_zero[1] = {-0.0}, infinite[1] = {INFINITY};
    struct {
        const double *a;
        int64_t n;
        double logdet, sign, logabs;
    } row[] = {{nan, 2, NAN, NAN, NAN},
               {negative, 2, NAN, -1, 0},
               {singular, 2, -INFINITY, 0, -INFINITY},
               {minus_zero, 1, -INFINITY, 0, -INFINITY},
               {infinite, 1, INFINITY, 1, INFINITY}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct tensor tensor = tensor_from(DTYPE_FLOAT64, shape_of(2, row[i].n, row[i].n), row[i].a);
        struct truth *logdet = truth_of_call("logdet", NULL, 1, &tensor),
                     *slogdet = truth_of_call("slogdet", NULL, 1, &tensor);
        double got[3] = {value_approximately(&logdet->output[0].value[0]),
                         value_approximately(&slogdet->output[0].value[0]),
                         value_approximately(&slogdet->output[1].value[0])};
        double expect[3] = {row[i].logdet, row[i].sign, row[i].logabs};
        for (int k = 0; k < 3; k++) {
            cr_assert(isnan(expect[k]) ? isnan(got[k]) : got[k] == expect[k], "row %zu, value %d: %g", i, k,
                      got[k]);
        }
        truth_destroy(&logdet);
        truth_destroy(&slogdet);
        tensor_destroy(&tensor);
    }
}

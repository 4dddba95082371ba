/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/matrix_exp/matrix_exponential.h"
#include "reference/test/support.h"

static const struct matrix_exponential_scaling scaling = {0.29962, 5.3719};

static void check_against_arb(int n, const double *a, const char *what)
{
    struct matrix_exponential e;
    struct error error = {.text = ""};
    cr_assert(matrix_exponential_compute(n, a, 0x1p-53, &scaling, &e, &error), "%s: %s", what, error.text);
    arb_mat_t m;
    arb_mat_init(m, n, n);
    for (int i = 0; i < n * n; i++) {
        arb_set_d(arb_mat_entry(m, i / n, i % n), a[i]);
    }
    arb_mat_exp(m, m, 4096);
    for (int i = 0; i < n * n; i++) {
        arb_ptr x = arb_mat_entry(m, i / n, i % n);
        if (e.value[i].hi == 0 && e.value[i].exact) {
            cr_assert(arb_contains_zero(x), "%s: entry %d called zero", what, i);
        } else {
            cr_assert_lt(value_distance_log2(&e.value[i], x), -100, "%s: entry %d", what, i);
        }
    }
    arb_mat_clear(m);
    matrix_exponential_clear(&e);
}

Test(matrix_exp, random_matrices_agree_with_arb)
{
    struct philox generator;
    philox_start(&generator, 21);
    double a[12 * 12];
    char what[64];
    for (int t = 0; t < 60; t++) {
        int n = 1 + (int)philox_below(&generator, 8);
        double scale = ldexp(1, (int)philox_below(&generator, 14) - 8);
        for (int i = 0; i < n * n; i++) {
            bool zero = t % 3 == 0 && philox_below(&generator, 2);
            a[i] = zero ? 0 : philox_signed(&generator) * scale;
        }
        snprintf(what, sizeof what, "random %d, n = %d", t, n);
        check_against_arb(n, a, what);
    }
}

Test(matrix_exp, difficult_matrices_agree_with_arb)
{
    double moler[] = {-49, 24, -64, 31}, over[] = {1, 1e6, 0, -1}, skew[] = {0, -1e4, 1e4, 0},
           jordan[] = {0.5, 1e3, 0, 0, 0.5, 1e3, 0, 0, 0.5},
           ward[] = {-131, 19, 18, -390, 56, 54, -387, 57, 52}, range[] = {100, 1, 0, -100};
    check_against_arb(2, moler, "Moler and Van Loan");
    check_against_arb(2, over, "overscaling");
    check_against_arb(2, skew, "rotation");
    check_against_arb(3, jordan, "Jordan");
    check_against_arb(3, ward, "Ward 3");
    check_against_arb(2, range, "range");
}

Test(matrix_exp, nilpotent_matrices_are_exact)
{
    double a[16] = {0, 6, 0, 0, 0, 0, 6, 0, 0, 0, 0, 6}, row[4] = {1, 6, 18, 36};
    double cancel[16] = {0, 1, -1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
    struct matrix_exponential e;
    cr_assert(matrix_exponential_compute(4, a, 0x1p-53, &scaling, &e, NULL));
    for (int j = 0; j < 4; j++) {
        cr_assert(e.value[j].exact && e.value[j].hi == row[j] && e.value[j].lo == 0);
        cr_assert(j == 0 || e.value[4 * j].exact);
    }
    matrix_exponential_clear(&e);
    cr_assert(matrix_exponential_compute(4, cancel, 0x1p-53, &scaling, &e, NULL));
    cr_assert(e.value[3].exact && e.value[3].hi == 0);
    matrix_exponential_clear(&e);
}

/* Taylor of `degree` with its scaling in float: inside the bound at degree 18, outside at degree 5. */
static int outside(int n, const double *a, int degree, int squarings)
{
    float x[36] = {0}, b[36], t[36];
    int count = 0;
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)n, (int64_t)n), a);
    for (int i = 0; i < n * n; i++) {
        b[i] = ldexpf((float)tensor_component(&tensor, i), -squarings);
        x[i] = i / n == i % n;
    }
    for (int step = -degree; step < squarings; step++) {
        for (int i = 0; i < n * n; i++) {
            float sum = 0;
            for (int k = 0; k < n; k++) {
                sum += (step < 0 ? b : x)[i / n * n + k] * x[k * n + i % n];
            }
            t[i] = step < 0 ? sum / (float)-step + (float)(i / n == i % n) : sum;
        }
        memcpy(x, t, sizeof t);
    }
    struct truth *truth = truth_of_call("matrix_exp", NULL, 1, &tensor);
    struct profile ieee = profile_ieee();
    for (int i = 0; i < n * n; i++) {
        struct accept accept = accept_of("matrix_exp", NULL, &ieee, truth, 0, i, false);
        count += !accepts_double(&accept, (double)x[i]);
    }
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    return count;
}

Test(matrix_exp, bound_covers_a_plain_evaluation_and_no_short_series)
{
    struct philox generator;
    philox_start(&generator, 22);
    int wrong = 0;
    for (int t = 0; t < 100; t++) {
        int n = 1 + (int)philox_below(&generator, 6), squarings = (int)philox_below(&generator, 6);
        double a[36];
        for (int i = 0; i < n * n; i++) {
            a[i] = philox_signed(&generator) * 3 * ldexp(1, squarings) / n;
        }
        cr_assert_eq(outside(n, a, 18, squarings), 0, "matrix %d of order %d", t, n);
        wrong += outside(n, a, 5, squarings) > 0;
    }
    double jordan[] = {0.5, 1e3, 0, 0.5}, over[] = {1, 1e3, 0, -1}, skew[] = {0, -100, 100, 0};
    cr_assert_eq(outside(2, jordan, 18, 9), 0);
    cr_assert_eq(outside(2, over, 18, 9), 0);
    cr_assert_eq(outside(2, skew, 18, 6), 0);
    cr_assert_gt(wrong, 60, "%d short series were caught", wrong);
}

/* The bound of the evaluation before the first squaring is 10·n·u·e^|A|. If no squaring follows, the running
 * bound is at least that (the judge's error bound may be wider because of the envelope). */
Test(matrix_exp, worst_case_holds_the_evaluation_before_any_squaring)
{
    struct philox generator;
    philox_start(&generator, 23);
    for (int t = 0; t < 100; t++) {
        double a[9], e[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, term[9], next[9];
        for (int i = 0; i < 9; i++) {
            a[i] = (double)(float)(philox_signed(&generator) / 8);
            term[i] = e[i];
        }
        for (int k = 1; k < 20; k++) {
            for (int i = 0; i < 9; i++) {
                next[i] = 0;
                for (int l = 0; l < 3; l++) {
                    next[i] += term[i / 3 * 3 + l] * fabs(a[l * 3 + i % 3]) / k;
                }
                e[i] += next[i];
            }
            memcpy(term, next, sizeof term);
        }
        struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)3, (int64_t)3), a);
        struct truth *truth = truth_of_call("matrix_exp", NULL, 1, &tensor);
        int sensitivities = truth->output[0].sensitivities;
        for (int i = 0; i < 9; i++) {
            double rounding = truth->output[0].sensitivity[i * sensitivities];
            cr_assert_geq(rounding, 10 * 3 * 0x1p-24 * e[i], "matrix %d, entry %d: %g", t, i, rounding);
        }
        truth_destroy(&truth);
        tensor_destroy(&tensor);
    }
}

/* The sum of 4 if finite numbers are accepted for entry `entry` of e^A, 2 if the infinity of its sign is, and
 * 1 if NaN is. */
static int accepted_beyond(enum dtype dtype, int n, const double *a, int64_t entry, double sign)
{
    struct profile ieee = profile_ieee(), open = profile_ieee();
    open.rounding[dtype] = ROUNDING_OPEN;
    struct tensor tensor = tensor_from(dtype, shape_of(2, (int64_t)n, (int64_t)n), a);
    struct truth *truth = truth_of_call("matrix_exp", NULL, 1, &tensor);
    struct accept accept = accept_of("matrix_exp", NULL, &ieee, truth, 0, entry, false);
    struct accept loose = accept_of("matrix_exp", NULL, &open, truth, 0, entry, false);
    double max = sign * dtype_max(dtype);
    bool finite = accepts_double(&accept, sign);
    cr_assert_eq(finite, accepts_double(&accept, max));
    cr_assert_eq(finite, accepts_double(&accept, 0));
    cr_assert(accepts_double(&loose, max), "MAX stands for an infinity where the direction is open");
    cr_assert_eq(finite, accepts_double(&loose, sign));
    int found = 4 * finite + 2 * accepts_double(&accept, sign * INFINITY) + accepts_double(&accept, NAN);
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    return found;
}

Test(matrix_exp, beyond_the_range_no_number_is_right)
{
    double thousand = 1000, two_thousand = 2000, spiral[] = {800, -1, 1, 800};
    double wild[] = {720, -1e17, 1e17, 720}, wild32[] = {90, -1e8, 1e8, 90};
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 1, &thousand, 0, 1), 2, "e^500 is in range");
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT32, 1, &thousand, 0, 1), 3, "e^500 overflows");
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 1, &two_thousand, 0, 1), 3);
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 2, spiral, 0, 1) & 6, 2);
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 2, spiral, 1, -1) & 6, 2);
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 2, wild, 0, 1) & 6, 6, "B is larger than the truth");
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT32, 2, wild32, 0, 1) & 6, 6);
    wild[1] = -9e10, wild[2] = 9e10;
    cr_expect_eq(accepted_beyond(DTYPE_FLOAT64, 2, wild, 0, 1) & 6, 6, "2^1060 beside 2^1036");
}

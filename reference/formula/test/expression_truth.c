/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Formulas at any precision, and the spread of independent roundings. */

#include "reference/formula/test/expression.h"
#include "reference/test/perturb.h"

#include <limits.h>

/* --- elements */

static const double awkward[][2] = {{1, 0x1.fffffffffffffp-1},
                                    {3, 7},
                                    {800, 2},
                                    {-800, 1e300},
                                    {1e200, -1e200},
                                    {0x1p-1060, 0x1p-500},
                                    {1e-20, 1e-9},
                                    {-30, 0.5},
                                    {-2.5, 0.001},
                                    {1e16, 1},
                                    {-800, -1e300},
                                    {-1e6, 3}};
enum { AWKWARD = sizeof awkward / sizeof *awkward };

static void columns_of(double *x, double *y)
{
    for (int i = 0; i < AWKWARD; i++) {
        x[i] = awkward[i][0];
        y[i] = awkward[i][1];
    }
}

static double distance(const struct formula *f, const struct value *value, double x, double y)
{
    arb_t a, b, truth;
    arb_init(a);
    arb_init(b);
    arb_init(truth);
    arb_set_d(a, x);
    arb_set_d(b, y);
    f->value(truth, a, b);
    double log2_distance = arb_rel_accuracy_bits(truth) > 120 ? value_distance_log2(value, truth) : -INFINITY;
    bool zero = value->hi == 0 && arb_is_zero(truth), far = abs(value->exponent) == 1 << 20;
    arb_abs(a, truth); /* beyond 2^±(2^20) only the magnitude is compared */
    arb_log(a, a, 64);
    bool known = arb_rel_accuracy_bits(truth) > 2, large = arf_cmpabs_d(arb_midref(a), 0x1p19) > 0;
    bool size = !far || !known || (large && (arf_sgn(arb_midref(a)) > 0) == (value->exponent > 0));
    arb_clear(a);
    arb_clear(b);
    arb_clear(truth);
    return !size ? INFINITY : zero || far ? -INFINITY : log2_distance;
}

Test(expression_truth, certified_values_are_arbs)
{
    double x[AWKWARD], y[AWKWARD];
    columns_of(x, y);
    const double *input[] = {x, y};
    struct expression_row row = {.n = AWKWARD, .input = input};
    for (int f = 0; f < FORMULAS; f++) {
        struct expression *e = parsed(formulas[f].text, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        struct value out[AWKWARD];
        struct error error = {.text = ""};
        int bits = INT_MAX;
        cr_assert(expression_certify(w, &row, NULL, out, &bits, &error), "%s: %s", formulas[f].name,
                  error.text);
        cr_expect_geq(bits, 104, "%s: %d bits", formulas[f].name, bits);
        for (int i = 0; i < AWKWARD; i++) {
            double off = distance(&formulas[f], &out[i], x[i], y[i]);
            cr_expect_leq(off, -100, "%s at %a, %a: off by 2^%.1f", formulas[f].name, x[i], y[i], off);
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

Test(expression_truth, enclosures_hold_arbs_value)
{
    double x[AWKWARD], y[AWKWARD];
    columns_of(x, y);
    const double *input[] = {x, y};
    struct expression_row row = {.n = 2, .input = input};
    arb_t a, b, truth;
    mpfi_t out;
    mpfr_t middle;
    arb_init(a);
    arb_init(b);
    arb_init(truth);
    mpfi_init2(out, 60);
    mpfr_init2(middle, EXPRESSION_TEST_BITS);
    for (int k = 0; k < 2 * FORMULAS; k++) {
        const struct formula *f = &formulas[k / 2];
        struct expression *e = parsed(f->text, two_operands);
        cr_assert(expression_enclose(e, &row, k % 2, 60, out));
        arb_set_d(a, x[k % 2]);
        arb_set_d(b, y[k % 2]);
        f->value(truth, a, b);
        arf_get_mpfr(middle, arb_midref(truth), MPFR_RNDN);
        cr_expect(mpfr_lessequal_p(&out->left, middle) && mpfr_lessequal_p(middle, &out->right), "%s",
                  f->name);
        expression_destroy(&e);
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(truth);
    mpfi_clear(out);
    mpfr_clear(middle);
}

Test(expression_truth, only_what_is_wanted_is_certified)
{
    double x[2] = {800, 800}, y[2] = {0, 0};
    bool wanted[2] = {false, true};
    const double *input[] = {x, y};
    struct expression *e = parsed("exp(x) * 3", two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    struct value out[2] = {{.hi = 5}, {.hi = 5}};
    int bits = INT_MAX;
    cr_assert(
        expression_certify(w, &(struct expression_row){.n = 2, .input = input}, wanted, out, &bits, NULL));
    cr_expect_eq(out[0].hi, 5);
    cr_expect_gt(out[1].exponent, 0, "3·exp 800 is beyond doubles");
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

/* exp x − exp x is 0, but no enclosure proves it. */
Test(expression_truth, the_precision_ladder_ends_with_a_reason)
{
    double x = 1, y = 2;
    const double *input[] = {&x, &y};
    struct expression *e = parsed("exp(x) - exp(x)", two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    struct value out;
    struct error error = {.text = ""};
    int bits = INT_MAX;
    cr_expect_not(
        expression_certify(w, &(struct expression_row){.n = 1, .input = input}, NULL, &out, &bits, &error));
    cr_expect(strstr(error.text, "cap"), "%s", error.text);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

/* --- rows: each by Arb, from its definition */

enum { LENGTH = 300 };

/* Computes Σ (x − shift)^power by Arb. */
static void power_sum(arb_t out, const double *x, int n, const arb_t shift, unsigned power)
{
    arb_t t;
    arb_init(t);
    arb_zero(out);
    for (int k = 0; k < n; k++) {
        arb_set_d(t, x[k]);
        arb_sub(t, t, shift, 4000);
        arb_pow_ui(t, t, power, 4000);
        arb_add(out, out, t, 4000);
    }
    arb_clear(t);
}

static void rms_by_arb(arb_t out, const double *x, int n, int j)
{
    arb_t t;
    arb_init(t);
    power_sum(out, x, n, t, 2);
    arb_div_si(out, out, n, 4000);
    arb_set_d(t, 0.125);
    arb_add(out, out, t, 4000);
    arb_rsqrt(out, out, 4000);
    arb_set_d(t, x[j]);
    arb_mul(out, out, t, 4000);
    arb_clear(t);
}

static void variance_by_arb(arb_t out, const double *x, int n, int j)
{
    arb_t mean;
    (void)j;
    arb_init(mean);
    power_sum(out, x, n, mean, 1);
    arb_div_si(mean, out, n, 4000);
    power_sum(out, x, n, mean, 2);
    arb_div_si(out, out, n, 4000);
    arb_clear(mean);
}

static void softmax_by_arb(arb_t out, const double *x, int n, int j)
{
    arb_t sum, t;
    arb_init(sum);
    arb_init(t);
    for (int k = 0; k < n; k++) {
        arb_set_d(t, x[k]);
        arb_exp(t, t, 4000);
        arb_add(sum, sum, t, 4000);
    }
    arb_set_d(t, x[j]);
    arb_exp(out, t, 4000);
    arb_div(out, out, sum, 4000);
    arb_clear(sum);
    arb_clear(t);
}

static const struct row_formula {
    const char *name, *text;
    void (*value)(arb_t out, const double *x, int n, int j);
} row_formulas[] = {{"rms", "x * rsqrt(mean(x * x) + 0.125)", rms_by_arb},
                    {"variance", "m = mean(x); sum((x - m) * (x - m)) / n", variance_by_arb},
                    {"softmax", "e = exp(x - row_max(x)); e / sum(e)", softmax_by_arb}};

static void hold_row(const struct row_formula *f, const double *x, int n)
{
    struct expression *e = parsed(f->text, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    const double *input[] = {x, x};
    struct expression_row row = {.n = n, .input = input};
    double value[LENGTH], radius[LENGTH];
    struct value out[LENGTH];
    int bits = INT_MAX, results = expression_is_row(e) ? 1 : n;
    arb_t truth, t;
    mpfi_t enclosure;
    arb_init(truth);
    arb_init(t);
    mpfi_init2(enclosure, 100);
    expression_values(w, &row, value, radius);
    cr_assert(expression_certify(w, &row, NULL, out, &bits, NULL));
    for (int j = 0; j < results; j += 13) {
        f->value(truth, x, n, j);
        cr_expect_leq(value_distance_log2(&out[j], truth), -100, "%s [%d] of %d", f->name, j, n);
        cr_expect_lt(radius[j], 0x1p-40 * fabs(value[j]), "%s [%d] of %d: %a within %a", f->name, j, n,
                     value[j], radius[j]);
        arb_set_d(t, value[j]);
        arb_sub(t, t, truth, 4000);
        arb_abs(t, t);
        cr_expect_leq(arf_get_d(arb_midref(t), ARF_RND_DOWN), radius[j], "%s [%d] of %d", f->name, j, n);
        cr_assert(expression_enclose(e, &row, j, 100, enclosure));
        mpfr_t middle;
        mpfr_init2(middle, 4000);
        arf_get_mpfr(middle, arb_midref(truth), MPFR_RNDN);
        cr_expect(mpfr_greaterequal_p(middle, &enclosure->left) &&
                  mpfr_lessequal_p(middle, &enclosure->right));
        mpfr_clear(middle);
    }
    mpfi_clear(enclosure);
    arb_clear(truth);
    arb_clear(t);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

Test(expression_truth, rows_are_arbs)
{
    struct philox g;
    double x[LENGTH];
    philox_start(&g, 8);
    for (int i = 0; i < LENGTH; i++) {
        x[i] = 3 + philox_signed(&g);
    }
    for (size_t f = 0; f < sizeof row_formulas / sizeof *row_formulas; f++) {
        hold_row(&row_formulas[f], x, 2);
        hold_row(&row_formulas[f], x, 33);
        hold_row(&row_formulas[f], x, LENGTH);
    }
}

/* Sums of integers, and sums that cancel to 0, are exact. */
Test(expression_truth, exact_sums_are_known_to_be)
{
    double x[LENGTH], value, radius = 1;
    const double *input[] = {x, x};
    for (int i = 0; i < LENGTH; i++) {
        x[i] = i % 2 ? -i + 1 : i;
    }
    struct expression *e = parsed("sum(x * x) - sum(x) * 1024", two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    expression_values(w, &(struct expression_row){.n = LENGTH, .input = input}, &value, &radius);
    double squares = 0;
    for (int i = 0; i < LENGTH; i++) {
        squares += x[i] * x[i];
    }
    cr_expect(radius == 0 && value == squares, "%g within %g, not %g", value, radius, squares);
    for (int i = 1; i < LENGTH; i++) {
        x[i] = i == 8 ? 0x1p-60 : 0;
    }
    x[0] = 1; /* what one lane loses */
    expression_destroy(&e);
    expression_workspace_destroy(&w);
    e = parsed("sum(x)", two_operands);
    w = expression_workspace_create(e);
    expression_values(w, &(struct expression_row){.n = LENGTH, .input = input}, &value, &radius);
    cr_expect(radius >= 0x1p-60 - 0x1p-112 && radius < 0x1p-59, "%a within %a", value, radius);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
    e = parsed("sum(x * x) - sum(x) * 1024", two_operands);
    w = expression_workspace_create(e);
    x[7] = INFINITY;
    expression_values(w, &(struct expression_row){.n = LENGTH, .input = input}, &value, &radius);
    cr_expect(radius == 0 && isnan(value), "inf − inf·1024 is NaN");
    expression_workspace_destroy(&w);
    expression_destroy(&e);
    e = parsed("sum(x)", two_operands);
    w = expression_workspace_create(e);
    expression_values(w, &(struct expression_row){.n = LENGTH, .input = input}, &value, &radius);
    cr_expect(radius == 0 && value == INFINITY);
    x[200] = -INFINITY;
    expression_values(w, &(struct expression_row){.n = LENGTH, .input = input}, &value, &radius);
    cr_expect(radius == 0 && isnan(value), "inf and -inf in one row");
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

/* --- S, against every rounding perturbed alone */

enum { FEW = 6 };

/* A sum for which the energy of all orders is one rounding. */
static double added(struct perturbation *p, const double *x)
{
    double sum = 0;
    for (int k = 0; k < FEW; k++) {
        sum += x[k];
    }
    double order = sqrt(energy_by_force(x, FEW, NULL));
    return p->count++ == p->target ? sum + order * p->error : sum;
}

static void run_silu(struct perturbation *p, const void *problem, double *result)
{
    const double *x = problem;
    for (int k = 0; k < FEW; k++) {
        result[k] = R(x[k] / R(1 + R(exp(-x[k]))));
    }
}

static void run_wave(struct perturbation *p, const void *problem, double *result)
{
    const double *x = problem;
    for (int k = 0; k < FEW; k++) {
        double t = R(x[k] * x[k]);
        result[k] = R(R(R(sin(t)) * R(log(R(2 + t)))) - R(sqrt(t)));
    }
}

static void run_rms(struct perturbation *p, const void *problem, double *result)
{
    const double *x = problem;
    double squares[FEW];
    for (int k = 0; k < FEW; k++) {
        squares[k] = R(x[k] * x[k]);
    }
    double r = R(1 / sqrt(R(R(R(added(p, squares) / FEW)) + 0.125)));
    for (int k = 0; k < FEW; k++) {
        result[k] = R(x[k] * r);
    }
}

static void run_variance(struct perturbation *p, const void *problem, double *result)
{
    const double *x = problem;
    double m = R(R(added(p, x) / FEW)), squares[FEW];
    for (int k = 0; k < FEW; k++) {
        double d = R(x[k] - m);
        squares[k] = R(d * d);
    }
    result[0] = R(R(added(p, squares) / FEW));
}

Test(expression_truth, spread_is_that_of_each_rounding_alone)
{
    static const struct {
        const char *formula;
        algorithm *run;
    } rows[] = {{"x / (1 + exp(-x))", run_silu},
                {"t = x * x; sin(t) * log(2 + t) - sqrt(t)", run_wave},
                {"x * rsqrt(mean(x * x) + 0.125)", run_rms},
                {"m = mean(x); d = x - m; mean(d * d)", run_variance}};
    double x[FEW] = {0.3, -1.7, 2.9, 0.77, -0.21, 1.3}, force[FEW];
    const double *input[] = {x, x};
    for (size_t f = 0; f < sizeof rows / sizeof *rows; f++) {
        struct expression *e = parsed(rows[f].formula, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        struct envelope envelope[FEW];
        int results = expression_is_row(e) ? 1 : FEW;
        cr_assert(expression_envelope(w, &(struct expression_row){.n = FEW, .input = input}, DTYPE_FLOAT32,
                                      envelope));
        spread_by_force(rows[f].run, x, results, force);
        for (int k = 0; k < results; k++) {
            cr_expect(fabs(envelope[k].spread / force[k] - 1) < 1e-4, "%s [%d]: %g, by force %g",
                      rows[f].formula, k, envelope[k].spread, force[k]);
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

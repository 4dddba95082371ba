/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Large determinants by elimination in double: value ± radius against Arb, X and its error bound against
 * Arb's inverse, sensitivities and envelopes against the code for small orders, bit-identical results for
 * every isa. */

#include "reference/ops/determinant/determinant_envelope_large.h"
#include "reference/test/large_matrices.h"

enum { ARB_BITS = 512 };

static void arb_matrix(arb_mat_t m, int n, const double *a)
{
    arb_mat_init(m, n, n);
    for (int i = 0; i < n * n; i++) {
        arb_set_d(arb_mat_entry(m, i / n, i % n), a[i]);
    }
}

/* |logabs − log|det|| over the radius; checks the sign. */
static double error_over_radius(const struct verified_determinant *v, const double *a, const char *what)
{
    arb_mat_t m;
    arb_t det, value;
    mpfr_t x;
    mpfr_init2(x, 200);
    arb_init(det);
    arb_init(value);
    arb_matrix(m, v->n, a);
    arb_mat_det(det, m, ARB_BITS);
    cr_assert(v->sign > 0 ? arb_is_positive(det) : arb_is_negative(det), "%s: sign %d", what, v->sign);
    arb_abs(det, det);
    arb_log(det, det, ARB_BITS);
    cr_assert_gt(arb_rel_accuracy_bits(det), 150, "%s", what);
    value_to_mpfr(&v->logabs, x);
    arf_set_mpfr(arb_midref(value), x);
    arb_sub(det, det, value, ARB_BITS);
    arf_t gap;
    arf_init(gap);
    arb_get_abs_ubound_arf(gap, det, 64);
    double ratio = arf_get_d(gap, ARF_RND_UP) / v->radius;
    arf_clear(gap);
    arb_mat_clear(m);
    arb_clear(det);
    arb_clear(value);
    mpfr_clear(x);
    return ratio;
}

/* Checks `matrices` matrices of a kind, n = 49 … 128. */
static void hold_against_arb(enum large_kind kind, int matrices)
{
    static const double least_bits[LARGE_KINDS] = {
        [NORMAL] = 70,      [FULL_DIGITS] = 70,     [COVARIANCE] = 50,
        [SCALED_ROWS] = 70, [NEARLY_SINGULAR] = 40, [PERMUTED] = 70,
    };
    double greatest = 0;
    int signs[2] = {0, 0};
    for (uint64_t seed = 0; seed < (uint64_t)matrices; seed++) {
        int n = 49 + (int)(seed * 37 % 80);
        char what[64];
        snprintf(what, sizeof what, "kind %d, n = %d, seed %d", kind, n, (int)seed);
        double *a = large_matrix(kind, n, seed);
        struct verified_determinant v;
        cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v));
        cr_assert(v.verified, "%s", what);
        double ratio = error_over_radius(&v, a, what), bits = log2(fmax(1, fabs(v.logabs.hi)) / v.radius);
        cr_assert_leq(ratio, 1, "%s: error %g radii", what, ratio);
        cr_assert_geq(bits, least_bits[kind], "%s: %g bits", what, bits);
        greatest = fmax(greatest, ratio);
        signs[v.sign > 0]++;
        verified_determinant_destroy(&v);
        free(a);
    }
    cr_assert(kind == COVARIANCE || (signs[0] > matrices / 10 && signs[1] > matrices / 10), "%d %d", signs[0],
              signs[1]);
    cr_assert_gt(greatest, 0x1p-36, "%g: the radius is far from any error", greatest);
}

Test(determinant_verified, four_matrices_of_each_kind_lie_within_their_radii)
{
    for (int kind = 0; kind < LARGE_KINDS; kind++) {
        hold_against_arb((enum large_kind)kind, 4);
    }
}

Test(determinant_verified, forty_matrices_of_each_kind_takes_seconds)
{
    for (int kind = 0; kind < LARGE_KINDS; kind++) {
        hold_against_arb((enum large_kind)kind, 40);
    }
}

/* Rows 7 and 40 are so far apart; |det| near 1, where a radius counts as it is. */
static double *twin_rows(int n, double apart)
{
    double *a = large_matrix(NORMAL, n, 3);
    struct verified_determinant v;
    for (int j = 0; j < n; j++) {
        a[7 * n + j] = a[40 * n + j] * (1 + apart * (j % 5 - 2));
    }
    cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v));
    for (int j = 0; j < n && v.verified; j++) {
        a[j] = ldexp(a[j], -(int)lrint(v.logabs.hi / M_LN2));
    }
    verified_determinant_destroy(&v);
    return a;
}

/* 2^-10 … 2^-64 apart: verified while the radius says something, then no more. Hilbert's of order 50 is not.
 */
Test(determinant_verified, what_is_too_nearly_singular_is_not_verified)
{
    enum { N = 49 };
    int verified = 0, left = 0;
    struct verified_determinant v;
    for (int k = 20; k <= 128; k++) {
        double *a = twin_rows(N, exp2(-k / 2.0));
        cr_assert(verified_determinant_create(&v, N, a) && verified_determinant_prove(&v));
        if (v.verified) {
            double ratio = error_over_radius(&v, a, "nearly singular");
            cr_assert(ratio >= 0 && ratio <= 1, "2^%g apart: error %g radii", -k / 2.0, ratio);
            cr_assert_leq(v.radius, 0x1p-40, "2^%g apart", -k / 2.0);
        }
        verified += v.verified;
        left += !v.verified;
        verified_determinant_destroy(&v);
        free(a);
    }
    cr_assert(verified > 20 && left > 20, "%d verified, %d not", verified, left);
    enum { ORDER = 50 };
    double hilbert[ORDER * ORDER];
    for (int i = 0; i < ORDER * ORDER; i++) {
        hilbert[i] = (double)(float)(1.0 / (i / ORDER + i % ORDER + 1));
    }
    cr_assert(verified_determinant_create(&v, ORDER, hilbert) && verified_determinant_prove(&v));
    cr_assert_not(v.verified);
    verified_determinant_destroy(&v);
}

/* |A⁻¹ − X| row by row. */
Test(determinant_verified, the_inverse_lies_within_its_error)
{
    for (int kind = 0; kind < LARGE_KINDS; kind++) {
        const int n = 49;
        double *a = large_matrix((enum large_kind)kind, n, 5), closest = 0;
        struct verified_determinant v;
        arb_mat_t m, inverse;
        cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v) && v.verified);
        arb_matrix(m, n, a);
        arb_mat_init(inverse, n, n);
        cr_assert(arb_mat_inv(inverse, m, ARB_BITS));
        arb_t gap;
        arb_init(gap);
        for (int i = 0; i < n * n; i++) {
            arb_set_d(gap, v.inverse[i / n * v.stride + i % n]);
            arb_sub(gap, gap, arb_mat_entry(inverse, i / n, i % n), ARB_BITS);
            double off = fabs(arf_get_d(arb_midref(gap), ARF_RND_NEAR));
            double most = v.off[i / n] * v.off_column[i % n];
            cr_assert_leq(off, most, "kind %d, entry %d", kind, i);
            closest = fmax(closest, off / most);
        }
        cr_assert_gt(closest, 0x1p-12, "kind %d: %g", kind, closest);
        arb_clear(gap);
        arb_mat_clear(m);
        arb_mat_clear(inverse);
        verified_determinant_destroy(&v);
        free(a);
    }
}

static void check_ratio(const char *what, double got, double expect, double below, double above)
{
    cr_assert(got >= expect * (1 - below) && got <= expect * (1 + above), "%s: %.17g, %.17g", what, got,
              expect);
}

/* log2 of D for rounding in float64: singular values far below it are raised towards it. */
static double log2_reach(int n, const double *log2_coefficient)
{
    double most = -INFINITY, sum = 0, unit = log2(n) - 53;
    for (int k = 1; k <= n; k++) {
        most = fmax(most, log2_coefficient[k - 1] + k * unit);
    }
    for (int k = 1; k <= n; k++) {
        sum += exp2(log2_coefficient[k - 1] + k * unit - most);
    }
    return most + log2(sum);
}

/* Sensitivities are at least those of the precision ladder and at most 2^-14 above; spr(W) agrees to 1 %. */
static void hold_against_ziv(uint64_t first, uint64_t last)
{
    for (uint64_t seed = first; seed <= last; seed++) {
        int n = 49 + (int)(seed * 11 % 24);
        double *a = large_matrix((enum large_kind)(seed % LARGE_KINDS), n, seed);
        struct verified_determinant v;
        struct determinant d, e;
        cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v) && v.verified);
        cr_assert(verified_determinant_describe(&v, 1, 0, &d));
        cr_assert(determinant_by_ziv(n, a, 1, 0, &e, NULL));
        const double some = 0x1p-14;
        check_ratio("condition", d.condition, e.condition, 0, some);
        check_ratio("inverse_sum", d.inverse_sum, e.inverse_sum, 0, some);
        for (int k = 0; k < DETERMINANT_TRACES; k++) {
            check_ratio("trace", d.trace[k], e.trace[k], 0, some * (k + 1));
        }
        check_ratio("radius", d.radius, e.radius, 0.01, 0.01);
        check_ratio("underflow_sum", d.underflow_sum, e.underflow_sum, 0.05, 0.05);
        check_ratio("log_sum", d.log_sum, e.log_sum, 0, some);
        cr_assert_eq(d.near_one, e.near_one);
        cr_assert(d.log_hadamard >= e.log_hadamard - 1e-9 && d.log_hadamard <= e.log_hadamard + 1e-6);
        cr_assert_float_eq(d.log2_abs, e.log2_abs, 1e-9 * fabs(e.log2_abs));
        cr_assert(d.log2_frobenius >= e.log2_frobenius && d.log2_frobenius <= e.log2_frobenius + 1e-3);
        cr_assert(d.log2_coefficient && e.log2_coefficient);
        for (int k = 0; k < n; k++) {
            double beyond = d.log2_coefficient[k] - e.log2_coefficient[k];
            cr_assert(k > 0 || beyond <= log2(n) / 2 + 1e-3, "%g", beyond);
        }
        cr_assert_geq(log2_reach(n, d.log2_coefficient), log2_reach(n, e.log2_coefficient) - 1e-5);
        determinant_clear(&d);
        determinant_clear(&e);
        verified_determinant_destroy(&v);
        free(a);
    }
}

Test(determinant_verified, sensitivities_are_those_of_the_precision_ladder)
{
    hold_against_ziv(FULL_DIGITS, FULL_DIGITS);
    hold_against_ziv(PERMUTED, PERMUTED);
}

Test(determinant_verified, sensitivities_of_every_kind_takes_seconds)
{
    hold_against_ziv(0, 2 * LARGE_KINDS - 1);
}

/* Beyond order 256 traces are bounded by the spectral radius. */
Test(determinant_verified, traces_of_large_orders_are_bounds)
{
    enum { N = 264 };
    double *a = large_matrix(NORMAL, N, 1), square = 0, trace = 0;
    struct verified_determinant v;
    struct determinant d;
    cr_assert(verified_determinant_create(&v, N, a) && verified_determinant_prove(&v) && v.verified);
    cr_assert(verified_determinant_describe(&v, 0x1p-53, 0, &d));
    double *w = calloc((size_t)N * N, sizeof *w);
    for (int i = 0; i < N; i++) {
        for (int c = 0; c < N; c++) {
            double x = fabs(v.inverse[i * v.stride + v.lu[0].row[c]]);
            for (int j = 0; j < N; j++) {
                w[i * N + j] += x * v.g[c * v.stride + j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        trace += w[i * N + i];
        for (int j = 0; j < N; j++) {
            square += w[i * N + j] * w[j * N + i];
        }
    }
    cr_assert(d.trace[0] >= trace && d.trace[1] >= square && d.trace[1] <= 2 * N * square, "%g %g",
              d.trace[1], square);
    determinant_clear(&d);
    verified_determinant_destroy(&v);
    free(w);
    free(a);
}

Test(determinant_verified, envelopes_are_those_of_the_textbooks_loops)
{
    for (uint64_t seed = 0; seed < 4 * LARGE_KINDS; seed++) {
        int n = 49 + (int)(seed * 11 % 48);
        double *a = large_matrix((enum large_kind)(seed % LARGE_KINDS), n, seed);
        struct determinant_envelope e, plain;
        cr_assert(determinant_envelope(n, a, &e) && determinant_envelope_small(n, a, &plain));
        const double *x = (const double *)&e, *y = (const double *)&plain;
        for (size_t k = 0; k < sizeof e / sizeof *x; k++) {
            /* another inverse, of rounding errors of its own; X is no better where A is nearly singular */
            cr_assert(fabs(x[k] - y[k]) <= 1e-6 * y[k], "seed %d, number %d: %.17g, %.17g", (int)seed, (int)k,
                      x[k], y[k]);
        }
        free(a);
    }
}

struct outcome {
    double value, low, radius;
    struct determinant_envelope envelope;
    struct determinant d;
};

static struct outcome outcome_of(int n, const double *a)
{
    struct verified_determinant v;
    struct outcome o;
    memset(&o, 0, sizeof o);
    cr_assert(verified_determinant_create(&v, n, a) && verified_determinant_prove(&v) && v.verified);
    cr_assert(verified_determinant_describe(&v, 0x1p-53, 0, &o.d));
    cr_assert(determinant_envelope_large(&v, &o.envelope));
    o.value = v.logabs.hi;
    o.low = v.logabs.lo;
    o.radius = v.radius;
    free(o.d.log2_coefficient);
    o.d.log2_coefficient = NULL;
    verified_determinant_destroy(&v);
    return o;
}

Test(determinant_verified, the_same_bits_on_every_machine)
{
    for (int kind = 0; kind < LARGE_KINDS; kind++) {
        int n = 49 + 13 * kind;
        double *a = large_matrix((enum large_kind)kind, n, 2);
        struct outcome best = outcome_of(n, a);
        for (int isa = 0; lu_force(isa); isa++) {
            struct outcome o = outcome_of(n, a);
            const double *x[] = {&best.value, &best.envelope.elimination, &best.d.condition},
                         *y[] = {&o.value, &o.envelope.elimination, &o.d.condition};
            const size_t count[] = {3, 5, 3 + DETERMINANT_TRACES};
            for (int p = 0; p < 3; p++) {
                cr_assert(memcmp(x[p], y[p], count[p] * sizeof **x) == 0, "kind %d, machine %d, part %d",
                          kind, isa, p);
            }
        }
        lu_force(-1);
        free(a);
    }
}

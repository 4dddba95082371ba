/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* S of determinants against eliminations in which every rounding is perturbed, Cholesky factorization in
 * float32, and the certified bound −log det(I − c·W). */

#include "reference/ops/determinant/determinant.h"
#include "reference/ops/determinant/determinant_envelope.h"
#include "reference/test/perturb.h"
#include "reference/test/support.h"

enum { MOST = 8 };

struct matrix {
    int n;
    bool complete;
    double a[MOST * MOST];
};

static struct matrix drawn(uint64_t seed, int n)
{
    struct matrix m = {.n = n};
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < n * n; i++) {
        double z = -6;
        for (int k = 0; k < 12; k++) {
            z += philox_unit(&g);
        }
        m.a[i] = (double)(float)z;
    }
    return m;
}

static struct matrix transposed(const struct matrix *m)
{
    struct matrix t = *m;
    for (int i = 0; i < m->n * m->n; i++) {
        t.a[i] = m->a[i % m->n * m->n + i / m->n];
    }
    return t;
}

/* log|det| by elimination; multipliers have an error of 2u. Pivots are those of the nominal evaluation: no
 * ties. */
static void eliminate(struct perturbation *p, const void *problem, double *result)
{
    struct matrix m = *(const struct matrix *)problem;
    int n = m.n;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int row = k, column = k;
        for (int i = k; i < n; i++) {
            for (int j = k; j < (m.complete ? n : k + 1); j++) {
                if (fabs(m.a[i * n + j]) > fabs(m.a[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        for (int j = 0; j < n; j++) {
            double t = m.a[k * n + j];
            m.a[k * n + j] = m.a[row * n + j];
            m.a[row * n + j] = t;
        }
        for (int i = 0; i < n; i++) {
            double t = m.a[i * n + k];
            m.a[i * n + k] = m.a[i * n + column];
            m.a[i * n + column] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double l = rounding(p, 2, m.a[i * n + k] / m.a[k * n + k]);
            for (int j = k + 1; j < n; j++) {
                m.a[i * n + j] = R(m.a[i * n + j] - R(l * m.a[k * n + j]));
            }
        }
        sum += log(fabs(m.a[k * n + k]));
    }
    *result = sum;
}

static double elimination_by_force(const struct matrix *m)
{
    struct matrix form[3] = {*m, transposed(m), *m};
    double greatest = 0;
    form[2].complete = true;
    for (int f = 0; f < 3; f++) {
        double spread;
        spread_by_force(eliminate, &form[f], 1, &spread);
        greatest = fmax(greatest, spread);
    }
    return greatest;
}

Test(envelope_determinant, s_is_what_perturbed_roundings_do)
{
    int of[3] = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct matrix m = drawn(seed, 2 + (int)(seed % 6)), t = transposed(&m);
        struct determinant_envelope e;
        double plain, other, all = elimination_by_force(&m);
        cr_assert(determinant_envelope(m.n, m.a, &e));
        cr_expect_float_eq(e.elimination, all, 1e-4 * all, "n = %d: %g, by force %g", m.n, e.elimination,
                           all);
        spread_by_force(eliminate, &m, 1, &plain);
        spread_by_force(eliminate, &t, 1, &other);
        of[plain >= all ? 0 : other >= all ? 1 : 2]++;
        cr_expect_geq(e.unstable, 0);
    }
    cr_expect(of[0] > 3 && of[1] > 3 && of[2] > 3, "%d %d %d", of[0], of[1],
              of[2]); /* each form decides somewhere */
}

/* The logarithms: any order of their sum, 2u each. */
Test(envelope_determinant, logarithms_of_the_pivots)
{
    struct matrix m = {.n = 4};
    double logs[4], squares = 0;
    for (int i = 0; i < 4; i++) {
        m.a[i * 4 + i] = i + 1.5;
        logs[i] = log(i + 1.5);
        squares += 4 * logs[i] * logs[i];
    }
    struct determinant_envelope e;
    double sorted[4] = {logs[3], logs[2], logs[1], logs[0]}; /* complete pivoting takes the greatest first */
    cr_assert(determinant_envelope(4, m.a, &e));
    double energy = fmax(energy_by_force(logs, 4, NULL), energy_by_force(sorted, 4, NULL));
    cr_expect_float_eq(e.logarithms, sqrt(energy + squares), 1e-9);
    cr_expect_float_eq(e.elimination, sqrt(6), 1e-12); /* a_ii − 0 counts as rounded: i times */
}

Test(envelope_determinant, scaling_changes_nothing)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct matrix m = drawn(seed, 6), s;
        for (int i = 0; i < 6; i++) {
            m.a[i * 6 + i] = ldexp(50, 15 - 3 * i); /* pivots stay on the diagonal, in order */
        }
        s = m;
        for (int i = 0; i < 36; i++) {
            s.a[i] *= i / 6 % 2 ? 2 : 1;
        }
        struct determinant_envelope e, scaled, far;
        cr_assert(determinant_envelope(6, m.a, &e) && determinant_envelope(6, s.a, &scaled));
        cr_expect_float_eq(scaled.elimination, e.elimination, 1e-12 * e.elimination);
        cr_expect_float_eq(scaled.second, e.second, 1e-12 * e.second);
        for (int i = 0; i < 36; i++) {
            s.a[i] = ldexp(m.a[i], 100);
        }
        cr_assert(determinant_envelope(6, s.a, &far));
        cr_expect_float_eq(far.elimination, e.elimination, 1e-12 * e.elimination);
        cr_expect_float_eq(far.unstable, e.unstable, 1e-12 * e.unstable);
    }
}

Test(envelope_determinant, singular_matrices_are_undecided)
{
    static const double a[4] = {1, 2, 2, 4};
    struct determinant_envelope e;
    cr_assert(determinant_envelope(2, a, &e));
    cr_expect(e.elimination == INFINITY && e.logarithms == INFINITY && e.second == INFINITY);
}

/* Second order: M of random errors of variance w; the mean of tr(M²)/2 is Σ w_ii/2 of independent entries. */
Test(envelope_determinant, second_order_is_within_its_part)
{
    const double u = 0x1p-10;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct matrix m = drawn(seed, 5);
        struct determinant_envelope e;
        cr_assert(determinant_envelope(5, m.a, &e));
        double least =
            0.25 * e.elimination * e.elimination; /* S² = Σ of w_ij-like parts; tr(M²) has no less */
        cr_expect(e.second >= e.unstable / 2 && e.second <= 100 * fmax(least, 1), "%g %g", e.second, least);
        cr_expect_lt(e.second * u * u, 10 * e.elimination * u * fmax(1, e.elimination * u));
    }
}

/* Without pivots on symmetric positive definite matrices, in float32. */
Test(envelope_determinant, cholesky_in_float32)
{
    double square = 0, greatest = 0;
    enum { PROBLEMS = 60, N = 8 };
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct matrix b = drawn(seed, N), m = {.n = N};
        for (int i = 0; i < N * N; i++) {
            for (int k = 0; k < N; k++) {
                m.a[i] += b.a[i / N * N + k] * b.a[i % N * N + k] / N;
            }
            m.a[i] = (double)(float)m.a[i];
        }
        float l[N * N] = {0}, sum = 0;
        for (int j = 0; j < N; j++) {
            for (int i = j; i < N; i++) {
                float x = (float)m.a[i * N + j];
                for (int k = 0; k < j; k++) {
                    x -= l[i * N + k] * l[j * N + k];
                }
                l[i * N + j] = i == j ? sqrtf(x) : x / l[j * N + j];
            }
            sum += 2 * logf(l[j * N + j]);
        }
        struct perturbation exact = {.target = -1};
        struct determinant_envelope e;
        double truth;
        eliminate(&exact, &m, &truth);
        cr_assert(determinant_envelope(N, m.a, &e));
        double ratio = fabs((double)sum - truth) / 0x1p-24 / hypot(e.elimination, e.logarithms);
        square += ratio * ratio / PROBLEMS;
        greatest = fmax(greatest, ratio);
    }
    cr_expect(sqrt(square) < 1.5 && sqrt(square) > 0.02 && greatest < 4, "%g %g", sqrt(square), greatest);
}

/* --- the certified bound */

static double log_determinant(const struct matrix *m)
{
    struct perturbation p = {.target = -1};
    double log_abs;
    eliminate(&p, m, &log_abs);
    return log_abs;
}

/* Factors without pivoting; G = |L||U|. */
static void magnitudes(const struct matrix *m, double *g)
{
    int n = m->n;
    struct matrix lu = *m;
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            lu.a[i * n + k] /= lu.a[k * n + k];
            for (int j = k + 1; j < n; j++) {
                lu.a[i * n + j] -= lu.a[i * n + k] * lu.a[k * n + j];
            }
        }
    }
    for (int i = 0; i < n * n; i++) {
        g[i] = 0;
        for (int k = 0; k <= i / n && k <= i % n; k++) {
            g[i] += fabs((k == i / n ? 1 : lu.a[i / n * n + k]) * lu.a[k * n + i % n]);
        }
    }
}

/* Σ c^k·tr(W^k)/k, and what is beyond the traces. */
static double certified(const struct determinant *d, int n, double c, double *tail)
{
    double sum = 0;
    for (int k = 1; k <= DETERMINANT_TRACES; k++) {
        sum += pow(c, k) * d->trace[k - 1] / k;
    }
    double r = c * d->radius;
    *tail = n * pow(r, DETERMINANT_TRACES + 1) / (DETERMINANT_TRACES + 1) / (1 - r);
    return sum;
}

/* A⁻¹ ≥ 0 and pivots on the diagonal of rows and of columns: ΔA = −c·|L||U| attains it. */
Test(envelope_determinant, the_bound_is_attained)
{
    struct error error = {.text = ""};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct matrix m = drawn(seed, 5), moved;
        double g[MOST * MOST], tail;
        for (int i = 0; i < 25; i++) {
            m.a[i] = i / 5 == i % 5 ? 6 : -fabs(m.a[i]) / 2;
        }
        moved = m;
        struct determinant d;
        cr_assert(determinant_compute(5, m.a, 0x1p-24, 0, &d, &error), "%s", error.text);
        double c = 0.4 / d.radius, sum = certified(&d, 5, c, &tail);
        magnitudes(&m, g);
        for (int i = 0; i < 25; i++) {
            moved.a[i] -= c * g[i];
        }
        double change = log_determinant(&m) - log_determinant(&moved);
        cr_expect(change <= (sum + tail) * (1 + 1e-9), "%g beyond %g", change, sum + tail);
        cr_expect(change >= sum * (1 - 0.02), "%g far below %g", change,
                  sum); /* Aᵀ's W may be a little greater */
        determinant_clear(&d);
    }
}

/* Random admissible ΔA, of every sign. The trace alone is no bound: it is exceeded somewhere. */
Test(envelope_determinant, the_bound_is_never_exceeded)
{
    struct error error = {.text = ""};
    double closest = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct matrix m = drawn(seed, 5);
        struct philox random;
        struct determinant d;
        double g[MOST * MOST], tail;
        philox_start(&random, seed);
        for (int i = 0; i < 25; i++) {
            m.a[i] *= seed % 3 ? pow(10, 8 * philox_unit(&random) - 4) : 1;
        }
        for (int k = 0; k < 5; k++) { /* rows in pivoted order */
            struct matrix lu = m;
            for (int c = 0; c < k; c++) {
                for (int i = c + 1; i < 5; i++) {
                    double l = lu.a[i * 5 + c] / lu.a[c * 5 + c];
                    for (int j = c; j < 5; j++) {
                        lu.a[i * 5 + j] -= l * lu.a[c * 5 + j];
                    }
                }
            }
            int row = k;
            for (int i = k; i < 5; i++) {
                row = fabs(lu.a[i * 5 + k]) > fabs(lu.a[row * 5 + k]) ? i : row;
            }
            for (int j = 0; j < 5; j++) {
                double t = m.a[k * 5 + j];
                m.a[k * 5 + j] = m.a[row * 5 + j];
                m.a[row * 5 + j] = t;
            }
        }
        cr_assert(determinant_compute(5, m.a, 0x1p-24, 0, &d, &error), "%s", error.text);
        double c = 0.5 / d.radius, limit = certified(&d, 5, c, &tail) + tail, whole = log_determinant(&m);
        magnitudes(&m, g);
        for (int attempt = 0; attempt < 40; attempt++) {
            struct matrix moved = m;
            for (int i = 0; i < 25; i++) {
                moved.a[i] += (philox_next(&random) >> 31 ? c : -c) * g[i];
            }
            double change = fabs(log_determinant(&moved) - whole);
            cr_expect(change <= limit * (1 + 1e-6), "%g beyond %g", change, limit);
            closest = fmax(closest, change / limit);
        }
        determinant_clear(&d);
    }
    cr_expect_gt(closest, 0.5, "%g", closest);
}

/* An implementation that factors Aᵀ has the same error bound. */
Test(envelope_determinant, a_matrix_and_its_transposed_have_one_bound)
{
    struct error error = {.text = ""};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct matrix m = drawn(seed, 6), t = transposed(&m);
        struct determinant a, b;
        cr_assert(determinant_compute(6, m.a, 0x1p-24, 0, &a, &error) &&
                  determinant_compute(6, t.a, 0x1p-24, 0, &b, &error));
        cr_expect_float_eq(a.condition, b.condition, 1e-9 * a.condition);
        cr_expect_float_eq(a.radius, b.radius, 1e-2 * a.radius); /* power iteration stops at a hundredth */
        cr_expect_float_eq(a.log_sum, b.log_sum, 1e-9 * a.log_sum);
        for (int k = 0; k < DETERMINANT_TRACES; k++) {
            cr_expect_float_eq(a.trace[k], b.trace[k], 1e-9 * a.trace[k]);
        }
        determinant_clear(&a);
        determinant_clear(&b);
    }
}

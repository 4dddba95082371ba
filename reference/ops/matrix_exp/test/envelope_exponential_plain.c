/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* S of exponentials is bit-identical to that of a simple program: three loops, one word of noise at a
 * time. */

#include "reference/ops/matrix_exp/matrix_exp_envelope.h"
#include "reference/ops/matrix_exp/matrix_exponential.h"
#include "reference/test/support.h"

#include <xxhash.h>

enum { N = 20, MCA_RUNS = 24 };
static const double noise = 0x1p-30;

struct plain {
    int n;
    struct philox g;
    double x[N * N], e[MCA_RUNS + 1][N * N], next[N * N], size[N * N];
};

static void multiply(int n, const double *a, const double *b, double *c, double *energy)
{
    for (int i = 0; i < n * n; i++) {
        c[i] = energy[i] = 0;
        for (int k = 0; k < n; k++) {
            double product = a[i / n * n + k] * b[k * n + i % n];
            c[i] += product;
            energy[i] += product * product + c[i] * c[i];
        }
    }
}

static void disturb(struct plain *p, double *e)
{
    uint32_t bits = 0;
    for (int i = 0; i < p->n * p->n; i++) {
        bits = i % 32 == 0 ? philox_next(&p->g) : bits >> 1;
        e[i] += bits & 1 ? p->size[i] : -p->size[i];
    }
}

static void step(struct plain *p, int k)
{
    int n = p->n, count = n * n;
    double size[N * N];
    for (int run = 0; run <= MCA_RUNS; run++) {
        double *e = p->e[run];
        multiply(n, k ? p->x : e, e, p->next, p->size);
        for (int i = 0; i < count; i++) {
            bool diagonal = i / n == i % n;
            double scaled = k ? p->next[i] / k : 0, sum = k ? scaled + diagonal : 0;
            double product = k ? p->size[i] / ((double)k * k) : p->size[i];
            size[i] = run ? size[i] : noise * sqrt(product + scaled * scaled + sum * sum);
            e[i] = k ? sum : p->next[i];
        }
        memcpy(p->size, size, sizeof size);
        if (run) {
            disturb(p, e);
        }
    }
}

static double rounded(struct plain *p, int run, double x)
{
    return run == 0 ? x : x + (philox_next(&p->g) >> 31 ? noise : -noise) * x;
}

static void product(struct plain *p, int run, const double *a, const double *b, double *c)
{
    multiply(p->n, a, b, p->next, p->size);
    for (int i = 0; i < p->n * p->n; i++) {
        p->size[i] = noise * sqrt(p->size[i]);
    }
    memcpy(c, p->next, sizeof p->next);
    if (run) {
        disturb(p, c);
    }
}

static void swap_rows(int n, double *m, int p, int q)
{
    for (int j = 0; p != q && j < n; j++) {
        double t = m[p * n + j];
        m[p * n + j] = m[q * n + j];
        m[q * n + j] = t;
    }
}

static void solve(struct plain *p, int run, double *a, double *b)
{
    int n = p->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        swap_rows(n, a, k, pivot);
        swap_rows(n, b, k, pivot);
        for (int i = k + 1; i < n; i++) {
            double f = rounded(p, run, a[i * n + k] / a[k * n + k]);
            for (int j = 0; j < n; j++) {
                double *x = &a[i * n + j], *y = &b[i * n + j];
                *x = j > k ? rounded(p, run, *x - rounded(p, run, f * a[k * n + j])) : *x;
                *y = rounded(p, run, *y - rounded(p, run, f * b[k * n + j]));
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < n; j++) {
            double x = b[i * n + j];
            for (int k = i + 1; k < n; k++) {
                x = rounded(p, run, x - rounded(p, run, a[i * n + k] * b[k * n + j]));
            }
            b[i * n + j] = rounded(p, run, x / a[i * n + i]);
        }
    }
}

static void approximate(struct plain *p, int run, int m, double *e)
{
    double square[N * N], power[N * N] = {0}, sum[2][N * N] = {{0}}, u[N * N], c = 1;
    int n = p->n;
    product(p, run, p->x, p->x, square);
    for (int i = 0; i < n; i++) {
        power[i * n + i] = 1;
    }
    for (int k = 0; k <= m; k++) {
        for (int i = 0; i < n * n; i++) {
            double term = rounded(p, run, c * power[i]);
            sum[k % 2][i] = rounded(p, run, sum[k % 2][i] + term);
        }
        if (k % 2 && k < m) {
            product(p, run, power, square, power);
        }
        c *= (double)(m - k) / ((2.0 * m - k) * (k + 1.0));
    }
    product(p, run, p->x, sum[1], u);
    for (int i = 0; i < n * n; i++) {
        e[i] = rounded(p, run, sum[0][i] + u[i]);
        sum[0][i] = rounded(p, run, sum[0][i] - u[i]);
    }
    solve(p, run, sum[0], e);
}

static void raise_spread(const struct plain *p, double *spread)
{
    for (int i = 0; i < p->n * p->n; i++) {
        double sum = 0;
        for (int run = 1; run <= MCA_RUNS; run++) {
            double d = (p->e[run][i] - p->e[0][i]) / noise;
            sum += d * d;
        }
        spread[i] = fmax(spread[i], sqrt(sum / MCA_RUNS));
    }
}

static void evaluate(struct plain *p, const double *a, int degree, bool pade, double theta, double *spread)
{
    int squarings = 0, count = p->n * p->n;
    for (double norm = matrix_one_norm(p->n, a); norm > theta; norm /= 2) {
        squarings++;
    }
    for (int i = 0; i < count; i++) {
        p->x[i] = ldexp(a[i], -squarings);
    }
    for (int run = 0; run <= MCA_RUNS; run++) {
        for (int i = 0; i < count; i++) {
            p->e[run][i] = i / p->n == i % p->n;
        }
    }
    for (int run = 0; pade && run <= MCA_RUNS; run++) {
        approximate(p, run, degree, p->e[run]);
    }
    for (int k = degree; !pade && k >= 1; k--) {
        step(p, k);
    }
    for (int s = 0; s < squarings; s++) {
        step(p, 0);
    }
    raise_spread(p, spread);
}

static void check_spread(int n, double scale)
{
    struct plain *p = calloc(1, sizeof *p);
    double a[N * N], spread[N * N] = {0}, greatest = 0;
    const double running[] = {0, 0x1p-60, 1}; /* none, less than 2·u·greatest, more */
    double rounding[N * N];
    struct envelope envelope[N * N] = {{0}};
    struct value value[N * N];
    struct philox g;
    philox_start(&g, (uint64_t)n);
    for (int i = 0; i < n * n; i++) {
        a[i] = philox_signed(&g) * scale / n;
        value[i] = value_of(1);
        rounding[i] = running[i % 3];
    }
    cr_assert(matrix_exp_envelope(n, a, DTYPE_FLOAT64, value, 0, rounding, 1, envelope));
    p->n = n;
    philox_start(&p->g, XXH3_64bits(a, (size_t)(n * n) * sizeof *a));
    evaluate(p, a, 5, true, 0.25394, spread);
    evaluate(p, a, 18, false, 1.09086, spread);
    evaluate(p, a, 13, true, 5.37192, spread);
    for (int i = 0; i < n * n; i++) {
        greatest = fmax(greatest, fabs(p->e[0][i]));
    }
    for (int i = 0; i < n * n; i++) {
        double expected = envelope_join(spread[i], i % 3 == 1 ? 0x1p-60 / 0x1p-53 : 2 * greatest);
        cr_assert_eq(envelope[i].spread, expected, "n = %d, entry %d: %a, not %a", n, i, envelope[i].spread,
                     expected);
    }
    free(p);
}

/* Orders that are multiples of the tile size, and others. */
Test(envelope_exponential_plain, spreads_are_those_of_three_loops)
{
    for (int n = 1; n <= N; n += n < 9 ? 1 : n < 16 ? 6 : 1) {
        check_spread(n, n % 2 ? 1 : 6);
    }
}

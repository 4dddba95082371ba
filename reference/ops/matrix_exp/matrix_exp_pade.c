/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The [m/m] Padé approximant, nominal and perturbed in groups of eight evaluations. A rounded value consumes
 * one word of noise, in the order of a sequential program. When row k eliminates row i of (a | b), the
 * multiplier comes first, then the product and the difference for each column: those of a after column k, and
 * all of b. A matrix product consumes one bit for each element. */

#include "reference/ops/matrix_exp/matrix_exp_mca.h"

#include <math.h>
#include <string.h>

/* Σ c_k·X^k with c_k = (2m − k)!·m!/((2m)!·k!·(m − k)!), even powers in V, odd ones in U = X·W. */
static double next_coefficient(double c, int m, int k)
{
    return c * ((double)(m - k) / ((2.0 * m - k) * (k + 1.0)));
}

/* --- nominal */

static double *row_of(const struct runs *r, double *m, int i)
{
    return m + (size_t)i * (size_t)r->stride;
}

static void swap_rows(const struct runs *r, double *m, int p, int q)
{
    double *a = row_of(r, m, p), *b = row_of(r, m, q);
    for (int j = 0; p != q && j < r->n; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

/* Subtracts f times row `from` from row `to`, from column j on. */
static void take_off(const struct runs *r, double *m, int to, int from, double f, int j)
{
    double *x = row_of(r, m, to), *y = row_of(r, m, from);
    for (; j < r->n; j++) {
        x[j] -= f * y[j];
    }
}

/* b ← a⁻¹·b by elimination with partial pivoting. */
static void solve(const struct runs *r, double *a, double *b)
{
    int n = r->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(row_of(r, a, i)[k]) > fabs(row_of(r, a, pivot)[k]) ? i : pivot;
        }
        swap_rows(r, a, k, pivot);
        swap_rows(r, b, k, pivot);
        for (int i = k + 1; i < n; i++) {
            double f = row_of(r, a, i)[k] / row_of(r, a, k)[k];
            take_off(r, a, i, k, f, k + 1);
            take_off(r, b, i, k, f, 0);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            take_off(r, b, i, k, row_of(r, a, i)[k], 0);
        }
        for (int j = 0; j < n; j++) {
            row_of(r, b, i)[j] /= row_of(r, a, i)[i];
        }
    }
}

static void approximate(struct runs *r, int m)
{
    double *square = r->pade[0], *power = r->pade[1], *v = r->pade[2], *w = r->pade[3], *u = r->pade[4],
           c = 1;
    mca_multiply(r, r->x, r->x, square);
    memcpy(power, r->e, r->size * sizeof *power); /* I */
    memset(v, 0, r->size * sizeof *v);
    memset(w, 0, r->size * sizeof *w);
    for (int k = 0; k <= m; c = next_coefficient(c, m, k++)) {
        double *to = k % 2 ? w : v;
        for (size_t i = 0; i < r->size; i++) {
            to[i] += c * power[i];
        }
        if (k % 2 && k < m) {
            mca_multiply(r, power, square, r->next);
            double *swap = power;
            power = r->next;
            r->next = swap;
        }
    }
    r->pade[1] = power;
    mca_multiply(r, r->x, w, u);
    for (size_t i = 0; i < r->size; i++) {
        double sum = v[i] + u[i];
        v[i] -= u[i];
        r->e[i] = sum;
    }
    solve(r, v, r->e);
}

/* --- perturbed: eight evaluations at a time */

static void multiply(struct mca_stream *s, const double *left, const double *right, double *to)
{
    struct mca_product product = {
        .n = s->runs->n, .left = left, .right = right, .bits = s->runs->words, .noise = noise, .to = to};
    mca_take_words(s);
    mca_kernel_product(&product);
}

/* Swaps rows k and row[lane] of m in each lane. */
static void swap_in_lanes(int n, double *m, int k, const int64_t row[MCA_LANES])
{
    for (int lane = 0; lane < MCA_LANES; lane++) {
        double *a = m + (int64_t)k * n * MCA_LANES + lane, *b = m + row[lane] * n * MCA_LANES + lane;
        for (int64_t j = 0; a != b && j < (int64_t)n * MCA_LANES; j += MCA_LANES) {
            double t = a[j];
            a[j] = b[j];
            b[j] = t;
        }
    }
}

static void solve_in_lanes(struct mca_stream *s, double *a, double *b)
{
    int n = s->runs->n;
    for (int k = 0; k < n; k++) {
        int64_t row[MCA_LANES];
        mca_kernel_pivot(n, a, k, row);
        swap_in_lanes(n, a, k, row);
        swap_in_lanes(n, b, k, row);
        for (int i = k + 1; i < n; i++) {
            mca_kernel_eliminate(n, a, b, k, i, mca_take(s, 1 + 2 * (size_t)n + 2 * (size_t)(n - 1 - k)));
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < n; j += MCA_COLUMNS) {
            int columns = n - j < MCA_COLUMNS ? n - j : MCA_COLUMNS;
            mca_kernel_substitute(n, a, b, i, j, columns,
                                  mca_take(s, (size_t)columns * (2 * (size_t)(n - 1 - i) + 1)));
        }
    }
}

/* If `u` is NULL, to += c·power; else e = to + u and to −= u. Consumes two words for each element. */
static void add_up(struct mca_stream *s, double c, const double *power, double *to, const double *u,
                   double *e)
{
    int64_t count = (int64_t)s->runs->n * s->runs->n, most = (int64_t)s->runs->chunk / 2;
    for (int64_t i = 0; i < count; i += most) {
        int64_t at = i * MCA_LANES, some = count - i < most ? count - i : most;
        const double *z = mca_take(s, 2 * (size_t)some);
        if (u) {
            mca_kernel_combine(some, u + at, to + at, e + at, z);
        } else {
            mca_kernel_accumulate(some, c, power + at, to + at, z);
        }
    }
}

static void approximate_in_lanes(struct mca_stream *s, int m, double *e)
{
    struct runs *r = s->runs;
    size_t size = (size_t)r->n * (size_t)r->n * MCA_LANES;
    double *square = r->lanes_pade[0], *power = r->lanes_pade[1], *v = r->lanes_pade[2],
           *w = r->lanes_pade[3], *u = r->lanes_pade[4], c = 1;
    multiply(s, r->lanes_x, r->lanes_x, square);
    memcpy(power, e, size * sizeof *power); /* I */
    memset(v, 0, size * sizeof *v);
    memset(w, 0, size * sizeof *w);
    for (int k = 0; k <= m; c = next_coefficient(c, m, k++)) {
        add_up(s, c, power, k % 2 ? w : v, NULL, NULL);
        if (k % 2 && k < m) {
            multiply(s, power, square, r->lanes_next);
            double *swap = power;
            power = r->lanes_next;
            r->lanes_next = swap;
        }
    }
    r->lanes_pade[1] = power;
    multiply(s, r->lanes_x, w, u);
    add_up(s, 0, NULL, v, u, e);
    solve_in_lanes(s, v, e);
}

/* The number of words that an evaluation consumes: for m + 1 sums and the last two, the square, ⌊m/2⌋ powers
 * and U, the elimination, and the substitution. */
static uint64_t words_of(int n, int m)
{
    uint64_t elements = (uint64_t)n * (uint64_t)n, elimination = 0;
    for (uint64_t k = 0; k < (uint64_t)n; k++) {
        uint64_t rows = (uint64_t)n - 1 - k;
        elimination += rows * (1 + 2 * (uint64_t)n + 2 * rows);
    }
    return 2 * elements * (uint64_t)(m + 2) + mca_product_words(n) * (uint64_t)(m / 2 + 2) + elimination +
           elements * (uint64_t)n;
}

void mca_approximate(struct runs *r, int m)
{
    uint64_t words = words_of(r->n, m);
    approximate(r, m);
    for (int g = 0; g < MCA_GROUPS; g++) {
        struct mca_stream stream = {r, r->position + (uint64_t)g * MCA_LANES * words, words, 0, 0, 0};
        approximate_in_lanes(&stream, m, r->lanes_e[g]);
    }
    r->position += MCA_RUNS * words;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* One run of an [m/m] approximant; run 0 is undisturbed. A value that is rounded takes one word of noise, in
 * the order in which a plain program computes: of a row i that is eliminated by row k the multiplier, then
 * for each column the product and the difference, left of the bar behind column k and right of it in all. */

#include "reference/double_lu.h"
#include "reference/exponential_kernel.h"
#include "reference/matrix_exp_runs.h"

#include <math.h>
#include <string.h>

static double *row_of(const struct runs *r, double *m, int i)
{
    return m + (size_t)i * (size_t)r->stride;
}

static void product(struct runs *r, int run, const double *a, const double *b, double *c)
{
    if (run) {
        runs_multiply_energy(r, a, b, r->next);
        for (size_t i = 0; i < r->size; i++) {
            r->error[i] = noise * sqrt(r->error[i]);
        }
    } else {
        runs_multiply(r, a, b, r->next);
    }
    memcpy(c, r->next, r->size * sizeof *c);
    if (run) {
        runs_disturb(r, c);
    }
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

/* Takes row k of (a | b) off row i. */
static void eliminate(struct runs *r, int run, double *a, double *b, int k, int i)
{
    double *x = row_of(r, a, i), *y = row_of(r, b, i), *from = row_of(r, a, k), *other = row_of(r, b, k);
    double f = x[k] / from[k];
    int before = k + 1, behind = r->n - before;
    if (run == 0) {
        for (int j = 0; j < r->n; j++) {
            x[j] = j > k ? x[j] - f * from[j] : x[j];
            y[j] -= f * other[j];
        }
        return;
    }
    size_t t = 1 + 2 * (size_t)before;
    runs_draw(r, t + 4 * (size_t)behind);
    f += *drawn_at(r, 0) * f;
    runs_every_other(r, 1, (size_t)before, r->inner);
    runs_every_other(r, 2, (size_t)before, r->outer);
    exponential_update(y, other, f, r->inner, r->outer, before);
    exponential_update(x + before, from + before, f, drawn_at(r, t), drawn_at(r, t + 1), behind);
    exponential_update(y + before, other + before, f, drawn_at(r, t + 2), drawn_at(r, t + 3), behind);
}

/* Row i of the solution, from column j on, at most eight of them, once the rows below are. */
static void substitute(struct runs *r, double *a, double *b, int i, int j)
{
    int lanes = r->n - j < LU_TILE ? r->n - j : LU_TILE;
    size_t terms = (size_t)(r->n - 1 - i), words = 2 * terms + 1;
    double x[LU_TILE] = {0}, *to = row_of(r, b, i) + j, pivot = row_of(r, a, i)[i];
    runs_draw_columns(r, words, (size_t)lanes);
    memcpy(x, to, (size_t)lanes * sizeof *x);
    exponential_chain(x, row_of(r, a, i) + i + 1, to + r->stride, r->stride, r->columns, (int64_t)terms);
    for (int lane = 0; lane < lanes; lane++) {
        double y = x[lane] / pivot;
        to[lane] = y + r->columns[2 * terms * LU_TILE + (size_t)lane] * y;
    }
}

static void substitute_plainly(const struct runs *r, double *a, double *b, int i)
{
    double *to = row_of(r, b, i);
    for (int k = i + 1; k < r->n; k++) {
        const double *from = row_of(r, b, k);
        for (int j = 0; j < r->n; j++) {
            to[j] -= row_of(r, a, i)[k] * from[j];
        }
    }
    for (int j = 0; j < r->n; j++) {
        to[j] /= row_of(r, a, i)[i];
    }
}

/* b ← a⁻¹·b by elimination with partial pivoting. */
static void solve(struct runs *r, int run, double *a, double *b)
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
            eliminate(r, run, a, b, k, i);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; run && j < n; j += LU_TILE) {
            substitute(r, a, b, i, j);
        }
        if (run == 0) {
            substitute_plainly(r, a, b, i);
        }
    }
}

/* to += c·power, both rounded. */
static void accumulate(struct runs *r, int run, double c, double *power, double *to)
{
    for (int i = 0; i < r->n; i++) {
        double *x = row_of(r, to, i), *p = row_of(r, power, i);
        if (run) {
            runs_draw_pairs(r);
        }
        for (int j = 0; j < r->n; j++) {
            double term = c * p[j];
            term = run ? term + r->inner[j] * term : term;
            double sum = x[j] + term;
            x[j] = run ? sum + r->outer[j] * sum : sum;
        }
    }
}

/* e = v + u and v −= u, both rounded. */
static void combine(struct runs *r, int run, double *u, double *v, double *e)
{
    for (int i = 0; i < r->n; i++) {
        double *x = row_of(r, e, i), *y = row_of(r, v, i), *z = row_of(r, u, i);
        if (run) {
            runs_draw_pairs(r);
        }
        for (int j = 0; j < r->n; j++) {
            double sum = y[j] + z[j], difference = y[j] - z[j];
            x[j] = run ? sum + r->inner[j] * sum : sum;
            y[j] = run ? difference + r->outer[j] * difference : difference;
        }
    }
}

/* Σ c_k·X^k with c_k = (2m − k)!·m!/((2m)!·k!·(m − k)!), even powers in V, odd ones in U = X·W. */
void runs_approximate(struct runs *r, int run, int m, double *e)
{
    double *square = r->pade[0], *power = r->pade[1], *v = r->pade[2], *w = r->pade[3], *u = r->pade[4],
           c = 1;
    product(r, run, r->x, r->x, square);
    memset(power, 0, r->size * sizeof *power);
    memset(v, 0, r->size * sizeof *v);
    memset(w, 0, r->size * sizeof *w);
    for (int i = 0; i < r->n; i++) {
        row_of(r, power, i)[i] = 1;
    }
    for (int k = 0; k <= m; k++) {
        accumulate(r, run, c, power, k % 2 ? w : v);
        if (k % 2 && k < m) {
            product(r, run, power, square, power);
        }
        c *= (double)(m - k) / ((2.0 * m - k) * (k + 1.0));
    }
    product(r, run, r->x, w, u);
    combine(r, run, u, v, e);
    solve(r, run, v, e);
}

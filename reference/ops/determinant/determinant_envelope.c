/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Elimination rounds every a_ij at every step k ≤ min(i, j): the product l_ik·u_kj and the difference. An
 * error δ_ij of the entry at any step acts like an error of A itself, because the inverse of a Schur
 * complement is the trailing block of A⁻¹: δ log|det A| = Σ (A⁻¹)_ji·δ_ij to first order. Hence, in pivoted
 * order,
 *
 *     S² = u²·Σ_ij (A⁻¹)_ji²·v_ij,   v_ij = Σ_k (l_ik·u_kj)² + (a_ij^(k+1))², 4(l_ik·u_kk)² for a multiplier,
 *
 * whose error may be 2u: a division, or a product with a rounded reciprocal. The entries of M = A⁻¹·δA have
 * variances w_ij = Σ_k (A⁻¹)_ik²·v_kj. The second-order term tr(M²)/2 has the mean Σ w_ii/2 and a variance of
 * at most Σ w_ij·w_ji/2; four deviations are added. Both are invariant under scaling of rows and columns. */

#include "reference/ops/determinant/determinant_envelope.h"
#include "reference/numeric/elementary/double_log.h"
#include "reference/operator/envelope.h"
#include "reference/ops/determinant/determinant_envelope_large.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct elimination {
    int n;
    bool complete;        /* pivots from the whole trailing block */
    double *lu, *inverse; /* of the matrix in pivoted order; `inverse` transposed */
    double *v, *w;
};

static void swap_rows(double *m, int n, int p, int q)
{
    for (int j = 0; p != q && j < n; j++) {
        double t = m[p * n + j];
        m[p * n + j] = m[q * n + j];
        m[q * n + j] = t;
    }
}

static void swap_columns(double *m, int n, int p, int q)
{
    for (int i = 0; p != q && i < n; i++) {
        double t = m[i * n + p];
        m[i * n + p] = m[i * n + q];
        m[i * n + q] = t;
    }
}

static void find_pivot(const struct elimination *e, int k, int *row, int *column)
{
    int n = e->n;
    *row = *column = k;
    for (int j = k; j < (e->complete ? n : k + 1); j++) {
        for (int i = k; i < n; i++) {
            if (fabs(e->lu[i * n + j]) > fabs(e->lu[*row * n + *column])) {
                *row = i;
                *column = j;
            }
        }
    }
}

/* Eliminates e->lu in place and permutes `order` likewise; false if a pivot is 0 or infinite. */
static bool eliminate(struct elimination *e, double *order)
{
    int n = e->n;
    for (int k = 0; k < n; k++) {
        int row, column;
        find_pivot(e, k, &row, &column);
        swap_rows(e->lu, n, k, row);
        swap_rows(order, n, k, row);
        swap_columns(e->lu, n, k, column);
        swap_columns(order, n, k, column);
        double pivot = e->lu[k * n + k];
        if (!(fabs(pivot) > 0) || isinf(pivot)) {
            return false;
        }
        for (int i = k + 1; i < n; i++) {
            double l = e->lu[i * n + k] / pivot;
            e->lu[i * n + k] = l;
            for (int j = k + 1; j < n; j++) {
                e->lu[i * n + j] -= l * e->lu[k * n + j];
            }
        }
    }
    return true;
}

/* Stores the transposed inverse of LU in e->inverse. */
static void invert(struct elimination *e)
{
    int n = e->n;
    double *x = e->inverse;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            x[i * n + j] = i == j;
        }
        for (int k = 0; k < i; k++) {
            double l = e->lu[i * n + k];
            for (int j = 0; j < n; j++) {
                x[i * n + j] -= l * x[k * n + j];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            double u = e->lu[i * n + k];
            for (int j = 0; j < n; j++) {
                x[i * n + j] -= u * x[k * n + j];
            }
        }
        double pivot = e->lu[i * n + i];
        for (int j = 0; j < n; j++) {
            x[i * n + j] /= pivot;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double t = x[i * n + j];
            x[i * n + j] = x[j * n + i];
            x[j * n + i] = t;
        }
    }
}

/* Computes v by eliminating the pivoted matrix `a`, which is overwritten. */
static void gather(struct elimination *e, double *a)
{
    int n = e->n;
    memset(e->v, 0, (size_t)n * (size_t)n * sizeof *e->v);
    for (int k = 0; k < n; k++) {
        double pivot = a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            double l = a[i * n + k] / pivot, *row = &a[i * n], *v = &e->v[i * n];
            const double *from = &a[k * n];
            v[k] += 4 * (l * pivot) * (l * pivot);
            for (int j = k + 1; j < n; j++) {
                double product = l * from[j], rest = row[j] - product;
                row[j] = rest;
                v[j] += product * product + rest * rest;
            }
        }
    }
}

/* Σ_ij |A⁻¹|_ji·(1 + Σ_k|u_kj|): an error η of a multiplier is multiplied by row k of U. `column`: room for n
 * numbers. */
static double underflow_of(const struct elimination *e, double *column)
{
    int n = e->n;
    double sum = 0;
    for (int j = 0; j < n; j++) {
        column[j] = 1;
        for (int k = 0; k <= j; k++) {
            column[j] += fabs(e->lu[k * n + j]);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += fabs(e->inverse[i * n + j]) * column[j];
        }
    }
    return sum;
}

/* Raises `out` to the first-order deviation Σ (A⁻¹)_ji²·v_ij and the second-order terms of this form. */
static void measure(struct elimination *e, struct determinant_envelope *out)
{
    int n = e->n;
    double first = 0, mean = 0, mixed = 0;
    memset(e->w, 0, (size_t)n * (size_t)n * sizeof *e->w);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            double x = e->inverse[k * n + i], square = x * x; /* (A⁻¹)_ik */
            double *w = &e->w[i * n];
            const double *v = &e->v[k * n];
            first += square * v[i];
            for (int j = 0; j < n; j++) {
                w[j] += square * v[j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        mean += e->w[i * n + i];
        for (int j = 0; j < n; j++) {
            mixed += e->w[i * n + j] * e->w[j * n + i];
        }
    }
    double elimination = sqrt(first), second = mean / 2 + 4 * sqrt(mixed / 2), unstable = sqrt(mixed);
    out->elimination = elimination > out->elimination ? elimination : out->elimination;
    out->second = second > out->second ? second : out->second;
    out->unstable = unstable > out->unstable ? unstable : out->unstable;
}

/* S/u of the pivots' logarithms, with an error of 2u each, and of their sum in any order. */
static double logarithms(const struct elimination *e, double *term)
{
    int n = e->n;
    double u[ENVELOPE_WIDTHS];
    struct envelope_sum sum;
    for (int i = 0; i < n; i++) {
        term[i] = double_log(fabs(e->lu[i * n + i]));
    }
    envelope_widths(DTYPE_FLOAT64, u);
    envelope_sum(term, n, u, &sum);
    return envelope_join(sum.order, 2 * sum.squares);
}

static bool one_form(struct elimination *e, double *order, struct determinant_envelope *out)
{
    size_t bytes = (size_t)e->n * (size_t)e->n * sizeof *order;
    memcpy(e->lu, order, bytes);
    if (!eliminate(e, order)) {
        return false;
    }
    invert(e);
    double logs = logarithms(e, e->w);
    double underflow = underflow_of(e, e->w);
    out->logarithms = logs > out->logarithms ? logs : out->logarithms;
    out->underflow = underflow > out->underflow ? underflow : out->underflow;
    gather(e, order);
    measure(e, out);
    return true;
}

bool determinant_envelope_small(int n, const double *a, struct determinant_envelope *out)
{
    size_t count = (size_t)n * (size_t)n;
    struct elimination e = {.n = n};
    double *work = malloc((5 * count + (size_t)n) * sizeof *work);
    *out = (struct determinant_envelope){.elimination = 0};
    if (!work) {
        return false;
    }
    double *order = work;
    e.lu = work + count;
    e.inverse = work + 2 * count;
    e.v = work + 3 * count;
    e.w = work + 4 * count;
    bool regular = true;
    for (int form = 0; regular && form < 3; form++) { /* A, Aᵀ, complete */
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                order[i * n + j] = form == 1 ? a[j * n + i] : a[i * n + j];
            }
        }
        e.complete = form == 2;
        regular = one_form(&e, order, out);
    }
    if (!regular) {
        *out = (struct determinant_envelope){INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    }
    free(work);
    return true;
}

bool determinant_envelope(int n, const double *a, struct determinant_envelope *out)
{
    struct verified_determinant v;
    if (n < DETERMINANT_LARGE || n > DETERMINANT_LARGEST) {
        return determinant_envelope_small(n, a, out);
    }
    bool good = verified_determinant_create(&v, n, a);
    if (good) {
        good = v.usable ? determinant_envelope_large(&v, out) : determinant_envelope_small(n, a, out);
    }
    verified_determinant_destroy(&v);
    return good;
}

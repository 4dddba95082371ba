/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The sensitivities of struct determinant from a verified elimination in double: |A⁻¹| ≤ |X| + the error
 * bound of X, and |L||U| of the computed factors. The rounding of these changes |L||U| only to first order in
 * double's u, as do the bounds; all results are inflated by more than that change for well-posed problems. */

#include "reference/numeric/elementary/double_log.h"
#include "reference/ops/determinant/determinant_coefficients.h"
#include "reference/ops/determinant/determinant_verified.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { POWERS_MOST = 256 }; /* the greatest order for which W², W³ and W⁴ are computed */

/* One factorization. Row-major. */
struct form {
    int n, stride;
    double inflate; /* the factor of all results */
    const struct double_lu *lu;
    double *inverse, *g; /* |(LU)⁻¹|, |L||U|: rounded up */
    double *column;      /* column sums of |U| */
    double *y, *next, *half;
};

static double entry(const struct form *f, const double *m, int i, int j)
{
    return m[(size_t)i * (size_t)f->stride + (size_t)j];
}

static void take_inverse(struct form *f, const struct verified_determinant *v, bool transposed)
{
    for (int i = 0; i < f->n; i++) {
        for (int c = 0; c < f->n; c++) {
            int row = transposed ? f->lu->row[c] : i, column = transposed ? i : f->lu->row[c];
            double x = fabs(v->inverse[(size_t)row * (size_t)f->stride + (size_t)column]) +
                       v->off[row] * v->off_column[column];
            f->inverse[(size_t)i * (size_t)f->stride + (size_t)c] = x * f->inflate;
        }
    }
}

static void sum_columns(struct form *f)
{
    for (int j = 0; j < f->n; j++) {
        f->column[j] = 0;
    }
    for (int i = 0; i < f->n; i++) {
        for (int j = i; j < f->n; j++) {
            f->column[j] += fabs(entry(f, f->lu->lu, i, j));
        }
    }
}

/* Computes |L||U|; `lower` and `upper` are scratch matrices of zeros. */
static void multiply_magnitudes(struct form *f, double *lower, double *upper)
{
    size_t count = (size_t)f->stride * (size_t)f->stride;
    double_lu_lower(f->lu, lower);
    double_lu_upper(f->lu, upper);
    for (size_t i = 0; i < count; i++) {
        lower[i] = fabs(lower[i]);
        upper[i] = fabs(upper[i]);
        f->g[i] = 0;
    }
    for (int j = 0; j < f->stride; j += LU_TILE) {
        for (int i = 0; i < f->stride; i += LU_TILE) {
            size_t row = (size_t)i * (size_t)f->stride;
            struct lu_factors factors = {lower + row, f->stride, upper + panel_at(f->stride, 0, j),
                                         (i < j ? i : j) + LU_TILE};
            lu_add(f->g + row + j, f->stride, &factors);
        }
    }
}

/* to = yᵀm. */
static void from_left(const struct form *f, const double *y, const double *m, double *to)
{
    for (int j = 0; j < f->n; j++) {
        to[j] = 0;
    }
    for (int i = 0; i < f->n; i++) {
        for (int j = 0; j < f->n; j++) {
            to[j] += y[i] * entry(f, m, i, j);
        }
    }
}

/* Sets next = yᵀW and returns max_j next_j/y_j, rounded up. */
static double quotient_of(struct form *f)
{
    double greatest = 0;
    from_left(f, f->y, f->inverse, f->half);
    from_left(f, f->half, f->g, f->next);
    for (int j = 0; j < f->n; j++) {
        greatest = fmax(greatest, f->next[j] / f->y[j]);
    }
    return greatest * f->inflate;
}

/* spr(W) ≤ max_j (yᵀW)_j/y_j for every positive y (Collatz, Wielandt); power iteration improves y. */
static double spectral_radius(struct form *f)
{
    double least = INFINITY;
    for (int j = 0; j < f->n; j++) {
        f->y[j] = 1;
    }
    for (int step = 0; step < 30; step++) {
        double radius = quotient_of(f), greatest = 0;
        for (int j = 0; j < f->n; j++) {
            greatest = fmax(greatest, f->next[j]);
        }
        if (step == 29 || !(radius < least * (1 - 0x1p-7)) || !isfinite(greatest)) {
            return radius; /* the bound for the final y, which underflow_sum uses, too */
        }
        least = radius;
        for (int j = 0; j < f->n; j++) {
            f->y[j] = fmax(f->next[j] / greatest, 0x1p-40); /* positive even if W is reducible */
        }
    }
    return least;
}

static double trace_of(const struct form *f, const double *left, const double *right)
{
    double sum = 0;
    for (int i = 0; i < f->n; i++) {
        double row = 0;
        for (int j = 0; j < f->n; j++) {
            row += entry(f, left, i, j) * entry(f, right, j, i);
        }
        sum += row;
    }
    return sum * f->inflate;
}

/* Computes tr W^k for k ≥ 2 from products of W, W², W³ and W⁴, or bounds it by n·spr(W)^k for large
 * orders. */
static bool find_traces(const struct form *f, double radius, double trace[DETERMINANT_TRACES])
{
    double *power[4], bound = f->n * radius;
    for (int k = 1; k < DETERMINANT_TRACES; k++) {
        bound *= radius * f->inflate;
        trace[k] = bound;
    }
    if (f->n > POWERS_MOST) {
        return true;
    }
    double *panels = lu_matrices(f->stride, 5);
    for (int k = 0; panels && k < 4; k++) {
        power[k] = panels + (size_t)(k + 1) * (size_t)f->stride * (size_t)f->stride;
        lu_panels(f->stride, k ? power[0] : f->g, panels);
        lu_multiply(f->n, f->stride, k ? power[k - 1] : f->inverse, panels, power[k]);
    }
    for (int k = 2; panels && k <= DETERMINANT_TRACES; k++) {
        trace[k - 1] = trace_of(f, power[k / 2 - 1], power[k - k / 2 - 1]);
    }
    free(panels);
    return panels != NULL;
}

/* The factor of all results: sums of n² terms have a relative error of at most 2^-24; the rest covers the
 * error of |L||U|, which elimination in double computes and ‖H‖ bounds. */
static double inflation(const struct verified_determinant *v)
{
    return v->n < DETERMINANT_LARGE ? 1 + 0x1p-22 + 4 * v->residual : 1 + 0x1p-17;
}

/* Raises every sensitivity to the value for this factorization. */
static bool sum_magnitudes(struct form *f, struct determinant *d, double *norm)
{
    double radius = spectral_radius(f), least = INFINITY, sum = 0, weighted = 0, squares = 0;
    double trace[DETERMINANT_TRACES] = {trace_of(f, f->inverse, f->g)};
    if (!find_traces(f, radius, trace)) {
        return false;
    }
    for (int i = 0; i < f->n; i++) {
        double row = 0;
        for (int j = 0; j < f->n; j++) {
            row += entry(f, f->inverse, i, j);
            squares += entry(f, f->g, i, j) * entry(f, f->g, i, j);
        }
        sum += row;
        weighted += f->y[i] * row;
        least = fmin(least, f->y[i] / (1 + f->column[i]));
    }
    for (int k = 0; k < DETERMINANT_TRACES; k++) {
        d->trace[k] = fmax(d->trace[k], trace[k]);
    }
    d->condition = d->trace[0];
    d->radius = fmax(d->radius, radius);
    d->inverse_sum = fmax(d->inverse_sum, sum * f->inflate);
    d->underflow_sum = fmax(d->underflow_sum, weighted / least * f->inflate);
    *norm = fmax(*norm, sqrt(squares) * f->inflate);
    return true;
}

static void sum_logs(const struct form *f, struct determinant *d)
{
    const struct double_lu *lu = f->lu;
    double sum = 0;
    int near_one = 0;
    for (int i = 0; i < lu->n; i++) {
        double u = fabs(lu->lu[(size_t)i * (size_t)lu->stride + (size_t)i]);
        sum += fabs(double_log(u));
        near_one += u >= 0.5 && u <= 2;
    }
    d->log_sum = fmax(d->log_sum, sum * f->inflate);
    d->near_one = near_one > d->near_one ? near_one : d->near_one;
}

/* An upper bound of log2 x for x > 0. */
static double log2_above(double x)
{
    double y = double_log(x) / M_LN2;
    return y + fabs(y) * 0x1p-48;
}

static double log_hadamard(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) {
            double x = a[(size_t)i * (size_t)n + (size_t)j];
            row += x * x;
        }
        sum += log2_above(row * (1 + 0x1p-36));
    }
    return sum / 2 * M_LN2 + (fabs(sum) + 1) * 0x1p-40;
}

/* s_{n−k}(σ) = |det|·s_k(1/σ) ≤ |det|·C(n, k)·(s_1(1/σ)/n)^k (Maclaurin), s_1(1/σ) ≤ √n·‖A⁻¹‖_F. */
static bool find_coefficients(const struct form *f, double norm, struct determinant *d)
{
    int n = f->n;
    double squares = 0, choose = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            squares += entry(f, f->inverse, i, j) * entry(f, f->inverse, i, j);
        }
    }
    double each = log2_above(sqrt(squares) * f->inflate) + log2_above(norm) - log2_above(n) / 2 + 1e-6;
    d->log2_frobenius = log2_above(norm);
    d->log2_coefficient = malloc((size_t)n * sizeof *d->log2_coefficient);
    for (int k = 1; d->log2_coefficient && k <= n; k++) {
        choose += log2_above(n - k + 1) - log2_above(k) + 0x1p-40;
        d->log2_coefficient[k - 1] = d->log2_abs + choose + k * each + 1e-6;
    }
    return d->log2_coefficient != NULL;
}

/* Sets the coefficients from the singular values. */
static bool take_coefficients(const struct verified_determinant *v, double norm, struct determinant *d)
{
    d->log2_frobenius = log2_above(norm);
    d->log2_coefficient = malloc((size_t)v->n * sizeof *d->log2_coefficient);
    return d->log2_coefficient &&
           determinant_coefficients(v->n, v->a, d->log2_frobenius, d->log2_coefficient);
}

static bool one_form(struct form *f, const struct verified_determinant *v, bool transposed,
                     struct determinant *d, double *norm)
{
    double *work = transposed ? lu_matrices(f->stride, 2) : NULL;
    bool good = work || !transposed;
    if (good) {
        f->lu = &v->lu[transposed];
        take_inverse(f, v, transposed);
        sum_columns(f);
        if (transposed) {
            multiply_magnitudes(f, work, work + (size_t)f->stride * (size_t)f->stride);
        }
        for (size_t i = 0; i < (size_t)f->stride * (size_t)f->stride; i++) {
            f->g[i] = (transposed ? f->g : v->g)[i] * f->inflate;
        }
        sum_logs(f, d);
        good = sum_magnitudes(f, d, norm);
    }
    free(work);
    return good;
}

bool verified_determinant_describe(const struct verified_determinant *v, double least_roundoff,
                                   double underflow, struct determinant *d)
{
    struct form f = {.n = v->n, .stride = v->stride, .inflate = inflation(v)};
    size_t stride = (size_t)v->stride;
    double *line = malloc(4 * stride * sizeof *line), norm = 0;
    *d = (struct determinant){.sign = v->sign, .logabs = v->logabs, .bits = INT_MAX};
    d->log2_abs = value_approximately(&v->logabs) / M_LN2;
    d->log_hadamard = log_hadamard(v->n, v->a);
    f.inverse = lu_matrices(v->stride, 2);
    bool good = line && f.inverse;
    if (good) {
        f.g = f.inverse + stride * stride;
        f.column = line;
        f.y = line + stride;
        f.next = line + 2 * stride;
        f.half = line + 3 * stride;
        good = one_form(&f, v, false, d, &norm) && one_form(&f, v, true, d, &norm);
    }
    if (good && determinant_needs_coefficients(v->n, d, least_roundoff, underflow)) {
        good = v->n < DETERMINANT_LARGE ? take_coefficients(v, norm, d) : find_coefficients(&f, norm, d);
    }
    free(line);
    free(f.inverse);
    return good;
}

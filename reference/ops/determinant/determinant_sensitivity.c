/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/round_up.h"
#include "reference/ops/determinant/determinant.h"
#include "reference/ops/determinant/determinant_coefficients.h"

#include <math.h>
#include <stdlib.h>

/* Sensitivities from an MPFR elimination at a precision at which the precision ladder has certified log|det|,
 * so that its rounding is far below the relative 2^-20 by which every result is inflated. */

static const double inflate = 1 + 0x1p-20;

/* |(LU)⁻¹|, G and the column sums of |U| as doubles, rounded up. */
struct magnitudes {
    int n;
    double *inverse, *g, *column;
};

static void sum_columns(struct magnitudes *m, const struct mpfr_matrix *lu)
{
    for (int c = 0; c < m->n; c++) {
        m->column[c] = 0;
        for (int i = 0; i <= c; i++) {
            m->column[c] += fabs(mpfr_get_d(entry_at(lu, i, c), MPFR_RNDA)) * inflate;
        }
    }
}

static bool magnitudes_create(struct magnitudes *m, const struct mpfr_matrix *lu, const struct mpfr_matrix *g,
                              mpfr_prec_t precision)
{
    int n = lu->n;
    size_t count = (size_t)n * (size_t)n;
    mpfr_t *x = malloc((size_t)n * sizeof *x), t;
    *m = (struct magnitudes){n, malloc(count * sizeof *m->inverse), malloc(count * sizeof *m->g),
                             calloc((size_t)n, sizeof *m->column)};
    if (!x || !m->inverse || !m->g || !m->column) {
        free(x);
        return false;
    }
    mpfr_init2(t, precision);
    for (int i = 0; i < n; i++) {
        mpfr_init2(x[i], precision);
    }
    for (int c = 0; c < n; c++) {
        elimination_inverse_column(lu, c, x, t);
        for (int i = 0; i < n; i++) {
            mpfr_abs(t, x[i], MPFR_RNDU);
            m->inverse[i * n + c] = mpfr_get_d(t, MPFR_RNDU) * inflate;
            m->g[i * n + c] = mpfr_get_d(entry_at(g, i, c), MPFR_RNDU);
        }
    }
    for (int i = 0; i < n; i++) {
        mpfr_clear(x[i]);
    }
    mpfr_clear(t);
    free(x);
    return true;
}

/* c = a·b for nonnegative matrices, rounded up: the relative rounding error of the sums is below n·2^-52. */
static void multiply_up(int n, const double *a, const double *b, double *c)
{
    double up = 1 + (n + 2) * 0x1p-52;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
        }
        for (int k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int j = 0; j < n; j++) {
                c[i * n + j] += x * b[k * n + j];
            }
        }
        for (int j = 0; j < n; j++) {
            c[i * n + j] *= up;
        }
    }
}

/* spr(W) ≤ max_j (yᵀW)_j/y_j for every positive y (Collatz, Wielandt); power iteration improves y. */
static double spectral_radius(int n, const double *w, double *y, double *next)
{
    double least = INFINITY;
    for (int j = 0; j < n; j++) {
        y[j] = 1;
    }
    for (int step = 0; step < 30; step++) {
        double radius = 0, greatest = 0;
        for (int j = 0; j < n; j++) {
            next[j] = 0;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                next[j] += y[i] * w[i * n + j];
            }
        }
        for (int j = 0; j < n; j++) {
            radius = fmax(radius, next[j] * (1 + (n + 2) * 0x1p-52) / y[j]);
            greatest = fmax(greatest, next[j]);
        }
        bool decided = !(radius < least * (1 - 0x1p-7));
        least = fmin(least, radius);
        if (decided || step == 29 || !isfinite(greatest)) {
            break;
        }
        for (int j = 0; j < n; j++) {
            y[j] = fmax(next[j] / greatest, 0x1p-40); /* positive even if W is reducible */
        }
    }
    double last = 0; /* the bound for the final y, which underflow_sum uses, too */
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += y[i] * w[i * n + j];
        }
        last = fmax(last, sum * (1 + (n + 2) * 0x1p-52) / y[j]);
    }
    return last;
}

/* Raises every sensitivity to the value for this factorization. */
static void sum_magnitudes(const struct magnitudes *m, struct determinant *d, double *work)
{
    int n = m->n;
    size_t count = (size_t)n * (size_t)n;
    double *w = work, *power = work + count, *next = work + 2 * count, *y = work + 3 * count;
    double up = 1 + (double)(count + 8) * 0x1p-52, least = INFINITY, weighted = 0, sum = 0;
    multiply_up(n, m->inverse, m->g, w);
    for (size_t i = 0; i < count; i++) {
        power[i] = w[i];
    }
    for (int k = 0; k < DETERMINANT_TRACES; k++) {
        double trace = 0;
        for (int i = 0; i < n; i++) {
            trace += power[i * n + i];
        }
        d->trace[k] = fmax(d->trace[k], trace * up);
        if (k + 1 < DETERMINANT_TRACES) {
            multiply_up(n, power, w, next);
            double *t = power;
            power = next;
            next = t;
        }
    }
    double radius = spectral_radius(n, w, y, y + n);
    for (int j = 0; j < n;
         j++) { /* an error η of a product or a sum counts once, one of a multiplier times its row of U */
        least = fmin(least, y[j] / (1 + m->column[j]));
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += m->inverse[i * n + j];
            weighted += y[i] * m->inverse[i * n + j];
        }
    }
    d->condition = d->trace[0];
    d->inverse_sum = fmax(d->inverse_sum, sum * up);
    /* yᵀW ≤ radius·yᵀ also holds for a greater radius. */
    d->radius = fmax(d->radius, radius);
    d->underflow_sum = fmax(d->underflow_sum, weighted * up / least * up);
}

/* Replaces A⁻¹, columns in the order `rows`, by A⁻ᵀ, columns in the order `columns`, and loads G of the
 * second elimination. */
static void transpose(struct magnitudes *m, const struct mpfr_matrix *g, const int *rows, const int *columns,
                      double *work)
{
    int n = m->n;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < n; c++) {
            work[i * n + rows[c]] = m->inverse[i * n + c];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < n; c++) {
            m->inverse[i * n + c] = work[columns[c] * n + i];
            m->g[i * n + c] = mpfr_get_d(entry_at(g, i, c), MPFR_RNDU);
        }
    }
}

static bool sum_inverse(const struct elimination e[2], mpfr_prec_t precision, struct determinant *d)
{
    size_t n = (size_t)e->lu.n;
    struct magnitudes m;
    double *work = malloc((3 * n * n + 2 * n) * sizeof *work);
    bool good = work && magnitudes_create(&m, &e[0].lu, &e[0].g, precision);
    d->condition = d->inverse_sum = d->radius = d->underflow_sum = 0;
    for (int k = 0; k < DETERMINANT_TRACES; k++) {
        d->trace[k] = 0;
    }
    if (good) {
        sum_columns(&m, &e[0].lu);
        sum_magnitudes(&m, d, work);
        transpose(&m, &e[1].g, e[0].order, e[1].order, work);
        sum_columns(&m, &e[1].lu);
        sum_magnitudes(&m, d, work);
    }
    if (work) {
        free(m.inverse);
        free(m.g);
        free(m.column);
    }
    free(work);
    return good;
}

/* Sets log_sum and near_one to the greater value of both eliminations' pivots. */
static void sum_logs(const struct mpfr_matrix *lu, const struct mpfr_matrix *transposed,
                     struct determinant *d)
{
    for (int which = 0; which < 2; which++) {
        const struct mpfr_matrix *m = which ? transposed : lu;
        double sum = 0;
        int near_one = 0;
        for (int i = 0; i < m->n; i++) {
            double l = mpfr_zero_p(entry_at(m, i, i)) ? 0 : log2_of_magnitude(entry_at(m, i, i));
            sum += fabs(l) * M_LN2 * inflate;
            near_one += !mpfr_zero_p(entry_at(m, i, i)) && l >= -1 && l <= 1;
        }
        d->log_sum = fmax(d->log_sum, sum);
        d->near_one = near_one > d->near_one ? near_one : d->near_one;
    }
}

/* An upper bound of half the natural logarithm of |x|: 2^-48 covers the errors of log2 and of the product. */
static double half_log_above(mpfr_srcptr x)
{
    double log2_x = log2_of_magnitude(x);
    return isinf(log2_x) ? log2_x : round_up_twice((log2_x + fabs(log2_x) * 0x1p-48) / 2 * M_LN2);
}

static double log_hadamard(const struct mpfr_matrix *a, mpfr_t t)
{
    double sum = 0;
    for (int i = 0; i < a->n; i++) {
        mpfr_set_zero(t, 1);
        for (int j = 0; j < a->n; j++) {
            mpfr_fma(t, entry_at(a, i, j), entry_at(a, i, j), t, MPFR_RNDU);
        }
        sum = round_up_sum(sum, half_log_above(t));
    }
    return sum;
}

static void frobenius_norm(const struct mpfr_matrix *g, mpfr_t norm)
{
    mpfr_set_zero(norm, 1);
    for (int i = 0; i < g->n * g->n; i++) {
        mpfr_fma(norm, g->entry[i], g->entry[i], norm, MPFR_RNDU);
    }
    mpfr_sqrt(norm, norm, MPFR_RNDU);
}

bool determinant_sensitivities(int n, const double *a, double least_roundoff, double underflow,
                               mpfr_prec_t precision, struct determinant *d)
{
    struct mpfr_matrix original;
    struct elimination e[2] = {{.order = NULL}, {.order = NULL}}; /* of A, of Aᵀ */
    bool good = mpfr_matrix_create(&original, n, precision);
    mpfr_t largest, frobenius, other;
    mpfr_inits2(precision, largest, frobenius, other, (mpfr_ptr)0);
    mpfr_set_zero(largest, 1);
    for (int i = 0; good && i < n * n; i++) {
        mpfr_set_d(original.entry[i], a[i], MPFR_RNDN);
        if (mpfr_cmpabs(original.entry[i], largest) > 0) {
            mpfr_abs(largest, original.entry[i], MPFR_RNDN);
        }
    }
    if (good) {
        d->log_hadamard = log_hadamard(&original, frobenius);
        mpfr_mul_2si(largest, largest, d->sign == 0 ? -(long)precision / 2 : -(1L << 30), MPFR_RNDN);
        good = elimination_create(&e[0], &original, false, largest) &&
               elimination_create(&e[1], &original, true, largest);
    }
    if (good) {
        sum_logs(&e[0].lu, &e[1].lu, d);
        d->condition = d->inverse_sum = d->radius = d->underflow_sum = INFINITY;
        for (int k = 0; k < DETERMINANT_TRACES; k++) {
            d->trace[k] = INFINITY;
        }
        good = d->sign == 0 || sum_inverse(e, precision, d);
    }
    if (good && determinant_needs_coefficients(n, d, least_roundoff, underflow)) {
        d->log2_coefficient = malloc((size_t)n * sizeof *d->log2_coefficient);
        good = d->log2_coefficient != NULL;
        if (good) {
            frobenius_norm(&e[0].g, frobenius);
            frobenius_norm(&e[1].g, other);
            mpfr_max(frobenius, frobenius, other, MPFR_RNDU);
            d->log2_frobenius = log2_of_magnitude(frobenius);
            good = determinant_coefficients(n, a, d->log2_frobenius, d->log2_coefficient);
        }
    }
    mpfr_clears(largest, frobenius, other, (mpfr_ptr)0);
    mpfr_matrix_destroy(&original);
    elimination_destroy(&e[0]);
    elimination_destroy(&e[1]);
    return good;
}

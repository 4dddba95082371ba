/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/determinant.h"
#include "reference/upward.h"

#include <math.h>
#include <stdlib.h>

/* Plain MPFR elimination at a precision that the ladder has already found ample, so that its own rounding is
 * far below the 2^-20 by which every result here is inflated. All quantities are invariant under what they
 * are used for. */

static const double inflate = 1 + 0x1p-20;

struct matrix {
    int n;
    mpfr_t *entry;
};

static bool matrix_create(struct matrix *m, int n, mpfr_prec_t precision)
{
    *m = (struct matrix){.n = n, .entry = malloc((size_t)n * (size_t)n * sizeof *m->entry)};
    for (int i = 0; m->entry && i < n * n; i++) {
        mpfr_init2(m->entry[i], precision);
        mpfr_set_zero(m->entry[i], 1);
    }
    return m->entry != NULL;
}

static void matrix_destroy(struct matrix *m)
{
    for (int i = 0; m->entry && i < m->n * m->n; i++) {
        mpfr_clear(m->entry[i]);
    }
    free(m->entry);
}

static mpfr_ptr at(const struct matrix *m, int i, int j)
{
    return m->entry[i * m->n + j];
}

/* In place: unit L below the diagonal, U on and above; order[i] is the row that became row i. A column whose
 * candidates are all below `negligible` counts as zero: the matrix is then singular (known exactly
 * beforehand), the pivot 0 and the multipliers 0.
 */
static void factorize(struct matrix *m, mpfr_srcptr negligible, int *order)
{
    int n = m->n;
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (mpfr_cmpabs(at(m, i, k), at(m, pivot, k)) > 0) {
                pivot = i;
            }
        }
        for (int j = 0; pivot != k && j < n; j++) {
            mpfr_swap(at(m, k, j), at(m, pivot, j));
        }
        int row = order[k];
        order[k] = order[pivot];
        order[pivot] = row;
        bool zero = mpfr_cmpabs(at(m, k, k), negligible) <= 0;
        if (zero) {
            mpfr_set_zero(at(m, k, k), 1);
        }
        for (int i = k + 1; i < n; i++) {
            if (zero || mpfr_zero_p(at(m, i, k))) {
                mpfr_set_zero(at(m, i, k), 1);
                continue;
            }
            mpfr_div(at(m, i, k), at(m, i, k), at(m, k, k), MPFR_RNDN);
            mpfr_neg(at(m, i, k), at(m, i, k), MPFR_RNDN);
            for (int j = k + 1; j < n; j++) {
                mpfr_fma(at(m, i, j), at(m, i, k), at(m, k, j), at(m, i, j), MPFR_RNDN);
            }
            mpfr_neg(at(m, i, k), at(m, i, k), MPFR_RNDN);
        }
    }
}

/* g = |L||U| to 64 bits, rounded up. */
static void multiply_absolute(const struct matrix *lu, struct matrix *g)
{
    int n = lu->n;
    mpfr_t a, b;
    mpfr_inits2(64, a, b, (mpfr_ptr)0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int last = i <= j ? i : j;
            for (int k = 0; k < last + (i > j); k++) {
                mpfr_abs(a, at(lu, i, k), MPFR_RNDU);
                mpfr_abs(b, at(lu, k, j), MPFR_RNDU);
                mpfr_fma(at(g, i, j), a, b, at(g, i, j), MPFR_RNDU);
            }
            if (i <= j) { /* L's unit diagonal */
                mpfr_abs(b, at(lu, i, j), MPFR_RNDU);
                mpfr_add(at(g, i, j), at(g, i, j), b, MPFR_RNDU);
            }
        }
    }
    mpfr_clears(a, b, (mpfr_ptr)0);
}

/* Column c of (LU)⁻¹ into x[0 .. n). */
static void inverse_column(const struct matrix *lu, int c, mpfr_t *x, mpfr_t t)
{
    int n = lu->n;
    for (int i = 0; i < n; i++) {
        mpfr_set_si(x[i], i == c, MPFR_RNDN);
        for (int k = c; k < i; k++) {
            mpfr_mul(t, at(lu, i, k), x[k], MPFR_RNDN);
            mpfr_sub(x[i], x[i], t, MPFR_RNDN);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            mpfr_mul(t, at(lu, i, k), x[k], MPFR_RNDN);
            mpfr_sub(x[i], x[i], t, MPFR_RNDN);
        }
        mpfr_div(x[i], x[i], at(lu, i, i), MPFR_RNDN);
    }
}

/* PA = LU and |L||U|. Libraries that hold columns factor Aᵀ, whose |L||U| is another: on badly scaled
 * matrices each bounds nothing of the other, so all sensitivities are the greater of both. */
struct elimination {
    struct matrix lu, g;
    int *order;
};

/* |(LU)⁻¹|, G and the column sums of |U| as doubles, rounded up. */
struct magnitudes {
    int n;
    double *inverse, *g, *column;
};

static void sum_columns(struct magnitudes *m, const struct matrix *lu)
{
    for (int c = 0; c < m->n; c++) {
        m->column[c] = 0;
        for (int i = 0; i <= c; i++) {
            m->column[c] += fabs(mpfr_get_d(at(lu, i, c), MPFR_RNDA)) * inflate;
        }
    }
}

static bool magnitudes_create(struct magnitudes *m, const struct matrix *lu, const struct matrix *g,
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
        inverse_column(lu, c, x, t);
        for (int i = 0; i < n; i++) {
            mpfr_abs(t, x[i], MPFR_RNDU);
            m->inverse[i * n + c] = mpfr_get_d(t, MPFR_RNDU) * inflate;
            m->g[i * n + c] = mpfr_get_d(at(g, i, c), MPFR_RNDU);
        }
    }
    for (int i = 0; i < n; i++) {
        mpfr_clear(x[i]);
    }
    mpfr_clear(t);
    free(x);
    return true;
}

/* c = a·b of nonnegative matrices, rounded up: the sums' own rounding is below n·2^-52. */
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

/* spr(W) ≤ max_j (yᵀW)_j/y_j for every positive y (Collatz, Wielandt); power iteration makes y a good one. */
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
        bool settled = !(radius < least * (1 - 0x1p-7));
        least = fmin(least, radius);
        if (settled || step == 29 || !isfinite(greatest)) {
            break;
        }
        for (int j = 0; j < n; j++) {
            y[j] = fmax(next[j] / greatest, 0x1p-40); /* stays positive where W is reducible */
        }
    }
    double last = 0; /* of the y that is kept, which underflow_sum needs */
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += y[i] * w[i * n + j];
        }
        last = fmax(last, sum * (1 + (n + 2) * 0x1p-52) / y[j]);
    }
    return last;
}

/* Raises every sensitivity to what this factorization gives. */
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
         j++) { /* η in a product or a sum counts itself, in a multiplier all of its row of U */
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
    /* yᵀW ≤ radius·yᵀ holds for the greater radius as well */
    d->radius = fmax(d->radius, radius);
    d->underflow_sum = fmax(d->underflow_sum, weighted * up / least * up);
}

/* Of A⁻¹ with columns in `rows`' order, that of A⁻ᵀ with columns in `columns`': G goes with it. */
static void transpose(struct magnitudes *m, const struct matrix *g, const int *rows, const int *columns,
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
            m->g[i * n + c] = mpfr_get_d(at(g, i, c), MPFR_RNDU);
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

static double log2_of(mpfr_srcptr x)
{
    if (mpfr_zero_p(x)) {
        return -INFINITY;
    }
    long e;
    double m = mpfr_get_d_2exp(&e, x, MPFR_RNDU);
    return log2(fabs(m)) + (double)e;
}

/* Makes columns p and q orthogonal; false when they already are, to 2^-40 (D is
 * wanted to a few digits). One-sided Jacobi rotations give every
 * singular value to high relative accuracy (Demmel and Veselić, SIMAX 13 (1992)). */
static bool rotate(struct matrix *m, int p, int q, mpfr_t w[6])
{
    int n = m->n;
    mpfr_ptr app = w[0], aqq = w[1], apq = w[2], t = w[3], s = w[4], z = w[5];
    mpfr_set_zero(app, 1);
    mpfr_set_zero(aqq, 1);
    mpfr_set_zero(apq, 1);
    for (int i = 0; i < n; i++) {
        mpfr_fma(app, at(m, i, p), at(m, i, p), app, MPFR_RNDN);
        mpfr_fma(aqq, at(m, i, q), at(m, i, q), aqq, MPFR_RNDN);
        mpfr_fma(apq, at(m, i, p), at(m, i, q), apq, MPFR_RNDN);
    }
    mpfr_mul(t, app, aqq, MPFR_RNDN);
    mpfr_sqrt(t, t, MPFR_RNDN);
    mpfr_mul_2si(t, t, -40, MPFR_RNDN);
    if (mpfr_cmpabs(apq, t) <= 0) {
        return false;
    }
    /* ζ = (aqq − app)/(2 apq), t = sgn(ζ)/(|ζ| + √(1 + ζ²)), c = 1/√(1 + t²), s = c·t */
    mpfr_sub(z, aqq, app, MPFR_RNDN);
    mpfr_div(z, z, apq, MPFR_RNDN);
    mpfr_div_2ui(z, z, 1, MPFR_RNDN);
    mpfr_sqr(t, z, MPFR_RNDN);
    mpfr_add_ui(t, t, 1, MPFR_RNDN);
    mpfr_sqrt(t, t, MPFR_RNDN);
    mpfr_abs(s, z, MPFR_RNDN);
    mpfr_add(t, t, s, MPFR_RNDN);
    mpfr_si_div(t, mpfr_signbit(z) ? -1 : 1, t, MPFR_RNDN);
    mpfr_sqr(s, t, MPFR_RNDN);
    mpfr_add_ui(s, s, 1, MPFR_RNDN);
    mpfr_rec_sqrt(app, s, MPFR_RNDN); /* c */
    mpfr_mul(s, app, t, MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_mul(apq, s, at(m, i, q), MPFR_RNDN);
        mpfr_mul(aqq, s, at(m, i, p), MPFR_RNDN);
        mpfr_fms(apq, app, at(m, i, p), apq, MPFR_RNDN);
        mpfr_fma(at(m, i, q), app, at(m, i, q), aqq, MPFR_RNDN);
        mpfr_swap(at(m, i, p), apq);
    }
    return true;
}

static void orthogonalize(struct matrix *m, mpfr_prec_t precision)
{
    mpfr_t w[6];
    for (int i = 0; i < 6; i++) {
        mpfr_init2(w[i], precision);
    }
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < 40; sweep++) {
        rotated = false;
        for (int p = 0; p < m->n; p++) {
            for (int q = p + 1; q < m->n; q++) {
                rotated = rotate(m, p, q, w) || rotated;
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        mpfr_clear(w[i]);
    }
}

/* log2 of s_{n−k}(σ)·F^k. The columns of `m` become σ_j times unit vectors. */
static void coefficients(struct matrix *m, mpfr_srcptr frobenius, double *log2_coefficient)
{
    enum { precision = 192 }; /* singular values down to 2^-100 of the largest keep 40 bits and more */
    int n = m->n;
    for (int i = 0; i < n * n; i++) {
        mpfr_prec_round(m->entry[i], precision, MPFR_RNDN);
    }
    orthogonalize(m, precision);
    mpfr_t *s = malloc(((size_t)n + 1) * sizeof *s); /* s[j]: elementary symmetric function of order j */
    mpfr_t sigma;
    mpfr_init2(sigma, precision);
    for (int j = 0; s && j <= n; j++) {
        mpfr_init2(s[j], precision);
        mpfr_set_si(s[j], j == 0, MPFR_RNDN);
    }
    for (int c = 0; s && c < n; c++) {
        mpfr_set_zero(sigma, 1);
        for (int i = 0; i < n; i++) {
            mpfr_fma(sigma, at(m, i, c), at(m, i, c), sigma, MPFR_RNDU);
        }
        mpfr_sqrt(sigma, sigma, MPFR_RNDU);
        for (int j = c + 1; j >= 1; j--) {
            mpfr_fma(s[j], s[j - 1], sigma, s[j], MPFR_RNDU);
        }
    }
    for (int k = 1; s && k <= n; k++) {
        log2_coefficient[k - 1] = log2_of(s[n - k]) + k * log2_of(frobenius) + 1e-6;
    }
    for (int j = 0; s && j <= n; j++) {
        mpfr_clear(s[j]);
    }
    mpfr_clear(sigma);
    free(s);
}

/* Of both eliminations' pivots. */
static void sum_logs(const struct matrix *lu, const struct matrix *transposed, struct determinant *d)
{
    for (int which = 0; which < 2; which++) {
        const struct matrix *m = which ? transposed : lu;
        double sum = 0;
        int near_one = 0;
        for (int i = 0; i < m->n; i++) {
            double l = mpfr_zero_p(at(m, i, i)) ? 0 : log2_of(at(m, i, i));
            sum += fabs(l) * M_LN2 * inflate;
            near_one += !mpfr_zero_p(at(m, i, i)) && l >= -1 && l <= 1;
        }
        d->log_sum = fmax(d->log_sum, sum);
        d->near_one = near_one > d->near_one ? near_one : d->near_one;
    }
}

static double log_hadamard(const struct matrix *a, mpfr_t t)
{
    double sum = 0;
    for (int i = 0; i < a->n; i++) {
        mpfr_set_zero(t, 1);
        for (int j = 0; j < a->n; j++) {
            mpfr_fma(t, at(a, i, j), at(a, i, j), t, MPFR_RNDU);
        }
        sum = upward_sum(sum, upward_libm(upward_libm(log2_of(t)) / 2 * M_LN2));
    }
    return sum;
}

static void frobenius_norm(const struct matrix *g, mpfr_t norm)
{
    mpfr_set_zero(norm, 1);
    for (int i = 0; i < g->n * g->n; i++) {
        mpfr_fma(norm, g->entry[i], g->entry[i], norm, MPFR_RNDU);
    }
    mpfr_sqrt(norm, norm, MPFR_RNDU);
}

static bool elimination_create(struct elimination *e, const struct matrix *a, bool transposed,
                               mpfr_srcptr negligible)
{
    int n = a->n;
    mpfr_prec_t precision = mpfr_get_prec(a->entry[0]);
    *e = (struct elimination){.order = malloc((size_t)n * sizeof *e->order)};
    if (!e->order || !matrix_create(&e->lu, n, precision) || !matrix_create(&e->g, n, 64)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            mpfr_set(at(&e->lu, i, j), transposed ? at(a, j, i) : at(a, i, j), MPFR_RNDN);
        }
    }
    factorize(&e->lu, negligible, e->order);
    multiply_absolute(&e->lu, &e->g);
    return true;
}

static void elimination_destroy(struct elimination *e)
{
    matrix_destroy(&e->lu);
    matrix_destroy(&e->g);
    free(e->order);
}

bool determinant_sensitivities(int n, const double *a, double least_roundoff, double underflow,
                               mpfr_prec_t precision, struct determinant *d)
{
    struct matrix original;
    struct elimination e[2] = {{.order = NULL}, {.order = NULL}}; /* of A, of Aᵀ */
    bool good = matrix_create(&original, n, precision);
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
    if (good && (n * 8 * least_roundoff * d->condition >= 0.1 ||
                 n * underflow * fmax(d->inverse_sum, d->underflow_sum) >= 0.05)) {
        d->log2_coefficient = malloc((size_t)n * sizeof *d->log2_coefficient);
        good = d->log2_coefficient != NULL;
        if (good) {
            frobenius_norm(&e[0].g, frobenius);
            frobenius_norm(&e[1].g, other);
            mpfr_max(frobenius, frobenius, other, MPFR_RNDU);
            d->log2_frobenius = log2_of(frobenius);
            coefficients(&original, frobenius, d->log2_coefficient);
        }
    }
    mpfr_clears(largest, frobenius, other, (mpfr_ptr)0);
    matrix_destroy(&original);
    elimination_destroy(&e[0]);
    elimination_destroy(&e[1]);
    return good;
}

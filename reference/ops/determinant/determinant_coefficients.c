/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Singular values by one-sided Jacobi rotations (Demmel and Veselić, SIMAX 13 (1992)) in double-double, of
 * the matrix scaled to entries of at most 1. D needs them only to an absolute error far below ε·F ≥
 * 2^-53·‖A‖: if every σ_i has an error of at most δ, each factor σ_i + εF of D's product has a relative error
 * of δ/(εF). Every σ_i is raised by δ = n^(3/2)·2^-88·‖A‖ (Frobenius norms throughout), which covers:
 *
 *   - c = 1/√(1 + t²) and s = t·c, which are those of a rotation to a relative error of 2^-96 for any t, and
 *     products and sums, with relative errors of 2^-100. A rotation of columns x and y adds an error of less
 *     than 2^-95·(‖x‖ + ‖y‖). A sweep rotates every column n − 1 times, so it adds less than n·2^-95·Σ‖x‖ ≤
 *     n^(3/2)·2^-95·‖A‖, and SWEEPS sweeps add less than n^(3/2)·2^-90·‖A‖;
 *   - columns below 2^-89·‖A‖, which count as orthogonal to all others: at most √n·2^-89·‖A‖;
 *   - numbers below 2^-400, which are dropped, and underflow errors, which are below that.
 *
 * Columns count as orthogonal if their cosine is below 2^-40, since D is needed only to a few digits. Cosines
 * and angles are computed in double. */

#include "reference/ops/determinant/determinant_coefficients.h"
#include "reference/numeric/double_double.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 30, PRECISION = 192 };

static const double negligible = 0x1p-89;

bool determinant_needs_coefficients(int n, const struct determinant *d, double least_roundoff,
                                    double underflow)
{
    return (n + 4) * 8 * least_roundoff * d->radius >= 0.5 ||
           n * underflow * fmax(d->inverse_sum, d->underflow_sum) >= 0.05;
}

double log2_of_magnitude(mpfr_srcptr x)
{
    if (mpfr_zero_p(x)) {
        return -INFINITY;
    }
    long e;
    double m = fabs(mpfr_get_d_2exp(&e, x, MPFR_RNDU));
    bool small =
        m < M_SQRT1_2; /* with m in [√½, √2] the sum does not cancel: its relative error is small, too */
    return portable_log2(small ? 2 * m : m) + (double)(small ? e - 1 : e);
}

/* A matrix in double-double, stored column by column. */
struct columns {
    int n;
    int exponent; /* the matrix is 2^exponent times this */
    double norm;  /* Frobenius */
    double *hi, *lo;
};

static bool columns_create(struct columns *m, int n, const double *a)
{
    size_t order = (size_t)n, count = order * order;
    double greatest = 0, squares = 0;
    *m = (struct columns){.n = n, .hi = malloc(2 * count * sizeof *m->hi)};
    if (!m->hi) {
        return false;
    }
    m->lo = m->hi + count;
    for (size_t i = 0; i < count; i++) {
        greatest = fmax(greatest, fabs(a[i]));
    }
    frexp(greatest, &m->exponent);
    for (size_t i = 0; i < count; i++) {
        double x = ldexp(a[i], -m->exponent);
        size_t to = i % order * order + i / order;
        m->hi[to] = fabs(x) < 0x1p-400 ? 0 : x;
        m->lo[to] = 0;
        squares += x * x;
    }
    m->norm = sqrt(squares);
    return true;
}

static double product_of(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Rotates columns p and q: x ← c·x − s·y, y ← s·x + c·y. */
static void turn(struct columns *m, int p, int q, struct double_double c, struct double_double s)
{
    size_t x = (size_t)p * (size_t)m->n, y = (size_t)q * (size_t)m->n;
    struct double_double minus = {-s.hi, -s.lo};
    for (size_t end = x + (size_t)m->n; x < end; x++, y++) {
        struct double_double a = {m->hi[x], m->lo[x]}, b = {m->hi[y], m->lo[y]};
        struct double_double first = dd_add(dd_multiply(c, a), dd_multiply(minus, b));
        struct double_double second = dd_add(dd_multiply(s, a), dd_multiply(c, b));
        m->hi[x] = first.hi;
        m->lo[x] = first.lo;
        m->hi[y] = second.hi;
        m->lo[y] = second.lo;
    }
}

/* Makes columns p and q orthogonal; false if they already are. */
static bool rotate(struct columns *m, int p, int q)
{
    int n = m->n;
    const double *x = m->hi + (size_t)p * (size_t)n, *y = m->hi + (size_t)q * (size_t)n;
    double xx = product_of(n, x, x), yy = product_of(n, y, y), xy = product_of(n, x, y),
           least = negligible * m->norm;
    if (fmin(xx, yy) <= least * least || fabs(xy) <= 0x1p-40 * sqrt(xx) * sqrt(yy)) {
        return false;
    }
    /* ζ = (yy − xx)/(2 xy), t = sgn(ζ)/(|ζ| + √(1 + ζ²)) */
    double zeta = (yy - xx) / xy / 2, t = 1 / (fabs(zeta) + sqrt(1 + zeta * zeta));
    t = zeta < 0 ? -t : t;
    struct double_double c = dd_rsqrt(dd_plus(dd_product(t, t), 1));
    turn(m, p, q, c, dd_times(c, t));
    return true;
}

static void orthogonalize(struct columns *m)
{
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < SWEEPS; sweep++) {
        rotated = false;
        for (int p = 0; p < m->n; p++) {
            for (int q = p + 1; q < m->n; q++) {
                rotated = rotate(m, p, q) || rotated;
            }
        }
    }
}

/* ‖column c‖ + δ, rounded up. */
static void singular_value(const struct columns *m, int c, mpfr_t sigma)
{
    double n = m->n,
           norm = sqrt(product_of(m->n, m->hi + (size_t)c * (size_t)m->n, m->hi + (size_t)c * (size_t)m->n));
    mpfr_set_d(sigma, (norm + n * sqrt(n) * 0x1p-88 * m->norm) * (1 + (n + 8) * 0x1p-52), MPFR_RNDU);
    mpfr_mul_2si(sigma, sigma, m->exponent, MPFR_RNDU);
}

bool determinant_coefficients(int n, const double *a, double log2_frobenius, double *log2_coefficient)
{
    struct columns m;
    mpfr_t *s = malloc(((size_t)n + 1) * sizeof *s); /* s[j]: elementary symmetric function of order j */
    bool good = columns_create(&m, n, a) && s;
    mpfr_t sigma;
    mpfr_init2(sigma, PRECISION);
    for (int j = 0; good && j <= n; j++) {
        mpfr_init2(s[j], PRECISION);
        mpfr_set_si(s[j], j == 0, MPFR_RNDN);
    }
    if (good) {
        orthogonalize(&m);
    }
    for (int c = 0; good && c < n; c++) {
        singular_value(&m, c, sigma);
        for (int j = c + 1; j >= 1; j--) {
            mpfr_fma(s[j], s[j - 1], sigma, s[j], MPFR_RNDU);
        }
    }
    for (int k = 1; good && k <= n; k++) {
        log2_coefficient[k - 1] = log2_of_magnitude(s[n - k]) + k * log2_frobenius + 1e-6;
    }
    for (int j = 0; good && j <= n; j++) {
        mpfr_clear(s[j]);
    }
    mpfr_clear(sigma);
    free(s);
    free(m.hi);
    return good;
}

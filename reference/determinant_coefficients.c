/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/determinant_coefficients.h"

#include <math.h>

double log2_of_magnitude(mpfr_srcptr x)
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
static bool rotate(struct mpfr_matrix *m, int p, int q, mpfr_t w[6])
{
    int n = m->n;
    mpfr_ptr app = w[0], aqq = w[1], apq = w[2], t = w[3], s = w[4], z = w[5];
    mpfr_set_zero(app, 1);
    mpfr_set_zero(aqq, 1);
    mpfr_set_zero(apq, 1);
    for (int i = 0; i < n; i++) {
        mpfr_fma(app, entry_at(m, i, p), entry_at(m, i, p), app, MPFR_RNDN);
        mpfr_fma(aqq, entry_at(m, i, q), entry_at(m, i, q), aqq, MPFR_RNDN);
        mpfr_fma(apq, entry_at(m, i, p), entry_at(m, i, q), apq, MPFR_RNDN);
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
        mpfr_mul(apq, s, entry_at(m, i, q), MPFR_RNDN);
        mpfr_mul(aqq, s, entry_at(m, i, p), MPFR_RNDN);
        mpfr_fms(apq, app, entry_at(m, i, p), apq, MPFR_RNDN);
        mpfr_fma(entry_at(m, i, q), app, entry_at(m, i, q), aqq, MPFR_RNDN);
        mpfr_swap(entry_at(m, i, p), apq);
    }
    return true;
}

static void orthogonalize(struct mpfr_matrix *m, mpfr_prec_t precision)
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

void determinant_coefficients(struct mpfr_matrix *m, mpfr_srcptr frobenius, double *log2_coefficient)
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
            mpfr_fma(sigma, entry_at(m, i, c), entry_at(m, i, c), sigma, MPFR_RNDU);
        }
        mpfr_sqrt(sigma, sigma, MPFR_RNDU);
        for (int j = c + 1; j >= 1; j--) {
            mpfr_fma(s[j], s[j - 1], sigma, s[j], MPFR_RNDU);
        }
    }
    for (int k = 1; s && k <= n; k++) {
        log2_coefficient[k - 1] = log2_of_magnitude(s[n - k]) + k * log2_of_magnitude(frobenius) + 1e-6;
    }
    for (int j = 0; s && j <= n; j++) {
        mpfr_clear(s[j]);
    }
    mpfr_clear(sigma);
    free(s);
}

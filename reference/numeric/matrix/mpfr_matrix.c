/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/matrix/mpfr_matrix.h"

bool mpfr_matrix_create(struct mpfr_matrix *m, int n, mpfr_prec_t precision)
{
    *m = (struct mpfr_matrix){.n = n, .entry = malloc((size_t)n * (size_t)n * sizeof *m->entry)};
    for (int i = 0; m->entry && i < n * n; i++) {
        mpfr_init2(m->entry[i], precision);
        mpfr_set_zero(m->entry[i], 1);
    }
    return m->entry != NULL;
}

void mpfr_matrix_destroy(struct mpfr_matrix *m)
{
    for (int i = 0; m->entry && i < m->n * m->n; i++) {
        mpfr_clear(m->entry[i]);
    }
    free(m->entry);
}

/* Factors in place: unit L below the diagonal, U on and above; order[i] is the row that became row i. A
 * column whose candidates are all below `negligible` counts as zero: the matrix is then singular (which the
 * caller knows exactly), the pivot 0 and the multipliers 0. */
static void factorize(struct mpfr_matrix *m, mpfr_srcptr negligible, int *order)
{
    int n = m->n;
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            if (mpfr_cmpabs(entry_at(m, i, k), entry_at(m, pivot, k)) > 0) {
                pivot = i;
            }
        }
        for (int j = 0; pivot != k && j < n; j++) {
            mpfr_swap(entry_at(m, k, j), entry_at(m, pivot, j));
        }
        int row = order[k];
        order[k] = order[pivot];
        order[pivot] = row;
        bool zero = mpfr_cmpabs(entry_at(m, k, k), negligible) <= 0;
        if (zero) {
            mpfr_set_zero(entry_at(m, k, k), 1);
        }
        for (int i = k + 1; i < n; i++) {
            if (zero || mpfr_zero_p(entry_at(m, i, k))) {
                mpfr_set_zero(entry_at(m, i, k), 1);
                continue;
            }
            mpfr_div(entry_at(m, i, k), entry_at(m, i, k), entry_at(m, k, k), MPFR_RNDN);
            mpfr_neg(entry_at(m, i, k), entry_at(m, i, k), MPFR_RNDN);
            for (int j = k + 1; j < n; j++) {
                mpfr_fma(entry_at(m, i, j), entry_at(m, i, k), entry_at(m, k, j), entry_at(m, i, j),
                         MPFR_RNDN);
            }
            mpfr_neg(entry_at(m, i, k), entry_at(m, i, k), MPFR_RNDN);
        }
    }
}

/* Sets g = |L||U| to 64 bits, rounded up. */
static void multiply_absolute(const struct mpfr_matrix *lu, struct mpfr_matrix *g)
{
    int n = lu->n;
    mpfr_t a, b;
    mpfr_inits2(64, a, b, (mpfr_ptr)0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int last = i <= j ? i : j;
            for (int k = 0; k < last + (i > j); k++) {
                mpfr_abs(a, entry_at(lu, i, k), MPFR_RNDU);
                mpfr_abs(b, entry_at(lu, k, j), MPFR_RNDU);
                mpfr_fma(entry_at(g, i, j), a, b, entry_at(g, i, j), MPFR_RNDU);
            }
            if (i <= j) { /* L's unit diagonal */
                mpfr_abs(b, entry_at(lu, i, j), MPFR_RNDU);
                mpfr_add(entry_at(g, i, j), entry_at(g, i, j), b, MPFR_RNDU);
            }
        }
    }
    mpfr_clears(a, b, (mpfr_ptr)0);
}

bool elimination_create(struct elimination *e, const struct mpfr_matrix *a, bool transposed,
                        mpfr_srcptr negligible)
{
    int n = a->n;
    mpfr_prec_t precision = mpfr_get_prec(a->entry[0]);
    *e = (struct elimination){.order = malloc((size_t)n * sizeof *e->order)};
    if (!e->order || !mpfr_matrix_create(&e->lu, n, precision) || !mpfr_matrix_create(&e->g, n, 64)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            mpfr_set(entry_at(&e->lu, i, j), transposed ? entry_at(a, j, i) : entry_at(a, i, j), MPFR_RNDN);
        }
    }
    factorize(&e->lu, negligible, e->order);
    multiply_absolute(&e->lu, &e->g);
    return true;
}

void elimination_destroy(struct elimination *e)
{
    mpfr_matrix_destroy(&e->lu);
    mpfr_matrix_destroy(&e->g);
    free(e->order);
}

void elimination_inverse_column(const struct mpfr_matrix *lu, int c, mpfr_t *x, mpfr_t t)
{
    int n = lu->n;
    for (int i = 0; i < n; i++) {
        mpfr_set_si(x[i], i == c, MPFR_RNDN);
        for (int k = c; k < i; k++) {
            mpfr_mul(t, entry_at(lu, i, k), x[k], MPFR_RNDN);
            mpfr_sub(x[i], x[i], t, MPFR_RNDN);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            mpfr_mul(t, entry_at(lu, i, k), x[k], MPFR_RNDN);
            mpfr_sub(x[i], x[i], t, MPFR_RNDN);
        }
        mpfr_div(x[i], x[i], entry_at(lu, i, i), MPFR_RNDN);
    }
}

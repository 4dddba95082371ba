/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_MPFR_MATRIX_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_MPFR_MATRIX_H

/* Square matrices of MPFR numbers, and their elimination with partial pivoting. Plain arithmetic at the
 * precision of the entries, rounded to nearest: for estimates whose own rounding does not matter. */

#include <mpfr.h>
#include <stdbool.h>
#include <stdlib.h>

struct mpfr_matrix {
    int n;
    mpfr_t *entry; /* row by row; owned */
};

/* Zeros. False when out of memory; destroy then as well. */
bool mpfr_matrix_create(struct mpfr_matrix *m, int n, mpfr_prec_t precision);
void mpfr_matrix_destroy(struct mpfr_matrix *m); /* one of zeros is none */

static inline mpfr_ptr entry_at(const struct mpfr_matrix *m, int i, int j)
{
    return m->entry[i * m->n + j];
}

/* PA = LU and |L||U|. Libraries that hold columns factor Aᵀ, whose |L||U| is another: on badly scaled
 * matrices each bounds nothing of the other, so all sensitivities are the greater of both. */
struct elimination {
    struct mpfr_matrix lu; /* unit L below the diagonal, U on and above */
    struct mpfr_matrix g;  /* |L||U| to 64 bits, rounded up */
    int *order;            /* order[i] is the row that became row i */
};

/* Of A, or of its transpose. A column whose candidates are all below `negligible` counts as zero: the matrix
 * is then singular (known exactly beforehand), the pivot 0 and the multipliers 0. False when out of memory.
 */
bool elimination_create(struct elimination *e, const struct mpfr_matrix *a, bool transposed,
                        mpfr_srcptr negligible);
void elimination_destroy(struct elimination *e); /* one of zeros is none */

/* Column c of (LU)⁻¹ into x[0 .. n); t is for the work. */
void elimination_inverse_column(const struct mpfr_matrix *lu, int c, mpfr_t *x, mpfr_t t);

#endif

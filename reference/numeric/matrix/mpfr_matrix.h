/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_MATRIX_MPFR_MATRIX_H
#define ASSAY_REFERENCE_NUMERIC_MATRIX_MPFR_MATRIX_H

/* Square matrices of MPFR numbers, and their elimination with partial pivoting. Arithmetic rounds to nearest
 * at the precision of the entries; it serves estimates whose own rounding error does not matter. */

#include <mpfr.h>
#include <stdbool.h>
#include <stdlib.h>

struct mpfr_matrix {
    int n;
    mpfr_t *entry; /* row by row; owned */
};

/* Creates a matrix of zeros. Returns false when out of memory; call mpfr_matrix_destroy then too. */
bool mpfr_matrix_create(struct mpfr_matrix *m, int n, mpfr_prec_t precision);
void mpfr_matrix_destroy(struct mpfr_matrix *m); /* accepts a zeroed struct */

static inline mpfr_ptr entry_at(const struct mpfr_matrix *m, int i, int j)
{
    return m->entry[i * m->n + j];
}

/* PA = LU and |L||U|. Libraries that store columns factor Aᵀ, whose |L||U| is a different matrix. On badly
 * scaled matrices neither bounds the other, so all sensitivities are the greater of both. */
struct elimination {
    struct mpfr_matrix lu; /* unit L below the diagonal, U on and above */
    struct mpfr_matrix g;  /* |L||U| to 64 bits, rounded up */
    int *order;            /* order[i] is the row that became row i */
};

/* Factors A or its transpose. A column whose candidates are all below `negligible` counts as zero: the matrix
 * is then singular (which the caller knows exactly), the pivot 0 and the multipliers 0. Returns false when
 * out of memory; call elimination_destroy then too. */
bool elimination_create(struct elimination *e, const struct mpfr_matrix *a, bool transposed,
                        mpfr_srcptr negligible);
void elimination_destroy(struct elimination *e); /* accepts a zeroed struct */

/* Sets x[0 .. n) to column c of (LU)⁻¹; t is scratch. */
void elimination_inverse_column(const struct mpfr_matrix *lu, int c, mpfr_t *x, mpfr_t t);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXPONENTIAL_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXPONENTIAL_H

/* e^A of a matrix of doubles: certified entries, and how far scaling and squaring in precision u may stray.
 *
 * The matrix is taken apart into the weakly connected components of its graph; across components e^A is
 * exactly zero. In a component: scaling and squaring with a Taylor polynomial in fixed point over GMP
 * integers, with one rigorous bound on the ∞-norm of the error (truncated series, every rounding, every
 * squaring) carried beside it; the precision grows until the bound proves 104 bits of every entry. Products
 * of these integers are exact before they are truncated, by residues where the order is large
 * (integer_product.h). Entries that no path of the graph reaches are exactly zero; a component without a
 * cycle is nilpotent, its finite series is summed in rationals. Where an entry cancels to nothing (its
 * enclosure still holds a zero at 1024 bits) an absolute enclosure of 2^-200 ‖A‖₁‖e^A‖₁ over the component
 * stands for it: far below the floor u‖A‖₁‖e^A‖₁ of its bound.
 */

#include "reference/operator/truth.h"

struct matrix_exponential {
    struct value *value;   /* n×n */
    double *rounding;      /* n×n: running bound and truncation floor for roundoff u, upper bounds; see
                              matrix_sensitivity.c */
    double *underflow;     /* n×n: what an absolute error of 1 in every product can do */
    double *overflow;      /* n×n: log2 of the largest magnitude on the way to the entry */
    double *log2_rounding; /* n×n: log2 of `rounding`, also where that leaves double's range */
    double *opposed;       /* n×n: log2 of those products of the last squaring whose sign is not surely the
                              entry's */
    int bits;              /* certified bits; INT_MAX when all entries are exact */
    double log2_hump;      /* log2 of the largest entry of e^(A/2), e^(A/4), … */
};

/* The scaled norms ‖A/2^s‖₁ that a good implementation may choose, where ‖A‖₁ needs any scaling. */
struct matrix_exponential_scaling {
    double least, greatest;
};

/* a: n×n row-major, finite. False with the reason: out of memory, precision or range. */
bool matrix_exponential_compute(int n, const double *a, double u,
                                const struct matrix_exponential_scaling *scaling,
                                struct matrix_exponential *result, struct error *error);
void matrix_exponential_clear(struct matrix_exponential *result);

/* ‖A‖₁ in double, at most DBL_MAX. */
double matrix_one_norm(int n, const double *a);

/* reach[i·n + j]: a walk of any length, zero included, leads from i to j over the nonzero entries. */
void matrix_reachability(int n, const double *a, bool *reach);

#endif

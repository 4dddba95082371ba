/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXPONENTIAL_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXPONENTIAL_H

/* e^A of a matrix of doubles: certified entries, and error bounds of scaling and squaring in unit roundoff u.
 *
 * The matrix is split into the weakly connected components of its graph; entries across components are
 * exactly 0. A component is computed by scaling and squaring with a Taylor polynomial in fixed point (GMP
 * integers), together with a rigorous bound on the ∞-norm of the error, which covers the truncated series,
 * every rounding and every squaring. The precision grows until the bound proves ZIV_TARGET_BITS bits of every
 * entry. Integer products are exact before they are truncated (for large orders by residues,
 * integer_product.h). Entries that no path of the graph reaches are exactly 0. A component without a cycle is
 * nilpotent; its finite series is summed in rationals. If the enclosure of an entry still contains 0 at 1024
 * bits, an absolute enclosure of 2^-200 ‖A‖₁‖e^A‖₁ over the component is accepted: far below the floor
 * u‖A‖₁‖e^A‖₁ of the entry's error bound. */

#include "reference/operator/truth.h"

struct matrix_exponential {
    struct value *value;   /* n×n */
    double *rounding;      /* n×n: error bound for unit roundoff u: running bound plus truncation floor; see
                              matrix_sensitivity.c */
    double *underflow;     /* n×n: the error caused by an absolute error of 1 in every product */
    double *overflow;      /* n×n: log2 Σ|x||y| over the products of the last squaring for the entry */
    double *log2_rounding; /* n×n: log2 of `rounding`, finite also if `rounding` overflows or underflows */
    double *opposed;       /* n×n: log2 Σ|x||y| over those of these products whose sign may differ from the
                              entry's */
    int bits;              /* certified bits; INT_MAX when all entries are exact */
    double log2_hump;      /* log2 of the largest entry of e^(A/2), e^(A/4), … */
};

/* The range of scaled norms ‖A/2^s‖₁ that a legal implementation may choose if ‖A‖₁ is greater. */
struct matrix_exponential_scaling {
    double least, greatest;
};

/* Fills `result`; a: n×n row-major, finite. False with the reason: out of memory, the precision ladder has
 * reached its cap, or e^A is too large. */
bool matrix_exponential_compute(int n, const double *a, double u,
                                const struct matrix_exponential_scaling *scaling,
                                struct matrix_exponential *result, struct error *error);
void matrix_exponential_clear(struct matrix_exponential *result);

/* ‖A‖₁ in double, at most DBL_MAX. */
double matrix_one_norm(int n, const double *a);

/* Sets reach[i·n + j] to whether a walk of length ≥ 0 over nonzero entries leads from i to j. */
void matrix_reachability(int n, const double *a, bool *reach);

#endif

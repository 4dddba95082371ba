/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORM_POWER_NORM_H
#define ASSAY_REFERENCE_OPS_NORM_POWER_NORM_H

/* The norm (Σ|x|^p)^(1/p) for every finite p except 0: truth, sensitivities and error bound. It is computed
 * as lead·S^(1/p) with S = Σ(|x|/lead)^p, where lead is the greatest |x| for p > 0 and the least for p < 0.
 * Every term is in [0, 1] and S in [1, n], so that no p leaves the range of an enclosure. */

#include "reference/operator/op.h"

enum power_norm_sensitivity {
    POWER_NORM_TERMS,    /* n */
    POWER_NORM_PLAIN,    /* mean of |log2 |x||, weighted by the terms' shares of S */
    POWER_NORM_RELATIVE, /* mean of |log2 (|x|/lead)|, with the same weights */
    POWER_NORM_SUM,      /* log2 S */
    POWER_NORM_LEAD,     /* log2 lead */
    POWER_NORM_SENSITIVITIES
};

/* Computes the norm of n > 0 magnitudes, which must be finite, not all zero, and nonzero if p < 0; and fills
 * the sensitivities except the first. A norm outside [2^-2^30, 2^2^30] is replaced by the nearer of these
 * ends, inexact; both are far outside the range of every dtype. False with the reason if the precision ladder
 * fails. */
bool power_norm_truth(const double *x, int64_t n, double p, struct value *value, double *sensitivity,
                      int *bits, struct error *error);

/* The precision in which Σ|x|^p is exact, for integers p ≥ 1: all powers are integer multiples of
 * 2^(p·(least − 53)), least being the exponent of the least nonzero |x|. Ignores NaN and infinities. */
mpfr_prec_t power_norm_bits(const double *x, int64_t n, int p);

/* Fills only the sensitivities that power_norm_truth fills. */
void power_norm_describe(const double *x, int64_t n, double p, double *sensitivity);

/* E_compute, the absolute error bound, of the norm with these sensitivities; h·u is the relative error of the
 * sum. Derived in power_norm.c. */
double power_norm_bound(const struct bound_query *query, const double *sensitivity, double p, double h);

#endif

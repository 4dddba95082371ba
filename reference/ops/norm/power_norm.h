/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORM_POWER_NORM_H
#define ASSAY_REFERENCE_OPS_NORM_POWER_NORM_H

/* (Σ|x|^p)^(1/p) for every finite p but 0: lead·S^(1/p) with S = Σ(|x|/lead)^p, where lead, the greatest |x|
 * for p > 0 and the least for p < 0, is what the norm tends to as |p| grows. Every term is in [0, 1] and S in
 * [1, n], so that no p, however large or small, leaves the range of an enclosure. */

#include "reference/operator/op.h"

enum power_norm_sensitivity {
    POWER_NORM_TERMS,
    POWER_NORM_PLAIN,    /* mean of |log2 |x||, weighted by the terms' shares in S */
    POWER_NORM_RELATIVE, /* the same of |log2 (|x|/lead)| */
    POWER_NORM_SUM,      /* log2 S */
    POWER_NORM_LEAD,     /* log2 lead */
    POWER_NORM_SENSITIVITIES
};

/* The norm of n > 0 magnitudes, all finite and not all zero, none of them zero where p < 0; the sensitivities
 * but the first. A norm beyond 2^±2^30 is given as that, inexact: no format comes near. */
bool power_norm_truth(const double *x, int64_t n, double p, struct value *value, double *sensitivity,
                      int *bits, struct error *error);

/* Bits that hold Σ|x|^p exactly, of whole p ≥ 1: all powers are whole multiples of 2^(p·(least − 53)), least
 * the exponent of the least x. What is no number does not count. */
mpfr_prec_t power_norm_bits(const double *x, int64_t n, int p);

void power_norm_describe(const double *x, int64_t n, double p, double *sensitivity);

/* E_compute of the norm with these sensitivities; h·u is the error of the sum. */
double power_norm_bound(const struct bound_query *query, const double *sensitivity, double p, double h);

#endif

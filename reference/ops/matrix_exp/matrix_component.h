/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_COMPONENT_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_COMPONENT_H

/* Internal to matrix_exponential.h: e^A and its sensitivities for one weakly connected component of a matrix.
 * Call block_compute, then block_sensitivities. */

#include "reference/ops/matrix_exp/matrix_exponential.h"

enum { TAYLOR_BITS = 3 }; /* the series is summed at ‖A/2^S‖∞ ≤ 2^-TAYLOR_BITS */

/* One component: its matrix, certified entries of e^A, and upper bounds of the magnitudes |e^(A/2^k)|,
 * k = 0..squarings. */
struct block {
    int n;
    double *a;
    bool *reach; /* as in matrix_reachability */
    double norm; /* ‖A‖₁ of the whole matrix, from which an implementation chooses its scaling */
    /* An implementation may choose from `least` to `greatest` squarings; `squarings` ≥ `greatest`. */
    int least, greatest, squarings;
    double *stage; /* (squarings + 1) × n × n: |e^(A/2^k)| ≤ stage[k]·2^exponent[k] */
    long *exponent;
    signed char *half_sign; /* n × n: signs of the entries of e^(A/2); valid if squarings > 0 */
    struct value *value;
    int bits;
};

/* --- matrix_enclosure.c */

/* Fills value, bits, stage, exponent and half_sign. */
bool block_compute(struct block *block, struct error *error);

/* --- matrix_sensitivity.c */

/* Stores rounding, underflow, overflow, opposed and log2_rounding (struct matrix_exponential) for unit
 * roundoff u in `out`, n² numbers each. False when out of memory. */
bool block_sensitivities(const struct block *block, double u, double *out);

#endif

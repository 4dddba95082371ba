/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_COMPONENT_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_COMPONENT_H

/* The inside of matrix_exponential.h: one weakly connected component of a matrix. Not for others. */

#include "reference/ops/matrix_exp/matrix_exponential.h"

enum { TAYLOR_BITS = 3 }; /* the series is summed at ‖A/2^S‖∞ ≤ 2^-TAYLOR_BITS */

/* One component: its matrix, and the magnitudes of e^(A/2^k), k = 0..squarings, each with an exponent. */
struct block {
    int n;
    double *a;
    bool *reach;
    double norm; /* ‖A‖₁ of the whole matrix: it is what an implementation scales by */
    int least, greatest, squarings;
    double *stage; /* (squarings + 1) × n × n, times 2^exponent */
    long *exponent;
    signed char *half_sign; /* n × n: of the entries of e^(A/2), which is there where squarings > 0 */
    struct value *value;
    int bits;
};

/* --- matrix_enclosure.c: certified entries. Fills value, bits, stage, exponent and half_sign. */
bool block_compute(struct block *block, struct error *error);

/* --- matrix_sensitivity.c: rounding, underflow, overflow, opposed and log2 of rounding of each entry (n²
 * each) in roundoff u. False when out of memory. */
bool block_sensitivities(const struct block *block, double u, double *out);

#endif

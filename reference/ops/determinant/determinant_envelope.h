/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_H

/* What independent rounding does to log|det A|. Not for singular matrices: everything is then infinite. */

#include <stdbool.h>

struct determinant_envelope {
    double elimination; /* S/u of log|det|: greatest over elimination of A, of Aᵀ, with complete pivoting */
    double logarithms;  /* S/u of the pivots' logarithms and of their sum */
    double second;      /* second order: the error beyond S is within second·u² */
    double underflow; /* errors of η in each product, sum and multiplier move log|det| by n·η·underflow */
    double unstable;  /* first order means nothing once unstable·u² is no longer small */
};

/* a: n×n row-major, finite, n ≥ 1. False when out of memory. */
bool determinant_envelope(int n, const double *a, struct determinant_envelope *envelope);

/* The same by the textbook's loops, whatever the order. */
bool determinant_envelope_small(int n, const double *a, struct determinant_envelope *envelope);

#endif

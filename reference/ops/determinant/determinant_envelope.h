/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_ENVELOPE_H

/* The envelope of log|det A|: the deviation that independent rounding errors cause, the greatest over the
 * legal eliminations. All members are infinite if a pivot is 0. Derived in determinant_envelope.c. */

#include <stdbool.h>

struct determinant_envelope {
    double elimination; /* S/u of log|det|, the greatest over elimination of A and of Aᵀ with partial pivoting
                           and of A with complete pivoting */
    double logarithms; /* S/u of the pivots' logarithms and of their sum */
    double second;     /* second-order errors are within second·u² */
    double underflow; /* errors of η in each product, sum and multiplier change log|det| by n·η·underflow */
    double unstable; /* the first-order model is valid only while unstable·u² is small */
};

/* a: n×n row-major, finite, n ≥ 1. Large orders use determinant_envelope_large.h. False when out of
 * memory. */
bool determinant_envelope(int n, const double *a, struct determinant_envelope *envelope);

/* The same for every order by unblocked loops. */
bool determinant_envelope_small(int n, const double *a, struct determinant_envelope *envelope);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ZIV_H
#define ASSAY_REFERENCE_OPERATOR_ZIV_H

/* The precision ladder (Ziv's strategy): an operator is written once over intervals (MPFI) and evaluated at
 * precision p, 2p, 4p, … until the enclosure itself proves enough digits. Two precisions whose results merely
 * agree would prove nothing.
 *
 * Zeros and other exact cases must be decided before or inside `enclose`: an interval around an exact value
 * that is not representable never becomes narrow relative to it. */

#include "reference/operator/truth.h"
#include <mpfi.h>

enum {
    ZIV_TARGET_BITS = 104, /* relative; the 53 bits of float64 + 40 guard bits, rounded up to fill a
                              double-double */
    ZIV_START_BITS = 160,  /* the target, and room for a handful of operations */
    ZIV_CAP_BITS = 1 << 14,
    ZIV_TOGETHER_MAX = 8 /* the most enclosures of one struct ziv */
};

struct ziv {
    /* Sets out[0 .. count) to enclosures at the given precision. */
    void (*enclose)(void *user, mpfr_prec_t precision, mpfi_t out[]);
    void *user;
    int count;         /* 1..ZIV_TOGETHER_MAX */
    mpfr_prec_t start; /* first precision; 0 = ZIV_START_BITS */
};

/* Raises the precision until every enclosure is a point or certifies ZIV_TARGET_BITS relative bits. Stores
 * the midpoints and lowers *bits to the certified bits. Returns false at ZIV_CAP_BITS; the caller adds the
 * operator's name to the error. */
bool ziv_refine(const struct ziv *ziv, struct value out[], int *bits, struct error *error);

/* Returns the relative bits that an enclosure certifies: INT_MAX for a point, 0 if it contains zero or is not
 * finite. */
int ziv_certified_bits(mpfi_srcptr enclosure);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ZIV_H
#define ASSAY_REFERENCE_OPERATOR_ZIV_H

/* The precision ladder: an operator written once over intervals (MPFI), evaluated at p, 2p, 4p, … until the
 * enclosure itself proves enough digits. Two rungs that merely agree would prove nothing.
 *
 * Zeros and other exact cases must be decided before or inside `enclose`: an interval around an exact,
 * unrepresented value never gets narrow relative to it. */

#include "reference/operator/truth.h"
#include <mpfi.h>

enum {
    ZIV_TARGET_BITS = 104, /* relative; float64's 53 + 40 guard bits, rounded up to fill a value's pair */
    ZIV_START_BITS = 160,  /* target + room for a handful of operations */
    ZIV_CAP_BITS = 1 << 14,
    ZIV_TOGETHER_MAX = 8 /* enclosures that climb together */
};

struct ziv {
    /* Sets out[0 .. count) to enclosures at the given precision. */
    void (*enclose)(void *user, mpfr_prec_t precision, mpfi_t out[]);
    void *user;
    int count;         /* 1..ZIV_TOGETHER_MAX */
    mpfr_prec_t start; /* first rung; 0 = ZIV_START_BITS */
};

/* Climbs until every enclosure is a point or ZIV_TARGET_BITS relative bits narrow. Stores midpoints,
 * lowers *bits to the certified bits. False at the cap, with the operator left to be named by the caller. */
bool ziv_refine(const struct ziv *ziv, struct value out[], int *bits, struct error *error);

/* Relative bits that an enclosure certifies: INT_MAX for a point, 0 when it contains zero. */
int ziv_certified_bits(mpfi_srcptr enclosure);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_LADDER_H
#define ASSAY_REFERENCE_LADDER_H

/* The precision ladder: an operator written once over intervals (MPFI), evaluated at p, 2p, 4p, … until the
 * enclosure itself proves enough digits. Two rungs that merely agree would prove nothing.
 *
 * Zeros and other exact cases must be decided before or inside `enclose`: an interval around an exact,
 * unrepresented value never gets narrow relative to it. */

#include "reference/operator/truth.h"
#include <mpfi.h>

enum {
    LADDER_TARGET_BITS = 104, /* relative; float64's 53 + 40 guard bits, rounded up to fill a value's pair */
    LADDER_START_BITS = 160,  /* target + room for a handful of operations */
    LADDER_CAP_BITS = 1 << 14,
    LADDER_TOGETHER_MAX = 8 /* enclosures that climb together */
};

struct ladder {
    /* Sets out[0 .. count) to enclosures at the given precision. */
    void (*enclose)(void *user, mpfr_prec_t precision, mpfi_t out[]);
    void *user;
    int count;         /* 1..LADDER_TOGETHER_MAX */
    mpfr_prec_t start; /* first rung; 0 = LADDER_START_BITS */
};

/* Climbs until every enclosure is a point or LADDER_TARGET_BITS relative bits narrow. Stores midpoints,
 * lowers *bits to the certified bits. False at the cap, with the operator left to be named by the caller. */
bool ladder_climb(const struct ladder *ladder, struct value out[], int *bits, struct error *error);

/* Relative bits that an enclosure certifies: INT_MAX for a point, 0 when it contains zero. */
int ladder_certified_bits(mpfi_srcptr enclosure);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_NORM_ORDERS_H
#define ASSAY_SUITES_NORM_ORDERS_H

/* The orders p that cases of norms use, as bits of a set, with the number and name of each. */

enum {
    ZERO = 1,
    ONE = 2,
    TWO = 4,
    THREE = 8,
    MAX = 16,
    MIN = 32,
    HALF = 64,
    ONE_AND_HALF = 128,
    MINUS_1 = 256,
    MINUS_2 = 512,
    FRO = 1024,
    /* 2.1 and 0.3 are in no binary format; their float32 values are 1e-8 from their float64 values */
    P2_1 = 1 << 11,
    P0_3 = 1 << 12,
    P128 = 1 << 13, /* powers of a float32 in [1, 2) overflow from here on */
    MINUS_128 = 1 << 14,
    P1000 = 1 << 15,
    MINUS_1000 = 1 << 16,
    P1E10 = 1 << 17,
    MINUS_1E10 = 1 << 18,
    P1E300 = 1 << 19, /* infinite in float32 */
    MINUS_1E300 = 1 << 20,
    TINY = 1 << 21,
    TINIEST = 1 << 22, /* 0 in float32 */
    /* 2^-200 to this power is still large enough to count in bfloat16, 2^-2000 in float64 */
    SMALL_UP = 1 << 23,
    SMALL_DOWN = 1 << 24,
    ROOT160 = 1 << 25, /* 2^160, the norm of (1, 1), overflows float32 until it is scaled back */
    MINUS_ROOT160 = 1 << 26
};
enum {
    EXACT_ORDERS = ZERO | ONE | MAX | MIN,
    NAMED = EXACT_ORDERS | TWO | THREE,
    ALL = NAMED | HALF | ONE_AND_HALF | MINUS_1 | MINUS_2,
    OF_MATRIX = FRO | ONE | MAX | MINUS_1 | MIN,
    INEXACT = P2_1 | P0_3,
    SMALL = SMALL_UP | SMALL_DOWN,
    LARGE = P128 | MINUS_128 | P1000 | MINUS_1000 | P1E10 | MINUS_1E10
};

enum { NORM_ORDERS = 27 };

struct norm_order {
    unsigned bit;
    const char *name; /* part of the names of cases */
    double p;
};

extern const struct norm_order norm_orders[NORM_ORDERS];

#endif

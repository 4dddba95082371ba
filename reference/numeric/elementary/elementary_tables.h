/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Made by reference/numeric/elementary/elementary_tables.py; not to be changed by hand. */
/* clang-format off */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_TABLES_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_TABLES_H

#include <stdint.h>

#define ELEMENTARY_LOG2_E       0x1.71547652b82fep0      /* log2 e */
#define ELEMENTARY_LOG10_E      0x1.bcb7b1526e50ep-2     /* log10 e */
#define ELEMENTARY_LN2          0x1.62e42fefa39efp-1     /* ln 2 */
#define ELEMENTARY_LN2_HIGH     0x1.62e42fefa38p-1       /* ln 2, its multiple of 2^-42 */
#define ELEMENTARY_LN2_LOW      0x1.ef35793c7673p-45     /* and the rest */
#define ELEMENTARY_LOG10_2_HIGH 0x1.34413509f7p-2        /* log10 2, its multiple of 2^-42 */
#define ELEMENTARY_LOG10_2_LOW  0x1.3fde623e2566bp-43    /* and the rest */
#define ELEMENTARY_TWO_OVER_PI  0x1.45f306dc9c883p-1     /* 2/π */
#define ELEMENTARY_HALF_PI_A    0x1.921fb544p0           /* π/2: its multiple of 2^-32 */
#define ELEMENTARY_HALF_PI_B    0x1.0b4611a6p-34         /* of 2^-65 */
#define ELEMENTARY_HALF_PI_C    0x1.3198a2ep-69          /* of 2^-98 */
#define ELEMENTARY_HALF_PI_D    0x1.b839a252049c1p-104   /* and the rest */
#define ELEMENTARY_HALF_PI      0x1.921fb54442d18p0      /* π/2, rounded */
#define ELEMENTARY_HALF_PI_REST 0x1.1a62633145c07p-54    /* and what that leaves */

/* erf c and 2/√π·exp(-c²), c = 0, 1/64, 2/64, … 6 */
enum { ELEMENTARY_ERF_STEP = 64, ELEMENTARY_ERF_MOST = 6 };
extern const double elementary_erf_table[385][2];

/* erfc c and 2/√π·exp(-c²), c = 0, 1/32, 2/32, … 11 */
enum { ELEMENTARY_ERFC_STEP = 32, ELEMENTARY_ERFC_MOST = 11 };
extern const double elementary_erfc_table[353][2];

/* atan c, c = 0, 1/64, … 1 */
enum { ELEMENTARY_ATAN_STEP = 64 };
extern const double elementary_atan_table[65];

/* Row j - 91: 128/j rounded to a multiple of 1/512, minus its logarithm to a multiple of 2^-42, and
 * what that leaves; a fourth number, for the sake of its place. j = 91, … 181 */
enum { ELEMENTARY_LOG_STEP = 128, ELEMENTARY_LOG_FIRST = 91, ELEMENTARY_LOG_LAST = 181 };
extern const double elementary_log_table[91][4];

/* Bits 1 to 1216 of 2/π behind its point, 32 to a word */
enum { ELEMENTARY_WORDS = 38 };
extern const uint32_t elementary_two_over_pi[ELEMENTARY_WORDS];

#endif

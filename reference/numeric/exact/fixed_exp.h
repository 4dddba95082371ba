/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_FIXED_EXP_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_FIXED_EXP_H

/* e^x in integers of 192 bits, for the first step of the precision ladder (reference/operator/ziv.h). It
 * takes a fifth of the time of mpfr_exp at that precision. Use MPFR beyond its range and precision. */

#include <mpfi.h>
#include <stdbool.h>

enum { FIXED_EXP_BITS = 160 }; /* the most bits of an argument and of a result */

/* Sets out ⊇ {e^t : t in x}. Each end differs from e^t at that end by less than 2^-177 relative and one
 * rounding to the precision of `out`. Returns false, with `out` unchanged, where an end e of x is outside
 * 2^-96 ≤ |e| < 2^10 or a precision exceeds FIXED_EXP_BITS. `out` may be x. */
bool fixed_exp(mpfi_ptr out, mpfi_srcptr x);

#endif

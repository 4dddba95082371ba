/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_FIXED_EXP_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_FIXED_EXP_H

/* e^x in integers of 192 bits, for the first rung of the ladder (reference/operator/ziv.h): a fifth of what
 * mpfr_exp takes there. Beyond its range and precision MPFR's is to be asked. */

#include <mpfi.h>
#include <stdbool.h>

enum { FIXED_EXP_BITS = 160 }; /* of an argument and of a result, at most */

/* out ⊇ {e^t : t in x}, each end within 2^-177 of e^t at that end, and one rounding to the
 * precision of out. False, and out as it was, where an end of x is none of the numbers from 2^-96 to 2^10 in
 * size, or a precision is above FIXED_EXP_BITS. `out` may be x. */
bool fixed_exp(mpfi_ptr out, mpfi_srcptr x);

#endif

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// div of real numbers. rounding_mode 1 ("trunc") and 2 ("floor") apply to the rounded quotient. Needs
// operands.glsl.
REAL quotient(REAL x, REAL y, REAL mode)
{
    EXACT REAL q = x / y;
    EXACT REAL none = x - x; // NaN of an infinite x, whose rest is
    if (mode == REAL(2) && none != ZERO && y != ZERO)
        return none;
    return mode == ZERO ? q : mode == ONE ? truncated(q) : floored(q);
}

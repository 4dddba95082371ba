// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// A determinant as the product of pivots, with a separate mantissa and exponent.
//
// The exponents are summed as integers, exactly; the mantissas are multiplied and renormalised each time, so that
// nothing overflows or underflows: n pivots err by (n-1)u of the determinant, that is by (n-1)u absolutely in its
// logarithm, where a sum of n logarithms errs by (n + 1 ulp each)u times the sum of their magnitudes. Powers of two
// lose nothing. One logarithm at the end, of a mantissa moved into [1/sqrt(2), sqrt(2)) first so that a determinant
// just below 1 does not cancel.
#include "real.glsl"

struct Determinant {
    REAL mantissa; // in [1, 2)
    int exponent;
    uint negative; // 1 where an odd number of signs and row exchanges
    bool zero, infinite, undefined;
};

Determinant determinant_one()
{
    return Determinant(ONE, 0, 0u, false, false, false);
}

void determinant_multiply(inout Determinant d, REAL pivot)
{
    WORD magnitude = magnitude_of(bits_of(pivot));
    d.negative ^= HIGH(bits_of(pivot)) >> 31;
    if (HIGH(magnitude) >> FRACTION_BITS == EXPONENT_ONES) {
        WORD infinity = WORD(0u);
        HIGH(infinity) = EXPONENT_ONES << FRACTION_BITS;
        if (magnitude == infinity)
            d.infinite = true;
        else
            d.undefined = true;
        return;
    }
    if (is_zero(magnitude)) {
        d.zero = true;
        return;
    }
    int exponent = int(HIGH(magnitude) >> FRACTION_BITS) - BIAS;
    if (is_subnormal_or_zero(magnitude)) { // shift the leading bit to where the implicit one stands
#ifdef FLOAT64
        int top = magnitude.y != 0u ? 32 + findMSB(magnitude.y) : findMSB(magnitude.x);
        int shift = 52 - top;
        magnitude = shift >= 32 ? uvec2(0u, magnitude.x << (shift - 32))
                                : uvec2(magnitude.x << shift, magnitude.y << shift | magnitude.x >> (32 - shift));
#else
        int shift = 23 - findMSB(magnitude);
        magnitude <<= shift;
#endif
        exponent = 1 - BIAS - shift;
    }
    HIGH(magnitude) = (HIGH(magnitude) & FRACTION_HIGH) | uint(BIAS) << FRACTION_BITS;
    EXACT REAL product = d.mantissa * real_of(magnitude);
    d.exponent += exponent;
    if (product >= ONE + ONE) {
        product *= HALF;
        d.exponent++;
    }
    d.mantissa = product;
}

bool determinant_is_nan(Determinant d)
{
    return d.undefined || (d.zero && d.infinite);
}

// log |det|: -inf of zero, NaN of NaN and of 0 * inf.
REAL determinant_log(Determinant d)
{
    if (determinant_is_nan(d))
        return quiet_nan();
    if (d.zero || d.infinite)
        return infinity(d.zero);
    EXACT REAL m = d.mantissa;
    int e = d.exponent;
    if (m > ROOT2) {
        m *= HALF;
        e++;
    }
    return log_split(m, e);
}

REAL determinant_sign(Determinant d)
{
    if (determinant_is_nan(d))
        return quiet_nan();
    if (d.zero)
        return ZERO;
    return d.negative != 0u ? -ONE : ONE;
}

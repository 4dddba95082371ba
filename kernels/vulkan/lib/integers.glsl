// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Arithmetic of int32 and int64 modulo 2^bits. int64 is two words, so that no kernel needs shaderInt64.
// Division by 0 gives 0.

#ifdef INT64
WORD sum_of(WORD a, WORD b)
{
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

WORD minus(WORD a) { return sum_of(~a, uvec2(1u, 0u)); }

WORD parameter(uvec2 bits) { return bits; } // an attribute

WORD product_of(WORD a, WORD b)
{
    uint high, low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}

bool at_least(WORD a, WORD b) { return a.y > b.y || (a.y == b.y && a.x >= b.x); }

// Unsigned long division, bit by bit; d is not 0.
WORD divide(WORD n, WORD d, out WORD rest)
{
    WORD q = uvec2(0u), r = uvec2(0u);
    for (int bit = 63; bit >= 0; bit--) {
        uint next = (bit < 32 ? n.x >> bit : n.y >> (bit - 32)) & 1u;
        uint lost = r.y >> 31;
        r = uvec2(r.x << 1 | next, r.y << 1 | r.x >> 31);
        q = uvec2(q.x << 1, q.y << 1 | q.x >> 31);
        if (lost != 0u || at_least(r, d)) {
            r = sum_of(r, minus(d));
            q.x |= 1u;
        }
    }
    rest = r;
    return q;
}

WORD shifted_left(WORD a, WORD by)
{
    uint s = by.x;
    if (by.y != 0u || s > 63u)
        return uvec2(0u);
    return s == 0u ? a : s < 32u ? uvec2(a.x << s, a.y << s | a.x >> (32u - s)) : uvec2(0u, a.x << (s - 32u));
}

WORD shifted_right(WORD a, WORD by)
{
    uint s = by.y != 0u || by.x > 63u ? 63u : by.x, sign = uint(int(a.y) >> 31);
    return s == 0u ? a
           : s < 32u ? uvec2(a.x >> s | a.y << (32u - s), uint(int(a.y) >> s))
                     : uvec2(uint(int(a.y) >> (s - 32u)), sign);
}
#else
WORD sum_of(WORD a, WORD b) { return a + b; }
WORD minus(WORD a) { return 0u - a; }
WORD parameter(uvec2 bits) { return bits.x; }
WORD product_of(WORD a, WORD b) { return a * b; }
WORD divide(WORD n, WORD d, out WORD rest)
{
    rest = n % d;
    return n / d;
}
WORD shifted_left(WORD a, WORD by) { return by > 31u ? 0u : a << by; }
WORD shifted_right(WORD a, WORD by) { return uint(int(a) >> min(by, 31u)); }
#endif

WORD scaled_sum(WORD x, WORD factor, WORD y)
{
    return sum_of(x, product_of(factor, y));
}

// Signed division of the magnitudes: the quotient is truncated, the remainder has the sign of the dividend.
WORD cut_quotient(WORD a, WORD b, out WORD rest)
{
    bool p = is_negative_bits(a), q = is_negative_bits(b);
    rest = WORD(0u);
    if (b == WORD(0u))
        return rest;
    WORD quotient = divide(p ? minus(a) : a, q ? minus(b) : b, rest);
    rest = p ? minus(rest) : rest;
    return p != q ? minus(quotient) : quotient;
}

WORD rest_of(WORD a, WORD b)
{
    WORD rest;
    cut_quotient(a, b, rest);
    return rest;
}

WORD remainder_of(WORD a, WORD b)
{
    WORD rest = rest_of(a, b);
    return rest != WORD(0u) && is_negative_bits(rest) != is_negative_bits(b) ? sum_of(rest, b) : rest;
}

WORD floor_quotient(WORD a, WORD b)
{
    WORD rest, quotient = cut_quotient(a, b, rest);
    bool between = rest != WORD(0u) && is_negative_bits(a) != is_negative_bits(b);
    return between ? sum_of(quotient, ~WORD(0u)) : quotient;
}

// div with rounding_mode 1 ("trunc") or 2 ("floor").
WORD whole_quotient(WORD a, WORD b, WORD mode)
{
    WORD rest;
    bool floors = (mode & WORD(2u)) != WORD(0u);
    return floors ? floor_quotient(a, b) : cut_quotient(a, b, rest);
}

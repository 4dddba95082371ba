// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Arguments and states of ops/rows.comp; ops/rows.c fills the arguments. Needs operands.glsl.

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View kept, reduced; // the operand's dimensions: element = kept[row] + reduced[term]
    View result;        // element = result[row]; in a map result[row] + result_terms[term]
    View result_terms;
    View other_kept, other_reduced; // of the second operand
    uvec2 from, to;     // scratch: the states of the parts to be joined; the states that this pass writes
    uvec2 statistic[2]; // scratch: one state for each row
    uvec2 count;        // the number of terms, as vk_real_bits returns it
    uvec2 degrees;      // count less the correction of a variance
    uint rows, terms, parts, chunk;
    uint joins, alone; // joins = 1: the terms are states of parts; alone = 1: one invocation computes a row
};

layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer State { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Whole { uvec2 value; };
#ifdef BOOL_END
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 1) writeonly buffer Bool { uint8_t value; };
#endif

#if defined FLOAT64 || defined INT64
uvec2 state_of(WORD word) { return word; }
WORD word_of(uvec2 state) { return state; }
#else
uvec2 state_of(WORD word) { return uvec2(word, 0u); }
WORD word_of(uvec2 state) { return state.x; }
#endif

void put_word(uvec2 address, uint number, WORD word)
{
#if defined FLOAT16 || defined BFLOAT16
    Element(element_address(address, number, ELEMENT_SIZE)).value = uint16_t(word);
#else
    Element(element_address(address, number, ELEMENT_SIZE)).value = word;
#endif
}

uvec2 sum_of_pairs(uvec2 a, uvec2 b)
{
    uint carry, low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 product_of_pairs(uvec2 a, uvec2 b) // modulo 2^64
{
    uint high, low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}

#if defined INT32
uvec2 dd_of(WORD x) { return uvec2(x, uint(int(x) >> 31)); }
bool is_nonzero(WORD x) { return x != WORD(0u); }
#elif defined INT64
uvec2 dd_of(WORD x) { return x; }
bool is_nonzero(WORD x) { return x != WORD(0u); }
#else
#define REAL_STATES
uvec2 state_in(REAL x) { return state_of(bits_of(x)); }
REAL real_in(uvec2 state) { return real_of(word_of(state)); }
bool is_nonzero(WORD x) { return magnitude_bits(x) != WORD(0u); }

WORD infinite_bits()
{
    WORD bits = WORD(0u);
    TOP(bits) = INFINITE;
    return bits;
}

uvec2 one_state() { return state_in(ONE); }

REAL lead_in(uvec2 state) // an element
{
#if defined FLOAT16
    return half_to_float(state.x);
#elif defined BFLOAT16
    return bfloat16_to_float(state.x);
#else
    return real_in(state);
#endif
}

REAL square_of(REAL x)
{
    EXACT REAL square = x * x;
    return square;
}

REAL product_of(REAL x, REAL y)
{
    EXACT REAL product = x * y;
    return product;
}

REAL quotient(REAL x, REAL y)
{
    EXACT REAL q = x / y;
    return q;
}

REAL mean_of(REAL sum, REAL n)
{
    return quotient(sum, n);
}

// What logsumexp takes from the exponents: 0 in place of an infinity.
REAL base_of(REAL lead)
{
    return magnitude_of(bits_of(lead)) == bits_of(infinity(false)) ? ZERO : lead;
}

#ifdef FLOAT64
#include "exp64.glsl"
#include "log64.glsl"

REAL exp_of(REAL x) { return exp_reduced(x); }

REAL log_of(REAL x) // x is 0, infinity, NaN or at least 1
{
    WORD bits = bits_of(x);
    if (HIGH(bits) >> FRACTION_BITS == 0u || HIGH(bits) >> FRACTION_BITS >= EXPONENT_ONES)
        return is_zero(magnitude_of(bits)) ? infinity(true) : x;
    int e = int(HIGH(bits) >> FRACTION_BITS) - BIAS;
    HIGH(bits) = (HIGH(bits) & FRACTION_HIGH) | uint(BIAS) << FRACTION_BITS;
    if (real_of(bits) > ROOT2) {
        HIGH(bits) -= 1u << FRACTION_BITS;
        e++;
    }
    return log_split(real_of(bits), e);
}
#else
REAL exp_of(REAL x) { return exp_own(x); }
REAL log_of(REAL x) { return logarithm(x); }
#endif

// Of gradients: what logsumexp's takes from the exponents, the number of terms and that of leading ones.
REAL peak_of(REAL lead)
{
    return lead;
}

REAL terms_of(REAL n)
{
    return n;
}

REAL ties_of(REAL leaders)
{
    return leaders;
}

// The gradient of a standard deviation, from the sum of squares.
REAL of_deviation(REAL grad, REAL difference, REAL squares, REAL degrees)
{
    REAL deviation = root(quotient(squares, degrees));
    EXACT REAL gradient = quotient(quotient(grad, deviation) * difference, degrees);
    return deviation == ZERO ? ZERO : gradient;
}

// The forward's output, of softmax and of log_softmax.
REAL output_of(REAL y)
{
    return y;
}

REAL probability_of(REAL y)
{
    return exp_of(y);
}
#endif

#ifndef REAL_STATES
uvec2 one_state() { return uvec2(1u, 0u); }
#endif

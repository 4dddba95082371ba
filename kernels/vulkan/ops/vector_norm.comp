// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// vector_norm and matrix_norm: (sum |x|^p)^(1/p) of each reduction, which is divided into parts of CHUNK
// elements.
//
// SPAN    the greatest |x| of each part (the least for p < 0), by its bits; a NaN exceeds everything
// SUM     the sum of |x / lead|^p over each part, where lead is the leading |x| of the whole reduction; for
//         p = 2 and 3 of |x * 2^-e|^p, where e is the exponent of lead
// FINISH  sums the parts, takes the root, multiplies it by lead or 2^e, and rounds to the dtype
//
// SPAN and SUM have one workgroup per part, FINISH a workgroup of 8 invocations per output. Each invocation
// sums every 64th element (every 8th of no more than 64), and a tree sums the invocations: of n elements none
// takes part in more than CHUNK/64 + 6 + n/CHUNK/8 + 4 additions. For p = 2 and 3 the scaled leading element is
// in [1, 2); for other p, which may be 10^10, the powers of x / lead are in [0, 1]. Hence no power overflows,
// and what underflows is below an ulp. Significands and exponents are computed separately, because for small p
// neither x / lead nor the root need be in range though their powers and the norm are. Everything is computed
// in float32 (float64 for float64).
//
// On route wide (WIDE) the elements of a reduction lie one behind the other. Workgroups of 256 read them by vectors
// of 16 bytes, and find the leading |x| together: where every invocation looks through all parts, as on route
// portable, the work grows with the square of their number. A term goes through at most chunk/256 + 8 additions of its
// part and PARTS/256 + 8 of the parts (ops/vector_norm.c).
//! wide
//! variant span_float16 -DSPAN -DFLOAT16
//! variant span_bfloat16 -DSPAN -DBFLOAT16
//! variant span_float32 -DSPAN
//! variant span_float64 -DSPAN -DFLOAT64
//! variant sum_float16 -DSUM -DFLOAT16
//! variant sum_bfloat16 -DSUM -DBFLOAT16
//! variant sum_float32 -DSUM
//! variant sum_float64 -DSUM -DFLOAT64
//! variant finish_float16 -DFINISH -DFLOAT16
//! variant finish_bfloat16 -DFINISH -DBFLOAT16
//! variant finish_float32 -DFINISH
//! variant finish_float64 -DFINISH -DFLOAT64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "element.glsl"
#ifdef FLOAT64
#include "log64.glsl"
#include "exp64.glsl"
#define INFINITY uvec2(0u, 0x7ff00000u)
#else
#include "log32.glsl"
#include "exp32.glsl"
#define INFINITY 0x7f800000u
#endif
#if defined WIDE && !defined FINISH
#include "vectors.glsl"
#endif

layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Words { WORD value[]; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View kept, reduced; // the input's dimensions: element = kept[output] + reduced[term]
    View result;
    uvec2 leads, sums; // scratch: outputs * parts words
    uint terms, parts, chunk, mode;
    uint least;        // 1: SPAN looks for the least |x|
    uint padding;
    uvec2 p, root;     // float64 bits of p and 1/p, or float32 bits in x
};

// Pushed: kept with its number of elements, reduced with its number of terms, and result. Other arguments are
// read once:
uint parts, mode;
bool least;

#define COUNT 0u
#define POWER_1 1u
#define POWER_2 2u
#define POWER_3 3u
#define POWER 4u
#define EXTREMUM 5u

REAL exponent_to_real(int e) // 2^e, normal
{
#ifdef FLOAT64
    return packDouble2x32(uvec2(0u, uint(e + BIAS) << FRACTION_BITS));
#else
    return uintBitsToFloat(uint(e + BIAS) << FRACTION_BITS);
#endif
}

#if defined WIDE && !defined FINISH
WORD magnitude_in(uvec2 bits)
{
    WORD magnitude = bits_of(REAL_OF(bits));
    HIGH(magnitude) &= 0x7fffffffu;
    return magnitude;
}
#endif

WORD magnitude_at(Arguments a, uint base, uint i)
{
    uint at;
    LINE_NUMBER(at, line[1], a.reduced, i)
    at += base;
#if defined FLOAT16
    return floatBitsToUint(half_to_float(uint(Element(element_address(line[0].address, at, ELEMENT_SIZE)).value) & 0x7fffu));
#elif defined BFLOAT16
    return (uint(Element(element_address(line[0].address, at, ELEMENT_SIZE)).value) & 0x7fffu) << 16;
#else
    WORD bits = Element(element_address(line[0].address, at, ELEMENT_SIZE)).value;
    HIGH(bits) &= 0x7fffffffu;
    return bits;
#endif
}

// The key that SPAN maximizes: the bits of |x|, or, for the least |x|, their distance from NaN; greatest for a
// NaN.
WORD key_of(Arguments a, WORD magnitude)
{
    if (exceeds(magnitude, INFINITY))
        return WORD(0xffffffffu);
    if (least) {
        magnitude = ~magnitude;
        HIGH(magnitude) &= 0x7fffffffu;
    }
    return magnitude;
}

WORD magnitude_of_key(Arguments a, WORD key)
{
    if (least && key != WORD(0xffffffffu)) {
        key = ~key;
        HIGH(key) &= 0x7fffffffu;
    }
    HIGH(key) &= 0x7fffffffu;
    return key;
}

shared WORD gathered[gl_WorkGroupSize.x];

WORD greatest_key(WORD mine) // the greatest key of the workgroup; the same in every invocation
{
    uint id = gl_LocalInvocationID.x;
    gathered[id] = mine;
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step && exceeds(gathered[id + step], gathered[id]))
            gathered[id] = gathered[id + step];
        barrier();
    }
    return gathered[0];
}

WORD lead_of(Arguments a, uint group) // the leading |x| of the whole reduction
{
    WORD key = WORD(0u);
#ifdef WIDE
    uint first = gl_LocalInvocationID.x, by = gl_WorkGroupSize.x;
#else
    uint first = 0u, by = 1u;
#endif
    for (uint part = first; part < parts; part += by) {
        WORD other = Words(element_address(a.leads, group * parts + part, SIZE)).value[0];
        if (exceeds(other, key))
            key = other;
    }
#ifdef WIDE
    key = greatest_key(key);
    barrier(); // all have read it before the sums overwrite it
#endif
    return magnitude_of_key(a, key);
}

int scale_of(Arguments a, WORD lead)
{
    int e = int(HIGH(lead) >> FRACTION_BITS) - BIAS;
    return mode < POWER_2 ? 0 : clamp(e, 1 - BIAS, BIAS - 1);
}

// x = m 2^e, m in [1, 2), for finite x > 0; m = 0 where the device takes a subnormal x for zero.
int split(WORD magnitude, out REAL m)
{
    int e = -BIAS;
    if (HIGH(magnitude) < 1u << FRACTION_BITS) {
        EXACT REAL x = real_of(magnitude) * exponent_to_real(64);
        magnitude = bits_of(x);
        e -= 64;
    }
    m = ZERO;
    if (HIGH(magnitude) < 1u << FRACTION_BITS)
        return 0;
    e += int(HIGH(magnitude) >> FRACTION_BITS);
    HIGH(magnitude) = HIGH(magnitude) & ((1u << FRACTION_BITS) - 1u) | uint(BIAS) << FRACTION_BITS;
    m = real_of(magnitude);
    return e;
}

// q log(m 2^e) for m in [1/2, 2].
REAL power_argument(REAL m, int e, REAL q)
{
    if (m >= ROOT2) {
        m = m * HALF;
        e++;
    } else if (m < HALF * ROOT2) {
        m = m + m;
        e--;
    }
    EXACT REAL argument = q * log_split(m, e);
    return argument;
}

// (x/lead)^p; unspecified if lead decides the result alone (lead_decides).
REAL relative_power(Arguments a, WORD magnitude, WORD lead)
{
    REAL m, l;
    int e = split(magnitude, m) - split(lead, l);
    if (!exceeds(INFINITY, magnitude))
        return ZERO;
    if (m == ZERO || l == ZERO)
        return least ? real_of(INFINITY) : ZERO;
    EXACT REAL q = m / l;
    EXACT REAL rest = fma(-q, l, m); // one step of Newton: a device may err by ulps
    EXACT REAL quotient = q + rest / l;
    return exp_reduced(power_argument(quotient, e, parameter(a.p)));
}

REAL term_of(Arguments a, WORD magnitude, WORD lead, REAL scale)
{
    if (mode == COUNT)
        return HIGH(magnitude) == 0u && magnitude == WORD(0u) ? ZERO : ONE;
    if (mode == POWER)
        return relative_power(a, magnitude, lead);
    EXACT REAL x = real_of(magnitude) * scale;
    if (mode == POWER_1)
        return x;
    EXACT REAL square = x * x;
    if (mode == POWER_2)
        return square;
    EXACT REAL cube = square * x;
    return cube;
}

REAL added(REAL x, REAL y)
{
    EXACT REAL sum = x + y;
    return sum;
}

REAL total(REAL mine) // the sum over the workgroup; the same in every invocation
{
    uint id = gl_LocalInvocationID.x;
    gathered[id] = bits_of(mine);
    barrier();
    [[dont_unroll]] for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
        if (id < step)
            gathered[id] = bits_of(added(real_of(gathered[id]), real_of(gathered[id + step])));
        barrier();
    }
    return real_of(gathered[0]);
}

#ifdef FINISH
REAL root_of(Arguments a, REAL sum)
{
    if (mode < POWER_2 || sum == ZERO)
        return sum;
    if (mode == POWER_2) {
        EXACT REAL r = sqrt(sum);
        EXACT REAL rest = fma(-r, r, sum); // one step of Newton: a device may err by ulps
        EXACT REAL better = r + rest / (r + r);
        return HIGH(bits_of(sum)) < HIGH(INFINITY) ? better : r;
    }
    REAL m;
    int e = split(bits_of(sum), m);
    return HIGH(bits_of(sum)) >= HIGH(INFINITY) ? sum : exp_reduced(power_argument(m, e, parameter(a.root)));
}

// y 2^e with one rounding, for y near 1 and any e.
REAL scaled(REAL y, int e)
{
    const int rest = BIAS - 27;
    e = clamp(e, 1 - BIAS - rest, BIAS + rest);
    int step = e >= BIAS ? rest : e <= 1 - BIAS ? -rest : 0;
    EXACT REAL part = y * exponent_to_real(e - step);
    EXACT REAL whole = part * exponent_to_real(step);
    return whole;
}

// lead * sum^(1/p).
REAL relative_root(Arguments a, REAL sum, WORD lead)
{
    if (sum == ZERO)
        return sum;
    if (HIGH(bits_of(sum)) >= HIGH(INFINITY))
        return least && bits_of(sum) == INFINITY ? ZERO : sum;
    REAL m, l;
    int e = split(bits_of(sum), m), from = split(lead, l), exponent;
    EXACT REAL argument = power_argument(m, e, parameter(a.root));
    if (!(abs(argument) <= REAL(4 * BIAS))) // whatever lead is
        return argument < ZERO ? ZERO : real_of(INFINITY);
    EXACT REAL y = exp_split(argument, exponent) * l;
    return scaled(y, from + exponent);
}

void store(Arguments a, uint group, REAL y)
{
    uint to;
    LINE_NUMBER(to, line[2], a.result, group)
    element_write(line[2].address, to, y);
}

// True if the leading element is the result: for p > 0 if it is infinite or all elements are zero, for p < 0 if
// it is zero or all elements are infinite, and if it is a NaN.
bool lead_decides(Arguments a, WORD lead)
{
    return mode == EXTREMUM ||
           (mode >= POWER_2 && (lead == WORD(0u) || !exceeds(INFINITY, lead)));
}
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    parts = a.parts;
    mode = a.mode;
    least = a.least != 0u;
    uint group = group_index(), id = gl_LocalInvocationID.x;
#ifdef FINISH
    if (group >= elements)
        return;
    WORD lead = mode >= POWER_2 ? lead_of(a, group) : WORD(0u);
    REAL mine = ZERO;
    for (uint part = id; part < parts && mode != EXTREMUM; part += gl_WorkGroupSize.x)
        mine = added(mine, real_of(Words(element_address(a.sums, group * parts + part, SIZE)).value[0]));
    REAL sum = total(mine);
    if (id != 0u)
        return;
    if (lead_decides(a, lead)) {
        store(a, group, real_of(lead));
        return;
    }
    if (mode == POWER) {
        store(a, group, relative_root(a, sum, lead));
        return;
    }
    EXACT REAL y = root_of(a, sum) * exponent_to_real(scale_of(a, lead));
    store(a, group, y);
#else
    if (group >= elements * parts)
        return;
    uint base, part = group % parts, chunk = a.chunk, first = part * chunk, end = min(more, first + chunk);
    LINE_NUMBER(base, line[0], a.kept, group / parts)
#ifdef SPAN
    WORD key = WORD(0u);
#ifdef WIDE
    for (uint i = first + id * VECTOR; i < end; i += gl_WorkGroupSize.x * VECTOR) {
        uint count = min(end - i, VECTOR);
        uvec4 xs = vector_read(line[0].address, base + i, 1u, ELEMENT_SIZE, count);
        for (uint k = 0u; k < VECTOR; k++) {
            WORD other = key_of(a, magnitude_in(vector_take(xs, k, ELEMENT_SIZE)));
            if (k < count && exceeds(other, key))
                key = other;
        }
    }
#else
    for (uint i = first + id; i < end; i += gl_WorkGroupSize.x) {
        WORD other = key_of(a, magnitude_at(a, base, i));
        if (exceeds(other, key))
            key = other;
    }
#endif
    key = greatest_key(key);
    if (id == 0u)
        Words(element_address(a.leads, group, SIZE)).value[0] = key;
#else
    REAL scale = ONE, mine = ZERO;
    WORD lead = WORD(0u);
    if (mode >= POWER_2) {
        lead = lead_of(a, group / parts);
        scale = exponent_to_real(exceeds(INFINITY, lead) ? -scale_of(a, lead) : 0);
    }
#ifdef WIDE
    for (uint i = first + id * VECTOR; i < end; i += gl_WorkGroupSize.x * VECTOR) {
        uint count = min(end - i, VECTOR);
        uvec4 xs = vector_read(line[0].address, base + i, 1u, ELEMENT_SIZE, count);
        for (uint k = 0u; k < VECTOR; k++) {
            REAL term = term_of(a, magnitude_in(vector_take(xs, k, ELEMENT_SIZE)), lead, scale);
            if (k < count)
                mine = added(mine, term);
        }
    }
#else
    for (uint i = first + id; i < end; i += gl_WorkGroupSize.x)
        mine = added(mine, term_of(a, magnitude_at(a, base, i), lead, scale));
#endif
    REAL sum = total(mine);
    if (id == 0u)
        Words(element_address(a.sums, group, SIZE)).value[0] = bits_of(sum);
#endif
#endif
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// matrix_exp: scaling and squaring with a Taylor polynomial of degree 4, 8, 12 or 18 by Horner's rule, one workgroup
// per matrix. Degree and scaling follow from the matrix's own 1-norm: theta is the largest norm at which the truncated
// series is the exponential of A + D with |D| <= u |A| (Al-Mohy and Higham, SIMAX 31 (2009); Bader, Blanes and Casas,
// Mathematics 7 (2019)). No division: 1/k is a rounded constant.
//
// SMALL   everything, in shared memory.
// Larger matrices use three buffers per matrix in scratch memory:
// EVALUATE   norm, scaling, polynomial
// SQUARE     up to `chunk` squarings, and the result after the last; the host dispatches it often enough
//
// On route wide (WIDE) SMALL has workgroups of 256. Larger matrices are multiplied by tiles, an element's terms in the
// same order, so that both routes have the same results:
// EVALUATE   norm, scaling, and the first two buffers
// SQUARE     one product of Horner's rule, or one squaring; the host dispatches it for each that a matrix may need.
//            Squarings beyond those, and the result, are the portable SQUARE's.
//
// A matrix with a NaN gives NaN everywhere, as dense products do; so does one with an infinity, unless it is
// 1x1.
//! variant small_float32 -DSMALL -DSTRIDE=32
//! variant small_float64 -DSMALL -DSTRIDE=20 -DFLOAT64
//! variant evaluate_float32 -DEVALUATE
//! variant evaluate_float64 -DEVALUATE -DFLOAT64
//! variant square_float32 -DSQUARE
//! variant square_float64 -DSQUARE -DFLOAT64
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#include "real.glsl"

layout(buffer_reference, std430, buffer_reference_align = SIZE) buffer Element { WORD value; };
layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Matrix { WORD value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer State { uint value[]; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View batch; // first element of each matrix
    View result;
    uvec2 matrix, state; // scratch: count * 3 * n * n elements; count * 2: squarings left, buffer that holds P
    uint row_stride, column_stride;
    uint n, count, chunk;
    uint flush; // 1: subnormals are zeros
    uvec2 steps; // route wide, scratch: count * 2: degree, number of squarings
    uint turn, tiled; // of SQUARE: 0 to 17 for degree 18 to 1, then squarings; how many squarings are by tiles
};

const uint DONE = 0xffffffffu;

// Copies of arguments, read once: a CPU driver reads data behind an address again for each use.
uint n, row_stride, column_stride, flush;
uvec2 matrices, from_address;

#ifdef SMALL
shared REAL buffers[3 * STRIDE * STRIDE];
#define GET(b, i, j) buffers[((b) * STRIDE + (i)) * STRIDE + (j)]
#define PUT(b, i, j, x) buffers[((b) * STRIDE + (i)) * STRIDE + (j)] = x
#define SYNC barrier()
#else
#define AT(b, i, j) Matrix(matrices).value[((group_index() * 3u + (b)) * n + (i)) * n + (j)]
#define GET(b, i, j) real_of(AT(b, i, j))
#define PUT(b, i, j, x) AT(b, i, j) = bits_of(x)
#define SYNC memoryBarrierBuffer(); barrier()
#endif

REAL dot_step(REAL sum, REAL x, REAL y)
{
    EXACT REAL product = x * y;
    EXACT REAL more = sum + product;
    return more;
}

// Element (i, j) of the product of buffers x and y, terms in order.
REAL product_at(Arguments a, uint x, uint y, uint i, uint j)
{
    REAL sum = ZERO;
    uint k = 0u;
    for (; k + 4u <= n; k += 4u) {
        sum = dot_step(sum, GET(x, i, k), GET(y, k, j));
        sum = dot_step(sum, GET(x, i, k + 1u), GET(y, k + 1u, j));
        sum = dot_step(sum, GET(x, i, k + 2u), GET(y, k + 2u, j));
        sum = dot_step(sum, GET(x, i, k + 3u), GET(y, k + 3u, j));
    }
    for (; k < n; k++)
        sum = dot_step(sum, GET(x, i, k), GET(y, k, j));
    return sum;
}

const REAL INVERSE[19] =
    REAL[](ZERO, ONE, HALF, ONE / REAL(3.0), ONE / REAL(4.0), ONE / REAL(5.0), ONE / REAL(6.0), ONE / REAL(7.0),
           ONE / REAL(8.0), ONE / REAL(9.0), ONE / REAL(10.0), ONE / REAL(11.0), ONE / REAL(12.0), ONE / REAL(13.0),
           ONE / REAL(14.0), ONE / REAL(15.0), ONE / REAL(16.0), ONE / REAL(17.0), ONE / REAL(18.0));

#if defined WIDE && defined SQUARE
// A tile of SIDE x SIDE elements of a product for each workgroup of 256, four of them for each invocation, from DEPTH terms
// at a time in shared memory.
const uint SIDE = 32u, DEPTH = 16u, PITCH = DEPTH + 1u, DEGREE = 18u;
shared REAL rows[SIDE * PITCH], columns[DEPTH * SIDE];
#define CELL(b, i, j) Matrix(matrices).value[((matrix * 3u + (b)) * n + (i)) * n + (j)]

REAL cell(uint matrix, uint b, uint i, uint j) // 0 outside of the matrix
{
    REAL x = ZERO;
    if (i < n && j < n)
        x = real_of(CELL(b, i, j));
    return x;
}

// Adds the products of up to DEPTH terms to the sums of (row, column), (row, column + 16), (row + 16, column) …
void add_terms(inout REAL sum[4], uint row, uint column, uint terms)
{
    for (uint t = 0u; t < terms; t++) {
        REAL x0 = rows[row * PITCH + t], x1 = rows[(row + 16u) * PITCH + t];
        REAL y0 = columns[t * SIDE + column], y1 = columns[t * SIDE + column + 16u];
        sum[0] = dot_step(sum[0], x0, y0);
        sum[1] = dot_step(sum[1], x0, y1);
        sum[2] = dot_step(sum[2], x1, y0);
        sum[3] = dot_step(sum[3], x1, y1);
    }
}

void main()
{
    Arguments a = Arguments(push.arguments);
    n = a.n;
    matrices = a.matrix;
    uint across = (n + SIDE - 1u) / SIDE, matrix = group_index() / (across * across);
    uint tile = group_index() % (across * across), id = gl_LocalInvocationID.x;
    if (matrix >= a.count)
        return;
    uint degree = State(a.steps).value[2u * matrix], squarings = State(a.steps).value[2u * matrix + 1u];
    bool squares = a.turn >= DEGREE;
    uint k = squares ? 0u : DEGREE - a.turn, done = squares ? degree + a.turn - DEGREE : degree - k;
    if (squares ? a.turn - DEGREE >= squarings : k > degree)
        return;
    uint from = 1u + (done & 1u), left = squares ? from : 0u;
    uint top = tile / across * SIDE, first = tile % across * SIDE, row = id / 16u, column = id % 16u;
    REAL sum[4] = REAL[](ZERO, ZERO, ZERO, ZERO);
    for (uint t = 0u; t < n; t += DEPTH) {
        for (uint e = id; e < SIDE * DEPTH; e += gl_WorkGroupSize.x) {
            rows[e / DEPTH * PITCH + e % DEPTH] = cell(matrix, left, top + e / DEPTH, t + e % DEPTH);
            columns[e] = cell(matrix, from, t + e / SIDE, first + e % SIDE);
        }
        barrier();
        add_terms(sum, row, column, min(DEPTH, n - t));
        barrier(); // all have read the tiles before the next ones overwrite them
    }
    for (uint e = 0u; e < 4u; e++) {
        uint i = top + row + e / 2u * 16u, j = first + column + e % 2u * 16u;
        EXACT REAL x = sum[e];
        if (!squares) {
            x = x * INVERSE[k];
            if (i == j)
                x = ONE + x;
        }
        if (i < n && j < n)
            CELL(3u - from, i, j) = bits_of(x);
    }
}
#else
#ifndef SQUARE
WORD load(Arguments a, uint base, uint i, uint j)
{
    uint row = i, column = j;
    WORD bits =
        WORD(Element(element_address(from_address, base + row * row_stride + column * column_stride, SIZE)).value);
    return flushed(bits, flush);
}

uint matrix_base(Arguments a, uint matrix)
{
    uint base;
    ELEMENT_NUMBER(base, a.batch, matrix)
    return base;
}

REAL power_of_two(int exponent) // of a normal number
{
    WORD bits = WORD(0u);
    HIGH(bits) = uint(BIAS + exponent) << FRACTION_BITS;
    return real_of(bits);
}

int exponent_of(REAL x)
{
    return int(HIGH(magnitude_of(bits_of(x))) >> FRACTION_BITS) - BIAS;
}

#ifdef WIDE
shared WORD greatest[gl_WorkGroupSize.x];
#else
shared WORD greatest[128]; // workgroups have at most 128 invocations
#endif

// The 1-norm times 2^-10, so that no sum overflows; infinity where an entry is infinite or NaN.
REAL norm_of(Arguments a, uint base)
{
    uint id = gl_LocalInvocationID.x;
    WORD mine = WORD(0u);
    for (uint j = id; j < n; j += gl_WorkGroupSize.x) {
        EXACT REAL sum = ZERO;
        for (uint i = 0u; i < n; i++) {
            WORD magnitude = magnitude_of(load(a, base, i, j));
            if (HIGH(magnitude) >> FRACTION_BITS == EXPONENT_ONES)
                sum = infinity(false);
            else
                sum += real_of(magnitude) * REAL(0.0009765625);
        }
        if (exceeds(bits_of(sum), mine))
            mine = bits_of(sum);
    }
    greatest[id] = mine;
    barrier();
    [[dont_unroll]] for (uint t = 0u; t < gl_WorkGroupSize.x; t++)
        if (exceeds(greatest[t], mine))
            mine = greatest[t];
    barrier();
    return real_of(mine);
}

#ifdef FLOAT64
const REAL THETA[4] = REAL[](3.397e-4LF / 1024.0LF, 0.04991LF / 1024.0LF, 0.29962LF / 1024.0LF, 1.09086LF / 1024.0LF);
#else
const REAL THETA[4] = REAL[](0.05117 / 1024.0, 0.58005 / 1024.0, 1.46166 / 1024.0, 3.01007 / 1024.0);
#endif

// Chooses the degree and the number of squarings from the norm, which is given times 2^-10.
void choose(REAL norm, out uint degree, out int squarings)
{
    squarings = 0;
    const uint last = 3u;
    for (uint t = 0u; t <= last; t++) {
        degree = t == 3u ? 18u : 4u * (t + 1u);
        if (norm <= THETA[t])
            return;
    }
    int excess = exponent_of(norm) - exponent_of(THETA[last]); // norm / 2^excess and theta share an exponent
    EXACT REAL reduced = norm * power_of_two(-excess / 2) * power_of_two(-(excess - excess / 2));
    squarings = excess + (reduced > THETA[last] ? 1 : 0);
}

// Stores A / 2^squarings in buffer 0 and the polynomial in buffer 1 or 2, whose number it returns.
uint evaluate(Arguments a, uint base, uint degree, int squarings)
{
    uint id = gl_LocalInvocationID.x, from = 1u;
    REAL half_way = power_of_two(-(squarings / 2)), rest = power_of_two(-(squarings - squarings / 2));
    for (uint e = id; e < n * n; e += gl_WorkGroupSize.x) {
        uint i = e / n, j = e % n;
        EXACT REAL scaled = real_of(load(a, base, i, j)) * half_way * rest;
        PUT(0u, i, j, scaled);
        PUT(1u, i, j, i == j ? ONE : ZERO);
    }
    SYNC;
#if defined WIDE && defined EVALUATE
    degree = 0u;
#endif
    for (uint k = degree; k > 0u; k--) {
        for (uint e = id; e < n * n; e += gl_WorkGroupSize.x) {
            uint i = e / n, j = e % n;
            EXACT REAL x = product_at(a, 0u, from, i, j) * INVERSE[k];
            if (i == j)
                x = ONE + x;
            PUT(3u - from, i, j, x);
        }
        SYNC;
        from = 3u - from;
    }
    return from;
}
#endif

#ifndef EVALUATE
uint squared(Arguments a, uint from)
{
    for (uint e = gl_LocalInvocationID.x; e < n * n; e += gl_WorkGroupSize.x) {
        uint i = e / n, j = e % n;
        REAL x = product_at(a, from, from, i, j);
        PUT(3u - from, i, j, x);
    }
    SYNC;
    return 3u - from;
}
#endif

void store(Arguments a, uint matrix, uint e, REAL x)
{
    uint to;
    ELEMENT_NUMBER(to, a.result, matrix * n * n + e)
    Element(element_address(a.result.address, to, SIZE)).value = bits_of(x);
}

#ifndef SQUARE
// e^A of a matrix with a NaN or an infinity.
void store_special(Arguments a, uint matrix, uint base)
{
    for (uint e = gl_LocalInvocationID.x; e < n * n; e += gl_WorkGroupSize.x) {
        REAL x = quiet_nan();
        WORD bits = load(a, base, 0u, 0u);
        if (n == 1u && magnitude_of(bits) == bits_of(infinity(false)))
            x = HIGH(bits) >> 31 != 0u ? ZERO : infinity(false);
        store(a, matrix, e, x);
    }
}
#endif

void main()
{
    Arguments a = Arguments(push.arguments);
    n = a.n;
    row_stride = a.row_stride;
    column_stride = a.column_stride;
    flush = a.flush;
    matrices = a.matrix;
    from_address = a.batch.address;
    uint matrix = group_index(), id = gl_LocalInvocationID.x;
    if (matrix >= a.count)
        return;
#ifndef SQUARE
    uint base = matrix_base(a, matrix), degree;
    int squarings;
    REAL norm = norm_of(a, base);
    bool special = bits_of(norm) == bits_of(infinity(false));
    if (special)
        store_special(a, matrix, base);
    choose(special ? ZERO : norm, degree, squarings);
    uint from = evaluate(a, base, degree, squarings);
#endif
#ifdef EVALUATE
    if (id == 0u) {
#ifdef WIDE // SQUARE evaluates the polynomial
        uint by_tiles = special ? 0u : min(uint(squarings), a.tiled);
        State(a.steps).value[2u * matrix] = special ? 0u : degree;
        State(a.steps).value[2u * matrix + 1u] = by_tiles;
        squarings -= int(by_tiles);
        from = 1u + (degree + by_tiles & 1u);
#endif
        State(a.state).value[2u * matrix] = special ? DONE : uint(squarings);
        State(a.state).value[2u * matrix + 1u] = from;
    }
#else
#ifdef SQUARE
    uint left = State(a.state).value[2u * matrix], from = State(a.state).value[2u * matrix + 1u];
    if (left == DONE)
        return;
    uint now = min(left, a.chunk);
    left -= now;
    SYNC; // all have read the state
#else
    uint now = uint(squarings), left = special ? DONE : 0u;
#endif
    for (uint k = 0u; k < now; k++)
        from = squared(a, from);
#ifdef SQUARE
    if (id == 0u) {
        State(a.state).value[2u * matrix] = left == 0u ? DONE : left;
        State(a.state).value[2u * matrix + 1u] = from;
    }
#endif
    if (left == 0u)
        for (uint e = id; e < n * n; e += gl_WorkGroupSize.x)
            store(a, matrix, e, GET(from, e / n, e % n));
#endif
}
#endif

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// logdet and slogdet: LU with partial pivoting (Golub and Van Loan, Matrix Computations, algorithm 3.4.1), then the
// determinant of U with the parity of the row exchanges.
//
// SMALL   one workgroup per matrix, in shared memory, right-looking.
// Larger matrices are factored in blocks, in a row-major scratch copy, with PANEL, SOLVE and UPDATE for each
// panel of columns [k, k + width):
// COPY    view -> scratch                        one element per invocation
// PANEL   factors rows k… of the panel           one workgroup per matrix
// SOLVE   exchanges rows right of the panel and solves with its unit lower triangle: one column per invocation
// UPDATE  subtracts L21 U12 from the rest        one element per invocation
// FINISH  determinant from the diagonal          one matrix per invocation
//
// Every element of the rest sees its updates one at a time in the order of the columns, so all paths round alike:
// recursive summation, h = n - 1. Elimination goes on below a zero pivot with multipliers of 0, as LAPACK's does, so
// that a NaN anywhere reaches a pivot: each row that is not exchanged upwards before the NaN's column is subtracted
// 0 * NaN.
//! variant small_float32 -DSMALL -DSTRIDE=48
//! variant small_float64 -DSMALL -DSTRIDE=32 -DFLOAT64
//! variant copy_float32 -DCOPY
//! variant copy_float64 -DCOPY -DFLOAT64
//! variant panel_float32 -DPANEL
//! variant panel_float64 -DPANEL -DFLOAT64
//! variant solve_float32 -DSOLVE
//! variant solve_float64 -DSOLVE -DFLOAT64
//! variant update_float32 -DUPDATE
//! variant update_float64 -DUPDATE -DFLOAT64
//! variant finish_float32 -DFINISH
//! variant finish_float64 -DFINISH -DFLOAT64
//! wide
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"
#ifdef FLOAT64
#include "log64.glsl"
#else
#include "log32.glsl"
#endif
#include "determinant.glsl"

layout(buffer_reference, std430, buffer_reference_align = SIZE) buffer Element { WORD value; };
layout(buffer_reference, std430, buffer_reference_align = SIZE) coherent buffer Matrix { WORD value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Pivots { uint row[]; };

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    View batch;     // first element of each matrix
    View sign;      // outputs, one element per matrix; sign only where `signed`
    View logarithm;
    uvec2 matrix, pivots; // scratch: count * n * n elements, count * n row numbers
    uint row_stride, column_stride;
    uint n, count, k, width;
    uint flush;  // 1: subnormals are flushed to zero
    uint signed; // 1: slogdet
};

// Copies of arguments, read once: a CPU driver reads data behind an address again for each use.
uint n, row_stride, column_stride, flush;
uvec2 matrices, pivot_rows, from_address;

void take(Arguments a)
{
    n = a.n;
    row_stride = a.row_stride;
    column_stride = a.column_stride;
    flush = a.flush;
    matrices = a.matrix;
    pivot_rows = a.pivots;
    from_address = a.batch.address;
}

WORD load(Arguments a, uint base, uint i, uint j)
{
    WORD bits = WORD(Element(element_address(from_address, base + i * row_stride + j * column_stride, SIZE)).value);
    return n > 1u ? flushed(bits, flush) : bits; // one element is its own pivot: no arithmetic can flush it
}

uint matrix_base(Arguments a, uint matrix)
{
    uint base;
    ELEMENT_NUMBER(base, a.batch, matrix)
    return base;
}

void store(Arguments a, uint matrix, Determinant d)
{
    uint to;
    REAL sign = determinant_sign(d), logarithm = determinant_log(d);
    if (a.signed != 0u) {
        ELEMENT_NUMBER(to, a.sign, matrix)
        Element(element_address(a.sign.address, to, SIZE)).value = bits_of(sign);
    }
    else if (sign < ZERO)
        logarithm = quiet_nan();
    ELEMENT_NUMBER(to, a.logarithm, matrix)
    Element(element_address(a.logarithm.address, to, SIZE)).value = bits_of(logarithm);
}

bool preferred(WORD candidate, WORD best) // the first of equal pivots
{
    return exceeds(candidate, best);
}

REAL quotient(REAL a, REAL pivot, bool vanished)
{
    EXACT REAL q = a / pivot;
    return vanished ? ZERO : q;
}

REAL eliminated(REAL a, REAL l, REAL u)
{
    EXACT REAL product = l * u;
    EXACT REAL difference = a - product;
    return difference;
}

#if defined WIDE && !defined COPY
#include "logdet_wide.glsl"
#elif defined SMALL
shared REAL A[STRIDE * STRIDE];

uint pivot_row(uint n, uint k) // every invocation finds the same one
{
    uint row = k;
    WORD best = magnitude_of(bits_of(A[k * STRIDE + k]));
    for (uint i = k + 1u; i < n; i++) {
        WORD candidate = magnitude_of(bits_of(A[i * STRIDE + k]));
        if (preferred(candidate, best)) {
            best = candidate;
            row = i;
        }
    }
    return row;
}

void eliminate(uint n, uint k, bool vanished)
{
    uint rest = n - k - 1u, id = gl_LocalInvocationID.x;
    REAL pivot = A[k * STRIDE + k];
    for (uint i = id; i < rest; i += gl_WorkGroupSize.x)
        A[(k + 1u + i) * STRIDE + k] = quotient(A[(k + 1u + i) * STRIDE + k], pivot, vanished);
    barrier();
    for (uint e = id; e < rest * rest; e += gl_WorkGroupSize.x) {
        uint i = k + 1u + e / rest, j = k + 1u + e % rest;
        A[i * STRIDE + j] = eliminated(A[i * STRIDE + j], A[i * STRIDE + k], A[k * STRIDE + j]);
    }
    barrier();
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = group_index(), id = gl_LocalInvocationID.x, exchanges = 0u;
    if (matrix >= a.count)
        return;
    uint base = matrix_base(a, matrix);
    for (uint e = id; e < n * n; e += gl_WorkGroupSize.x)
        A[e / n * STRIDE + e % n] = real_of(load(a, base, e / n, e % n));
    barrier();
    for (uint k = 0u; k < n; k++) {
        uint row = pivot_row(n, k);
        WORD best = magnitude_of(bits_of(A[row * STRIDE + k]));
        bool vanished = is_zero(best) || (flush != 0u && is_subnormal_or_zero(best));
        barrier(); // all have searched before any row moves
        if (row != k) {
            exchanges ^= 1u;
            for (uint j = id; j < n; j += gl_WorkGroupSize.x) {
                REAL held = A[k * STRIDE + j];
                A[k * STRIDE + j] = A[row * STRIDE + j];
                A[row * STRIDE + j] = held;
            }
        }
        barrier();
        eliminate(n, k, vanished);
    }
    if (id != 0u)
        return;
    Determinant d = determinant_one();
    for (uint k = 0u; k < n; k++) {
        REAL pivot = real_of(n > 1u ? flushed(bits_of(A[k * STRIDE + k]), flush) : load(a, base, 0u, 0u));
        determinant_multiply(d, pivot);
    }
    d.negative ^= exchanges;
    store(a, matrix, d);
}

#elif defined COPY
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint e = invocation_index(), size = n * n;
    if (e >= a.count * size)
        return;
    uint within = e % size;
    Matrix(matrices).value[e] = load(a, matrix_base(a, e / size), within / n, within % n);
}

#elif defined PANEL
layout(constant_id = 1) const uint THREADS = 128; // = local size: length of the reduction's arrays
shared WORD best[THREADS];
shared uint best_row[THREADS];

#define AT(i, j) Matrix(matrices).value[base + (i) * n + (j)]

// Returns the row of the pivot of column c, found by all invocations together; the first of equal pivots, as in
// SMALL.
uint pivot_row(Arguments a, uint base, uint c)
{
    uint id = gl_LocalInvocationID.x;
    WORD mine = WORD(0u);
    uint row = 0xffffffffu; // no row yet
    for (uint i = c + id; i < n; i += THREADS) {
        WORD candidate = magnitude_of(AT(i, c));
        if (row == 0xffffffffu || preferred(candidate, mine)) {
            mine = candidate;
            row = i;
        }
    }
    best[id] = mine;
    best_row[id] = row;
    barrier();
    [[dont_unroll]] for (uint span = THREADS / 2u; span > 0u; span /= 2u) {
        if (id < span && best_row[id + span] != 0xffffffffu) {
            bool more = exceeds(best[id + span], best[id]), equal = best[id + span] == best[id];
            bool other = best_row[id + span] < best_row[id];
            if (more || (equal && other) || best_row[id] == 0xffffffffu) {
                best[id] = best[id + span];
                best_row[id] = best_row[id + span];
            }
        }
        barrier();
    }
    row = best_row[0];
    barrier(); // all have read before the next column overwrites
    return row;
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = group_index(), id = gl_LocalInvocationID.x, end = a.k + a.width;
    if (matrix >= a.count)
        return;
    uint base = matrix * n * n;
    for (uint c = a.k; c < end; c++) {
        uint row = pivot_row(a, base, c);
        if (id == 0u)
            Pivots(pivot_rows).row[matrix * n + c] = row;
        if (row != c)
            for (uint j = a.k + id; j < end; j += THREADS) {
                WORD held = AT(c, j);
                AT(c, j) = AT(row, j);
                AT(row, j) = held;
            }
        memoryBarrierBuffer();
        barrier();
        WORD magnitude = magnitude_of(AT(c, c));
        bool vanished = is_zero(magnitude) || (flush != 0u && is_subnormal_or_zero(magnitude));
        REAL pivot = real_of(AT(c, c));
        for (uint i = c + 1u + id; i < n; i += THREADS) {
            REAL l = quotient(real_of(AT(i, c)), pivot, vanished);
            AT(i, c) = bits_of(l);
            for (uint j = c + 1u; j < end; j++)
                AT(i, j) = bits_of(eliminated(real_of(AT(i, j)), l, real_of(AT(c, j))));
        }
        memoryBarrierBuffer();
        barrier();
    }
}

#elif defined SOLVE
#define AT(i, j) Matrix(matrices).value[base + (i) * n + (j)]
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint end = a.k + a.width, columns = n - end, id = invocation_index();
    if (id >= a.count * columns)
        return;
    uint matrix = id / columns, j = end + id % columns, base = matrix * n * n;
    for (uint c = a.k; c < end; c++) {
        uint row = Pivots(pivot_rows).row[matrix * n + c];
        WORD held = AT(c, j);
        AT(c, j) = AT(row, j);
        AT(row, j) = held;
    }
    for (uint c = a.k; c < end; c++) {
        REAL u = real_of(AT(c, j));
        for (uint i = c + 1u; i < end; i++)
            AT(i, j) = bits_of(eliminated(real_of(AT(i, j)), real_of(AT(i, c)), u));
    }
}

#elif defined UPDATE
#define AT(i, j) Matrix(matrices).value[base + (i) * n + (j)]
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint end = a.k + a.width, rest = n - end, id = invocation_index();
    if (id >= a.count * rest * rest)
        return;
    uint matrix = id / (rest * rest), within = id % (rest * rest), base = matrix * n * n;
    uint i = end + within / rest, j = end + within % rest;
    REAL sum = real_of(AT(i, j));
    for (uint c = a.k; c < end; c++)
        sum = eliminated(sum, real_of(AT(i, c)), real_of(AT(c, j)));
    AT(i, j) = bits_of(sum);
}

#elif defined FINISH
void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = invocation_index();
    if (matrix >= a.count)
        return;
    Determinant d = determinant_one();
    uint exchanges = 0u;
    for (uint k = 0u; k < n; k++) {
        WORD bits = Matrix(matrices).value[matrix * n * n + k * n + k];
        REAL pivot = real_of(n > 1u ? flushed(bits, flush) : bits);
        determinant_multiply(d, pivot);
        if (Pivots(pivot_rows).row[matrix * n + k] != k)
            exchanges ^= 1u;
    }
    d.negative ^= exchanges;
    store(a, matrix, d);
}
#endif

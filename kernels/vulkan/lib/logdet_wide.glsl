// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// logdet and slogdet on route wide: the phases of ops/logdet.comp, which includes this file, with the same operations on
// each element in the same order, so that both routes have the same results.
//
// SMALL   invocations search for a pivot together, and lie in 16 columns
// PANEL   a panel of up to WIDTH columns lies in shared memory
// SOLVE   a column's part of the panel's rows lies in registers
// UPDATE  a tile of 32 x 32 elements for each workgroup of 256
// FINISH  one workgroup per matrix reads the diagonal
#define AT(i, j) Matrix(matrices).value[base + (i) * n + (j)]
const uint NONE = 0xffffffffu; // no row yet
const uint MOST = 8u;          // columns of a panel

#if defined SMALL || defined PANEL
shared WORD best[gl_WorkGroupSize.x];
shared uint best_row[gl_WorkGroupSize.x];

// Returns the row of the greatest of the first `count` invocations' pivots, `count` being a power of two; the first
// one of equal pivots. A row of NONE takes no part.
uint chosen_row(WORD mine, uint row, uint count)
{
    uint id = gl_LocalInvocationID.x;
    best[id] = mine;
    best_row[id] = row;
    barrier();
    [[dont_unroll]] for (uint span = count / 2u; span > 0u; span /= 2u) {
        if (id < span && best_row[id + span] != NONE) {
            bool more = exceeds(best[id + span], best[id]), equal = best[id + span] == best[id];
            bool other = best_row[id + span] < best_row[id];
            if (more || (equal && other) || best_row[id] == NONE) {
                best[id] = best[id + span];
                best_row[id] = best_row[id + span];
            }
        }
        barrier();
    }
    return best_row[0]; // a caller's barrier stands before the next search
}

bool vanishes(REAL pivot)
{
    WORD magnitude = magnitude_of(bits_of(pivot));
    return is_zero(magnitude) || (flush != 0u && is_subnormal_or_zero(magnitude));
}
#endif

#ifdef SMALL
const uint PITCH = STRIDE + 1u; // so that the elements of a column lie in different banks
shared REAL A[STRIDE * PITCH];

uint pivot_row(uint k, uint count)
{
    uint row = k + gl_LocalInvocationID.x;
    bool candidate = row < n && gl_LocalInvocationID.x < count;
    WORD mine = candidate ? magnitude_of(bits_of(A[row * PITCH + k])) : WORD(0u);
    return chosen_row(mine, candidate ? row : NONE, count);
}

void eliminate(uint k)
{
    uint id = gl_LocalInvocationID.x, across = 16u;
    REAL pivot = A[k * PITCH + k];
    bool vanished = vanishes(pivot);
    for (uint i = k + 1u + id; i < n; i += gl_WorkGroupSize.x)
        A[i * PITCH + k] = quotient(A[i * PITCH + k], pivot, vanished);
    barrier();
    for (uint i = k + 1u + id / across; i < n; i += gl_WorkGroupSize.x / across)
        for (uint j = k + 1u + id % across; j < n; j += across)
            A[i * PITCH + j] = eliminated(A[i * PITCH + j], A[i * PITCH + k], A[k * PITCH + j]);
    barrier();
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = group_index(), id = gl_LocalInvocationID.x, exchanges = 0u, count = n > 32u ? 64u : 32u;
    if (matrix >= a.count)
        return;
    uint base = matrix_base(a, matrix);
    for (uint e = id; e < n * n; e += gl_WorkGroupSize.x)
        A[e / n * PITCH + e % n] = real_of(load(a, base, e / n, e % n));
    barrier();
    for (uint k = 0u; k < n; k++) {
        uint row = pivot_row(k, count);
        if (row != k) {
            exchanges ^= 1u;
            for (uint j = id; j < n; j += gl_WorkGroupSize.x) {
                REAL held = A[k * PITCH + j];
                A[k * PITCH + j] = A[row * PITCH + j];
                A[row * PITCH + j] = held;
            }
        }
        barrier();
        eliminate(k);
    }
    if (id != 0u)
        return;
    Determinant d = determinant_one();
    for (uint k = 0u; k < n; k++) {
        REAL pivot = real_of(n > 1u ? flushed(bits_of(A[k * PITCH + k]), flush) : load(a, base, 0u, 0u));
        determinant_multiply(d, pivot);
    }
    d.negative ^= exchanges;
    store(a, matrix, d);
}

#elif defined PANEL
layout(constant_id = 1) const uint ROWS = 256u; // of the panel in shared memory, at least n
layout(constant_id = 2) const uint WIDTH = MOST;
shared REAL panel[WIDTH * ROWS]; // column by column

uint pivot_row(uint c, uint height)
{
    WORD mine = WORD(0u);
    uint row = NONE;
    for (uint i = c + gl_LocalInvocationID.x; i < height; i += gl_WorkGroupSize.x) {
        WORD candidate = magnitude_of(bits_of(panel[c * ROWS + i]));
        if (row == NONE || preferred(candidate, mine)) {
            mine = candidate;
            row = i;
        }
    }
    return chosen_row(mine, row, gl_WorkGroupSize.x);
}

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = group_index(), id = gl_LocalInvocationID.x, k = a.k, width = a.width, height = n - k;
    if (matrix >= a.count)
        return;
    uint base = matrix * n * n;
    for (uint e = id; e < height * width; e += gl_WorkGroupSize.x)
        panel[e % width * ROWS + e / width] = real_of(AT(k + e / width, k + e % width));
    barrier();
    for (uint c = 0u; c < width; c++) {
        uint row = pivot_row(c, height);
        if (id == 0u)
            Pivots(pivot_rows).row[matrix * n + k + c] = k + row;
        if (row != c && id < width) {
            REAL held = panel[id * ROWS + c];
            panel[id * ROWS + c] = panel[id * ROWS + row];
            panel[id * ROWS + row] = held;
        }
        barrier();
        REAL pivot = panel[c * ROWS + c];
        bool vanished = vanishes(pivot);
        for (uint i = c + 1u + id; i < height; i += gl_WorkGroupSize.x) {
            REAL l = quotient(panel[c * ROWS + i], pivot, vanished);
            panel[c * ROWS + i] = l;
            for (uint j = c + 1u; j < width; j++)
                panel[j * ROWS + i] = eliminated(panel[j * ROWS + i], l, panel[j * ROWS + c]);
        }
        // The next search reads what the same invocation has written, and has barriers before rows are exchanged.
    }
    barrier();
    for (uint e = id; e < height * width; e += gl_WorkGroupSize.x)
        AT(k + e / width, k + e % width) = bits_of(panel[e % width * ROWS + e / width]);
}

#elif defined SOLVE
shared REAL lower[MOST * MOST];

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint k = a.k, width = a.width, end = k + width, id = gl_LocalInvocationID.x;
    uint across = (n - end + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x; // workgroups for a matrix
    uint matrix = group_index() / across, base = matrix * n * n;
    uint j = end + group_index() % across * gl_WorkGroupSize.x + id;
    if (matrix >= a.count)
        return;
    for (uint e = id; e < width * width; e += gl_WorkGroupSize.x)
        lower[e / width * MOST + e % width] = real_of(AT(k + e / width, k + e % width));
    barrier();
    if (j >= n)
        return;
    for (uint c = k; c < end; c++) {
        uint row = Pivots(pivot_rows).row[matrix * n + c];
        WORD held = AT(c, j);
        AT(c, j) = AT(row, j);
        AT(row, j) = held;
    }
    REAL u[MOST];
    [[unroll]] for (uint c = 0u; c < MOST; c++) {
        u[c] = ZERO;
        if (c < width)
            u[c] = real_of(AT(k + c, j));
    }
    [[unroll]] for (uint c = 0u; c < MOST; c++)
        [[unroll]] for (uint i = c + 1u; i < MOST; i++)
            if (i < width)
                u[i] = eliminated(u[i], lower[i * MOST + c], u[c]);
    [[unroll]] for (uint c = 0u; c < MOST; c++)
        if (c < width)
            AT(k + c, j) = bits_of(u[c]);
}

#elif defined UPDATE
const uint SIDE = 32u, PITCH = MOST + 1u; // of a tile
shared REAL rows[SIDE * PITCH], columns[MOST * SIDE];

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint k = a.k, width = a.width, end = k + width, id = gl_LocalInvocationID.x;
    uint across = (n - end + SIDE - 1u) / SIDE, matrix = group_index() / (across * across), base = matrix * n * n;
    uint tile = group_index() % (across * across), top = end + tile / across * SIDE, left = end + tile % across * SIDE;
    if (matrix >= a.count)
        return;
    for (uint e = id; e < SIDE * MOST; e += gl_WorkGroupSize.x) {
        uint i = top + e / MOST, c = e % MOST, j = left + e % SIDE, r = e / SIDE;
        if (i < n && c < width)
            rows[e / MOST * PITCH + c] = real_of(AT(i, k + c));
        if (j < n && r < width)
            columns[r * SIDE + e % SIDE] = real_of(AT(k + r, j));
    }
    barrier();
    for (uint e = id; e < SIDE * SIDE; e += gl_WorkGroupSize.x) {
        uint i = e / SIDE, j = e % SIDE;
        if (top + i < n && left + j < n) {
            REAL sum = real_of(AT(top + i, left + j));
            for (uint c = 0u; c < width; c++)
                sum = eliminated(sum, rows[i * PITCH + c], columns[c * SIDE + j]);
            AT(top + i, left + j) = bits_of(sum);
        }
    }
}

#elif defined FINISH
shared WORD diagonal[gl_WorkGroupSize.x];
shared uint exchanged[gl_WorkGroupSize.x];

void main()
{
    Arguments a = Arguments(push.arguments);
    take(a);
    uint matrix = group_index(), id = gl_LocalInvocationID.x, exchanges = 0u;
    if (matrix >= a.count)
        return;
    Determinant d = determinant_one();
    for (uint first = 0u; first < n; first += gl_WorkGroupSize.x) {
        uint k = first + id;
        if (k < n) {
            diagonal[id] = Matrix(matrices).value[matrix * n * n + k * n + k];
            exchanged[id] = Pivots(pivot_rows).row[matrix * n + k] != k ? 1u : 0u;
        }
        barrier();
        for (uint t = 0u; t < min(gl_WorkGroupSize.x, n - first) && id == 0u; t++) {
            determinant_multiply(d, real_of(n > 1u ? flushed(diagonal[t], flush) : diagonal[t]));
            exchanges ^= exchanged[t];
        }
        barrier();
    }
    d.negative ^= exchanges;
    if (id == 0u)
        store(a, matrix, d);
}
#endif

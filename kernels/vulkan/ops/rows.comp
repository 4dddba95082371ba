// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Row reductions and row maps: the passes and ends of lib/rows.inc, each with its TERM.
//
// A pass divides every row into parts of `chunk` elements, one per workgroup: every invocation joins each 64th
// element, and a tree joins the invocations. A second dispatch joins the parts in the same way. Short rows are
// computed by one invocation each, in their order. On route wide (WIDE) the elements of a row lie one behind the
// other, and invocations take every 64th or 256th vector of 16 bytes; or they lie apart, as in columns, and
// neighbouring invocations take neighbouring rows. A state is two words, whatever it holds: llvmpipe (Mesa
// 22.3) corrupts a float64 that is live across a loop.
//! rows rows.inc LEAD SUM PAIRS POWERS FACTOR COUNT WORD_END REAL_END WHOLE_END BOOL_END MAP PAIR_MAP : float16 -DFLOAT16
//! rows rows.inc LEAD SUM PAIRS POWERS FACTOR COUNT WORD_END REAL_END WHOLE_END BOOL_END MAP PAIR_MAP : bfloat16 -DBFLOAT16
//! rows rows.inc LEAD SUM PAIRS POWERS FACTOR COUNT WORD_END REAL_END WHOLE_END BOOL_END MAP PAIR_MAP : float32 -DFLOAT32
//! rows rows.inc LEAD SUM PAIRS POWERS FACTOR COUNT WORD_END REAL_END WHOLE_END BOOL_END MAP PAIR_MAP : float64 -DFLOAT64
//! rows rows.inc LEAD FACTOR ADD COUNT WORD_END WHOLE_END BOOL_END : int32 -DINT32
//! rows rows.inc LEAD FACTOR ADD COUNT WORD_END WHOLE_END BOOL_END : int64 -DINT64
//! wide LEAD SUM POWERS ADD COUNT MAP
#version 460
#extension GL_GOOGLE_include_directive : require
#include "operands.glsl"
#include "rows.glsl"
#ifdef WIDE
#if defined LEAD || defined ADD || defined COUNT
#define WORDS_ALONE
#endif
#include "vectors.glsl"
const uint AHEAD = UNROLLED ? 8u : 1u;
#endif

#if defined PAIRS
#define SUM
#endif
#if defined PAIR_MAP
#define MAP
#endif
#if defined FACTOR && defined REAL_TYPE
#define SUM // the terms are those of a sum; they are joined by multiplication
#endif
#if defined LEAD || defined SUM || defined POWERS || defined ADD || defined FACTOR || defined COUNT
#define PASS
#endif

#ifdef PASS
#if defined LEAD
uvec2 joined(uvec2 p, uvec2 q, bool parts)
{
    WORD a = word_of(p), b = word_of(q);
    return state_of(TERM);
}
#elif defined ONLINE
uvec2 joined(uvec2 p, uvec2 q, bool parts)
{
    float a = uintBitsToFloat(p.x), b = uintBitsToFloat(q.x), most = is_nan(a) || a >= b ? a : b;
    EXACT float left = uintBitsToFloat(p.y) * exp_of(a - most);
    EXACT float right = uintBitsToFloat(q.y) * exp_of(b - most);
    EXACT float sum = left + right;
    return uvec2(floatBitsToUint(most), floatBitsToUint(sum));
}
#elif defined FACTOR && defined REAL_TYPE
uvec2 joined(uvec2 p, uvec2 q, bool parts)
{
    EXACT REAL product = real_in(p) * real_in(q);
    return state_in(product);
}
#elif defined FACTOR
uvec2 joined(uvec2 p, uvec2 q, bool parts) { return product_of_pairs(p, q); }
#elif defined SUM || defined POWERS
uvec2 joined(uvec2 p, uvec2 q, bool parts)
{
    EXACT REAL sum = real_in(p) + real_in(q);
    return state_in(sum);
}
#else
uvec2 joined(uvec2 p, uvec2 q, bool parts) { return sum_of_pairs(p, q); }
#endif

// The data that all terms of a row share. Numbers are held as words: see above.
struct Row {
    uint number, base;
    bool parts; // terms are states, which lie
    uvec2 from; // there
    uvec2 first, second, count;
};

#ifdef PAIRS
uvec2 term_of(Row row, REAL x, REAL y)
#elif defined SUM || defined POWERS
uvec2 term_of(Row row, REAL x)
#else
uvec2 term_of(Row row, WORD x)
#endif
{
#if defined LEAD
    return state_of(x);
#elif defined SUM || defined POWERS
    REAL l0 = lead_in(row.first), s0 = real_in(row.first);
    REAL n = parameter(row.count), s1 = real_in(row.second);
    EXACT REAL term = TERM;
#ifdef ONLINE
    return uvec2(floatBitsToUint(term), floatBitsToUint(is_nan(term) ? term : 1.0));
#elif defined POWERS
    return state_in(exp_of(term));
#else
    return state_in(term);
#endif
#elif defined ADD || defined FACTOR
    return dd_of(TERM);
#else
    return uvec2(TERM ? 1u : 0u, 0u);
#endif
}

uvec2 term_at(Arguments a, Row row, uint i)
{
    if (row.parts)
        return State(element_address(row.from, row.number * more + i, 8u)).value;
    uint at;
    LINE_NUMBER(at, line[1], a.reduced, i)
    at += row.base;
#if defined PAIRS
    uint beside, inside;
    LINE_NUMBER(inside, line[3], a.other_reduced, i)
    LINE_NUMBER(beside, line[2], a.other_kept, row.number)
    REAL y = element_read(line[2].address, beside + inside);
    return term_of(row, element_read(line[0].address, at), y);
#elif defined SUM || defined POWERS
    return term_of(row, element_read(line[0].address, at));
#else
    return term_of(row, WORD(Element(element_address(line[0].address, at, ELEMENT_SIZE)).value));
#endif
}

#ifdef WIDE
// Joins the terms of the vectors of elements that this invocation takes from `first` to `end`, a multiple of a
// vector. The elements of a row lie one behind the other.
uvec2 joined_vectors(Row row, uvec2 mine, uint first, uint end)
{
    for (uint i = first + gl_LocalInvocationID.x * VECTOR; i < end; i += gl_WorkGroupSize.x * VECTOR) {
        uint count = min(end - i, VECTOR);
        uvec4 xs = vector_read(line[0].address, row.base + i, 1u, ELEMENT_SIZE, count);
        [[unroll]] for (uint k = 0u; k < LANES; k++) {
            uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
#if defined SUM || defined POWERS
            uvec2 term = term_of(row, REAL_OF(bits));
#else
            uvec2 term = term_of(row, WORD_OF(bits));
#endif
            if (k < count)
                mine = joined(mine, term, false);
        }
    }
    return mine;
}
#endif

shared uvec2 gathered[gl_WorkGroupSize.x];

void main()
{
    Arguments a = Arguments(push.arguments);
    bool alone = a.alone != 0u, parts = a.joins != 0u;
    uint group = alone ? invocation_index() : group_index(), id = alone ? 0u : gl_LocalInvocationID.x;
    uint count = a.parts, chunk = a.chunk, step = alone ? 1u : gl_WorkGroupSize.x;
#ifdef WIDE
    if (alone) { // neighbouring invocations take the same terms of neighbouring rows
        if (group >= elements * count)
            return;
        group = group % elements * count + group / elements;
    }
#endif
    uint first = group % count * chunk, end = min(more, first + chunk);
    Row row = Row(group / count, 0u, parts, a.from, uvec2(0u), uvec2(0u), a.count);
    bool inside = row.number < elements;
    uvec2 mine = uvec2(0u);
#ifdef ONLINE
    mine.x = floatBitsToUint(-1e38);
#endif
#ifdef FACTOR
    mine = one_state();
#endif
    if (inside) {
        row.first = State(element_address(a.statistic[0], row.number, 8u)).value;
#if defined SUM || defined POWERS
        row.second = State(element_address(a.statistic[1], row.number, 8u)).value;
#endif
        LINE_NUMBER(row.base, line[0], a.kept, row.number)
#ifdef LEAD
        if (more > 0u)
            mine = term_at(a, row, first);
#ifdef REAL_TYPE
        else // logsumexp of nothing is that of an infinity
            mine = state_of(infinite_bits());
#endif
#endif
#ifdef WIDE
        if (!alone) {
            mine = joined_vectors(row, mine, first, end);
            end = 0u;
        }
#endif
        uint i = first + id;
#ifdef WIDE
        for (; alone && i + AHEAD <= end; i += AHEAD) { // several reads are under way at a time
            uvec2 term[AHEAD];
            [[unroll]] for (uint k = 0u; k < AHEAD; k++)
                term[k] = term_at(a, row, i + k);
            [[unroll]] for (uint k = 0u; k < AHEAD; k++)
                mine = joined(mine, term[k], false);
        }
#endif
        for (; i < end; i += step)
            mine = joined(mine, term_at(a, row, i), parts);
    }
    if (!alone) {
        gathered[id] = mine;
        barrier();
        [[dont_unroll]] for (uint half_way = gl_WorkGroupSize.x / 2u; half_way > 0u; half_way /= 2u) {
            if (id < half_way)
                gathered[id] = joined(gathered[id], gathered[id + half_way], parts);
            barrier();
        }
        mine = gathered[id];
    }
#ifdef ONLINE // in the end the greatest is what is taken off each element, and its exponent 0, if any is
    if (count == 1u)
        mine = state_in(is_nan(uintBitsToFloat(mine.x)) ? uintBitsToFloat(mine.x)
                                                        : uintBitsToFloat(mine.y) * exp_of(uintBitsToFloat(mine.x)));
#endif
    if (inside && id == 0u)
        State(element_address(a.to, group, 8u)).value = mine;
}
#elif defined WIDE
// A map of rows that are whole vectors, whose elements lie one behind the other.
void main()
{
    Arguments a = Arguments(push.arguments);
    uint at = invocation_index() * VECTOR, from, to;
    if (at >= elements * more)
        return;
    uint row = at / more, term = at % more;
    LINE_NUMBER(from, line[0], a.kept, row)
    LINE_NUMBER(to, line[2], a.result, row)
    uvec2 first = State(element_address(a.statistic[0], row, 8u)).value;
    uvec2 second = State(element_address(a.statistic[1], row, 8u)).value;
    uvec4 results = uvec4(0u), xs = vector_read(line[0].address, from + term, 1u, ELEMENT_SIZE, VECTOR);
    [[unroll]] for (uint k = 0u; k < LANES; k++) {
        uvec2 bits = vector_take(xs, k, ELEMENT_SIZE);
        REAL l0 = lead_in(first), s0 = real_in(first), s1 = real_in(second), n = parameter(a.count);
        REAL x = REAL_OF(bits);
        EXACT REAL result = TERM;
        vector_put(results, k, BITS_OF(result), ELEMENT_SIZE);
    }
    vector_write(line[2].address, to + term, ELEMENT_SIZE, VECTOR, results);
}
#else
void main()
{
    Arguments a = Arguments(push.arguments);
    uint i = invocation_index(), to;
#ifdef MAP
    if (i >= elements * more)
        return;
    uint row = i / more, term = i % more, from, of_row, of_term;
    LINE_NUMBER(of_row, line[0], a.kept, row)
    LINE_NUMBER(of_term, line[1], a.reduced, term)
    from = of_row + of_term;
#ifdef PAIR_MAP
    uint other;
    ELEMENT_NUMBER(of_row, a.other_kept, row)
    ELEMENT_NUMBER(of_term, a.other_reduced, term)
    other = of_row + of_term;
#endif
    LINE_NUMBER(of_row, line[2], a.result, row)
    LINE_NUMBER(of_term, line[3], a.result_terms, term)
    to = of_row + of_term;
#else
    uint row = i;
    if (row >= elements)
        return;
    LINE_NUMBER(to, line[2], a.result, row)
#endif
    uvec2 first = State(element_address(a.statistic[0], row, 8u)).value;
    uvec2 second = State(element_address(a.statistic[1], row, 8u)).value;
#if defined WORD_END
    WORD s0 = word_of(first);
    put_word(line[2].address, to, TERM);
#elif defined WHOLE_END || defined BOOL_END
    uvec2 s0 = first;
#ifdef BOOL_END
    Bool(element_address(line[2].address, to, 1u)).value = uint8_t(TERM ? 1 : 0);
#else
    Whole(element_address(line[2].address, to, 8u)).value = TERM;
#endif
#else
    REAL l0 = lead_in(first), s0 = real_in(first), s1 = real_in(second), n = parameter(a.count);
#ifdef MAP
    REAL x = element_read(line[0].address, from);
#endif
#ifdef PAIR_MAP
    REAL y = element_read(a.other_kept.address, other);
#endif
    EXACT REAL result = TERM;
    element_write(line[2].address, to, result);
#endif
}
#endif

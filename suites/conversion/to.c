/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* to: every ordered pair of dtypes. Each pair has edges (special values, the ends of the ranges of integers,
 * of narrow formats and of subnormals, halves, each with its neighbours); values over all exponents or bit
 * lengths; midpoints of the target; every pattern of a 16-bit source; and, at level exhaustive, of float32 to
 * the 16-bit floats. Also layouts in turn, and conversions there and back. */

#include "suites/shared/data.h"
#include "suites/shared/midpoints.h"

#include <math.h>

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    WHOLE = 1 << DTYPE_INT8 | 1 << DTYPE_UINT8 | 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    EACH = FLOATS | WHOLE | 1 << DTYPE_BOOL,
    VALUES = 600,
    TO_SHIFT = 8, /* parameter of a case: layout | target << TO_SHIFT | block of patterns << BLOCK_SHIFT */
    BLOCK_SHIFT = 16
};

static enum dtype target_of(const struct builder *b)
{
    return (enum dtype)(b->c->parameter >> TO_SHIFT & 0xff);
}

static enum layout layout_of(const struct builder *b)
{
    return (enum layout)(b->c->parameter & ((1 << TO_SHIFT) - 1));
}

static struct attributes into(enum dtype to)
{
    return (struct attributes){
        .count = 1,
        .item = {{.name = "dtype", .type = ATTRIBUTE_CHOICE, .integer = to, .word = dtype_info(to)->name}}};
}

static struct view convert(struct builder *b, const struct view *x, enum dtype to)
{
    struct attributes attributes = into(to);
    struct step *step = build_step(b, b->c->op, &attributes, 1, x);
    return step ? step->output[0] : *x;
}

/* The greatest edge for a target. Integer targets leave results out of range undefined, so edges end just
 * beyond their range. */
static double most_of(enum dtype to)
{
    return (WHOLE >> to & 1) ? ldexp(1, 8 * (int)dtype_info(to)->size + 1) : INFINITY;
}

/* --- edges */

static const double edges[] = {0,
                               0.25,
                               0.5,
                               0.75,
                               1,
                               1.5,
                               2.5,
                               3.5,
                               126.5,
                               127,
                               127.5,
                               128,
                               128.5,
                               129,
                               254.5,
                               255,
                               255.5,
                               256,
                               257,
                               2048,
                               2049,
                               32767.5,
                               65504,
                               65519,
                               65520,
                               65536,
                               0x1p24,
                               0x1p24 + 1,
                               0x1p31 - 1,
                               0x1p31,
                               0x1p31 + 1,
                               0x1p32,
                               0x1p53,
                               0x1p62,
                               0x1p63,
                               0x1p-14,
                               0x1p-24,
                               0x1p-25,
                               0x1.8p-24,
                               0x1p-126,
                               0x1p-133,
                               0x1p-134,
                               0x1.8p-133,
                               0x1p-149,
                               0x1p-150,
                               0x1.FEp127,
                               0x1.FFp127,
                               0x1.FFFFFEp127,
                               0x1.FFFFFFp127,
                               0x1p128,
                               0x1.8p-149};
enum { EDGES = sizeof edges / sizeof *edges };

/* Fills `bits` with the edges that the source can hold and their neighbours, of both signs. */
static int float_edges(enum dtype from, enum dtype to, uint64_t *bits)
{
    int count = special_bits(from, bits);
    for (int e = 0; e < EDGES; e++) {
        unsigned char bytes[8];
        dtype_store(from, bytes, edges[e]);
        if (edges[e] > most_of(to) || isinf(dtype_load(from, bytes))) {
            continue;
        }
        /* the pattern below +0 would be a NaN: 0 has no neighbour on that side */
        for (int k = 0; k < 6; k++) {
            uint64_t beside = dtype_bits(from, bytes) + (uint64_t)(k / 2) - (edges[e] > 0);
            bits[count++] = beside | (k % 2 ? format_of(from).sign : 0);
        }
    }
    return count;
}

static int whole_edges(enum dtype from, uint64_t *bits)
{
    static const int64_t about[] = {
        0,          127,        255,       2048,      65504,     65520, 0x1000000,
        0x7FFFFFFF, 0xFFFFFFFF, 1LL << 53, 1LL << 54, INT64_MAX, 256,   1LL << 24 | 1LL << 40};
    int count = 0;
    for (size_t a = 0; a < sizeof about / sizeof *about; a++) {
        for (int k = 0; k < 6; k++) {
            uint64_t x = (uint64_t)about[a] + (uint64_t)(k / 2) - 1;
            x = k % 2 ? 0 - x : x;
            bits[count++] = from == DTYPE_BOOL ? x & 1 : x;
        }
    }
    return count;
}

static void build_edges(struct builder *b)
{
    enum dtype from = b->c->dtype, to = target_of(b);
    uint64_t bits[SPECIALS_MAX + 6 * EDGES];
    int count = dtype_is_floating(from) ? float_edges(from, to, bits) : whole_edges(from, bits);
    struct view x = build_vector(b, from, count);
    for (int i = 0; i < count; i++) {
        build_set_bits(b, &x, i, 0, bits[i]);
    }
    convert(b, &x, to);
}

/* --- values */

static uint64_t value_bits(struct philox *generator, enum dtype from, enum dtype to, int64_t i)
{
    if (from == DTYPE_BOOL) {
        return philox_below(generator, 2);
    }
    if (!dtype_is_floating(from)) { /* integers of every bit length */
        uint64_t word = philox_next64(generator);
        if (to == DTYPE_BOOL) { /* a third are zero, others have zero low bits */
            return i % 3 == 0 ? 0 : word << (i / 3 % (8 * (int64_t)dtype_info(from)->size));
        }
        return dtype_info(from)->size < 8 ? data_any_exponent(generator, from, i)
                                          : (uint64_t)((int64_t)word >> (i % 63));
    }
    int emax = dtype_info(from)->emax, end = 8 * (int)dtype_info(to)->size - 2;
    if (WHOLE >> to & 1) { /* in range, with digits after the binary point */
        uint64_t bits = data_between(generator, from, -2, end < emax ? end : emax);
        return to == DTYPE_UINT8 ? bits & ~format_of(from).sign : bits;
    }
    return to == DTYPE_BOOL && i % 4 == 0 ? 0 : data_any_exponent(generator, from, i);
}

static void fill(struct builder *b, const struct view *x, enum dtype to)
{
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(b, x, i, 0, value_bits(&generator, x->dtype, to, i));
    }
}

static void build_values(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, VALUES);
    fill(b, &x, target_of(b));
    convert(b, &x, target_of(b));
}

static void build_midpoints(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)20, (int64_t)VALUES / 20);
    struct view x = build_tensor(b, b->c->dtype, &shape, layout_of(b));
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < VALUES; i++) {
        build_set_bits(b, &x, i, 0, midpoint_bits(&generator, x.dtype, target_of(b), i));
    }
    convert(b, &x, target_of(b));
}

/* Every pattern of a 16-bit source. Results out of the range of an integer target are undefined. */
static void build_all_patterns(struct builder *b)
{
    struct view x = data_pattern_vector(b, 0, 65536);
    convert(b, &x, target_of(b));
}

static void build_layout(struct builder *b)
{
    struct shape shape = shape_of(3, (int64_t)5, (int64_t)7, (int64_t)6);
    struct view x = build_tensor(b, b->c->dtype, &shape, layout_of(b));
    fill(b, &x, target_of(b));
    convert(b, &x, target_of(b));
}

/* Replaces a subnormal, which a device may flush on the way, by a zero of its sign. */
static uint64_t flushed(enum dtype dtype, uint64_t bits)
{
    uint64_t sign = format_of(dtype).sign;
    bool subnormal = (FLOATS >> dtype & 1) && (bits & ~sign) >> (dtype_info(dtype)->precision - 1) == 0;
    return subnormal ? bits & sign : bits;
}

/* If the target holds every number of the source, a conversion there and back gives the same bits. */
static void build_back(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, VALUES);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < VALUES; i++) {
        build_set_bits(b, &x, i, 0, flushed(x.dtype, value_bits(&generator, x.dtype, target_of(b), i)));
    }
    struct view there = convert(b, &x, target_of(b)), back = convert(b, &there, b->c->dtype);
    struct view copy = convert(b, &x, b->c->dtype);
    build_relate(b, &copy, &back, "a dtype that holds every number of another gives each one back");
}

static void build_block(struct builder *b)
{
    const uint64_t block = (uint64_t)b->c->parameter >> BLOCK_SHIFT;
    struct view x = data_pattern_vector(b, block << PATTERN_BLOCK_BITS, (int64_t)1 << PATTERN_BLOCK_BITS);
    convert(b, &x, target_of(b));
}

static void build_empty(struct builder *b)
{
    struct shape none = shape_of(2, (int64_t)3, (int64_t)0), scalar = {.rank = 0};
    struct view x = build_tensor(b, b->c->dtype, &none, LAYOUT_CONTIGUOUS),
                one = build_tensor(b, b->c->dtype, &scalar, LAYOUT_OFFSET1);
    build_set(b, &one, 0, 1);
    convert(b, &x, target_of(b));
    convert(b, &one, target_of(b));
}

/* --- which pairs */

/* whether the target is a float that rounds some numbers of the source and so has midpoints */
static bool rounds(enum dtype from, enum dtype to)
{
    const struct dtype_info *source = dtype_info(from), *target = dtype_info(to);
    int digits = dtype_is_floating(from) ? source->precision : 8 * (int)source->size - 1;
    return (FLOATS >> to & 1) && (FLOATS >> from & 1 || source->size > 1) && digits > target->precision;
}

static bool holds(enum dtype to, enum dtype from)
{
    const struct dtype_info *source = dtype_info(from), *target = dtype_info(to);
    if (from == DTYPE_BOOL) {
        return to != DTYPE_BOOL;
    }
    if (FLOATS >> from & 1) {
        return (FLOATS >> to & 1) && target->precision >= source->precision && target->emax >= source->emax &&
               to != from;
    }
    return (FLOATS >> to & 1) ? target->precision > 8 * (int)source->size - 1
                              : target->kind == KIND_SIGNED && target->size > source->size;
}

static void declare_pair(struct suite_list *list, struct suite_case *c, const char *name, enum level level,
                         const char *covers, void (*build)(struct builder *b))
{
    c->level = level;
    c->covers = covers;
    c->build = build;
    suite_declare_named(list, c, "%s-%s", dtype_info((enum dtype)(c->parameter >> TO_SHIFT))->name, name);
}

static void declare_layouts(struct suite_list *list, struct suite_case c)
{
    static const enum layout layouts[] = {LAYOUT_TRANSPOSED_BLOCK, LAYOUT_STEPPED3, LAYOUT_OFFSET1,
                                          LAYOUT_REVERSED, LAYOUT_EXPANDED_ROWS};
    static const enum dtype targets[] = {DTYPE_FLOAT32, DTYPE_UINT8, DTYPE_INT32, DTYPE_BFLOAT16,
                                         DTYPE_INT64};
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        enum dtype to = targets[(l + c.dtype) % (sizeof targets / sizeof *targets)];
        to = to == c.dtype ? DTYPE_FLOAT64 : to;
        c.parameter = layouts[l] | to << TO_SHIFT;
        declare_pair(list, &c, layout_name(layouts[l]), l == 0 ? LEVEL_SMOKE : LEVEL_STANDARD,
                     l == 4 ? "expanded" : "layout_grid poison", build_layout);
    }
}

/* All 2^32 numbers of float32 to the dtypes that round them. */
static void declare_patterns(struct suite_list *list, struct suite_case c)
{
    static const enum dtype targets[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16};
    c.level = LEVEL_EXHAUSTIVE;
    c.covers = "conversions special_values exponents";
    c.build = build_block;
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        for (int64_t block = 0; block < PATTERN_BLOCKS; block++) {
            c.parameter = (int64_t)targets[t] << TO_SHIFT | block << BLOCK_SHIFT;
            suite_declare_named(list, &c, "%s-patterns-0x%03x", dtype_info(targets[t])->name, (int)block);
        }
    }
}

static void declare(struct suite_list *list)
{
    for (int from = 0; from < DTYPE_COUNT; from++) {
        struct suite_case c = {
            .op = op_find("to"), .dtype = (enum dtype)from, .file = __FILE__, .line = __LINE__};
        for (int to = 0; c.op && to < DTYPE_COUNT; to++) {
            bool smoke = from == DTYPE_FLOAT32 || (from == DTYPE_FLOAT64 && to < DTYPE_FLOAT64);
            c.parameter = (int64_t)to << TO_SHIFT;
            if (!(EACH >> from & EACH >> to & 1) || from == to) {
                continue;
            }
            declare_pair(list, &c, "edges", smoke ? LEVEL_SMOKE : LEVEL_STANDARD,
                         "conversion_pairs special_values conversions", build_edges);
            declare_pair(list, &c, "values", LEVEL_STANDARD, "conversion_pairs exponents", build_values);
            if (rounds(c.dtype, (enum dtype)to)) {
                declare_pair(list, &c, "midpoints", LEVEL_STANDARD, "conversions", build_midpoints);
                c.parameter |= LAYOUT_STEPPED2;
                declare_pair(list, &c, "midpoints-stepped2", LEVEL_STANDARD, "conversions layout_grid",
                             build_midpoints);
                c.parameter &= ~(int64_t)LAYOUT_STEPPED2;
            }
            if (dtype_info(c.dtype)->size == 2) {
                declare_pair(list, &c, "all-patterns", LEVEL_STANDARD, "all_patterns", build_all_patterns);
            }
            if (holds((enum dtype)to, c.dtype)) {
                declare_pair(list, &c, "and-back", LEVEL_STANDARD, "order", build_back);
            }
        }
        if (c.op && from == DTYPE_FLOAT32) {
            declare_patterns(list, c);
        }
        if (EACH >> from & 1) {
            declare_layouts(list, c);
            c.parameter = (int64_t)(from == DTYPE_FLOAT32 ? DTYPE_FLOAT16 : DTYPE_FLOAT32) << TO_SHIFT;
            declare_pair(list, &c, "empty", LEVEL_STANDARD, "size_limits", build_empty);
        }
    }
}

const struct suite suite_conversion_to = {.declare = declare};

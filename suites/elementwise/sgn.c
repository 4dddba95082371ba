/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn and sign of real numbers and integers, and the cases that they share with complex sgn. complex_sgn.c
 * has the cases of the complex plane. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum {
    SGN = 1, /* alone */
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    REALS = HALVES | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INT32 = 1 << DTYPE_INT32,
    COMPLEX = 1 << DTYPE_COMPLEX64,
    ALL = REALS | INT32 | COMPLEX
};

struct row {
    struct suite_row row;
    enum layout layout;
};

static enum dtype component_of(const struct builder *b)
{
    return dtype_info(b->c->dtype)->component;
}

/* One step over a vector whose components `fill` gives. */
typedef uint64_t fill_component(struct philox *generator, enum dtype component, int64_t i);

static void fill_and_step(struct builder *b, int64_t length, fill_component *fill)
{
    struct view x = build_vector(b, b->c->dtype, length);
    int components = dtype_info(b->c->dtype)->components;
    for (int k = 0; k < components; k++) {
        struct philox generator = build_generator(b, k);
        for (int64_t i = 0; i < length; i++) {
            build_set_bits(b, &x, i, k, fill(&generator, component_of(b), i));
        }
    }
    build_unary(b, b->c->op, &x);
}

static void build_specials(struct builder *b)
{
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(component_of(b), bits);
    bool complex = b->c->dtype == DTYPE_COMPLEX64;
    struct view x = build_vector(b, b->c->dtype, complex ? count * count : count);
    for (int i = 0; i < count * (complex ? count : 1); i++) { /* complex: every pair */
        build_set_bits(b, &x, i, 0, bits[i % count]);
        if (complex) {
            build_set_bits(b, &x, i, 1, bits[i / count]);
        }
    }
    build_unary(b, b->c->op, &x);
}

static void build_all_patterns(struct builder *b)
{
    data_patterns(b, 0, 65536);
}

/* Evenly over all exponents: 2,046 or more elements, at least eight of each exponent of the narrow formats.
 */
static void build_exponents(struct builder *b)
{
    int64_t length = b->c->dtype == DTYPE_FLOAT64     ? 2 * 2047
                     : b->c->dtype == DTYPE_COMPLEX64 ? 4 * 255
                                                      : 8 * 255;
    fill_and_step(b, length, data_any_exponent);
}

static void build_subnormals(struct builder *b)
{
    fill_and_step(b, 331, data_subnormal);
}

static void build_length(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, b->c->parameter);
    data_fill_sign_coded(b, &x, 0);
    build_unary(b, b->c->op, &x);
}

/* Two dimensions, or three: the parameter. */
static void build_layout(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = b->c->parameter == 3 ? shape_of(3, (int64_t)5, (int64_t)7, (int64_t)6)
                                              : shape_of(2, (int64_t)19, (int64_t)23);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    data_fill_sign_coded(b, &x, 0);
    build_unary(b, b->c->op, &x);
}

/* Rank 0 … 6, every dimension of its own size; from rank 2 on transposed, so that no rank is one long run. */
static void build_rank(struct builder *b)
{
    struct shape shape = {.rank = (int)b->c->parameter, .dim = {2, 5, 3, 4, 2, 3}};
    struct view x =
        build_tensor(b, b->c->dtype, &shape, b->c->parameter >= 2 ? LAYOUT_REVERSED : LAYOUT_CONTIGUOUS);
    data_fill_sign_coded(b, &x, 0);
    build_unary(b, b->c->op, &x);
}

/* Expanded inputs: parameter bit d set = dimension d has stride 0. */
static void build_expanded(struct builder *b)
{
    struct shape full = shape_of(2, (int64_t)13, (int64_t)17), held = full;
    for (int d = 0; d < 2; d++) {
        held.dim[d] = b->c->parameter >> d & 1 ? 1 : full.dim[d];
    }
    struct view x = build_tensor(b, b->c->dtype, &held, LAYOUT_OFFSET3);
    data_fill_sign_coded(b, &x, 0);
    struct view wide = view_broadcast(&x, &full);
    build_unary(b, b->c->op, &wide);
}

/* --- invariance under position and length: one value, repeated, at many lengths */

static const int short_lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
static const int workgroup_lengths[] = {31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};

/* Which special value a "repeat" row repeats; complex: (value, second value). */
enum repeated { ZERO, MINUS_ZERO, INFINITE, MINUS_INFINITE, NOT_A_NUMBER, MINUS_NAN, LEAST, THREE };
enum { WORKGROUPS = 16 };

static uint64_t repeated_bits(enum dtype component, enum repeated value)
{
    static const uint32_t integers[] = {0,           0x80000001U, 0x7FFFFFFFU, 0x80000000U,
                                        0x01000001U, 0xFEFFFFFFU, 1,           3};
    if (!dtype_is_floating(component)) {
        return integers[value];
    }
    struct format f = format_of(component);
    uint64_t two = (uint64_t)(dtype_info(component)->emax + 1) << f.fraction,
             half = (uint64_t)1 << (f.fraction - 1);
    const uint64_t bits[] = {
        0, f.sign,    f.infinity, f.sign | f.infinity, f.infinity | half, f.sign | f.infinity | half,
        1, two | half};
    return bits[value];
}

static void build_repeat(struct builder *b)
{
    bool workgroups = b->c->parameter & WORKGROUPS;
    enum repeated value = (enum repeated)(b->c->parameter & 7);
    const int *length = workgroups ? workgroup_lengths : short_lengths;
    int count = workgroups ? (int)(sizeof workgroup_lengths / sizeof *length)
                           : (int)(sizeof short_lengths / sizeof *length);
    struct view x = build_vector(b, b->c->dtype, length[count - 1]), first = x;
    for (int i = 0; i < length[count - 1]; i++) {
        build_set_bits(b, &x, i, 0, repeated_bits(component_of(b), value));
        if (b->c->dtype == DTYPE_COMPLEX64) { /* beside it 0, or 3 beside NaN and 3 */
            build_set_bits(b, &x, i, 1, repeated_bits(component_of(b), value >= NOT_A_NUMBER ? THREE : ZERO));
        }
    }
    for (int l = 0; l < count; l++) {
        struct view part = view_window(&x, 0, length[l], 1);
        struct view y = build_unary(b, b->c->op, &part);
        if (l == 0) {
            first = view_window(&y, 0, 1, 1);
        }
        build_relate_all(b, &y, &first, "one value gives the same bits at every position and length");
    }
}

/* The same elements alone, behind others, and in a transposed matrix. */
static void build_position(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)33, (int64_t)9);
    struct view x = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    data_fill_sign_coded(b, &x, 0);
    struct view turned = view_transposed(&x);
    struct view y = build_unary(b, b->c->op, &x), t = build_unary(b, b->c->op, &turned);
    struct view back = view_transposed(&t);
    build_relate(b, &y, &back, "an element's result does not depend on the view it is read through");
    static const int rows[] = {0, 1, 16, 31, 32};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct view row = view_at(&x, rows[r]), inside = view_at(&y, rows[r]);
        struct view alone = build_unary(b, b->c->op, &row);
        build_relate(b, &inside, &alone, "a row alone gives the bits it gives within the matrix");
    }
}

#define REPEAT "position_invariance length_invariance special_values"
#define LAID   "layout_grid poison self_encoding"
#define LONG   "size_limits self_encoding"

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials)},
    {SUITE_ROW("exponents", SMOKE, "exponents", .build = build_exponents)},
    {SUITE_ROW("subnormals", SMOKE, "special_values exponents", .build = build_subnormals,
               .dtypes = REALS | COMPLEX)},
    {SUITE_ROW("all-patterns", STANDARD, "all_patterns special_values", .build = build_all_patterns,
               .dtypes = HALVES)},

    {SUITE_ROW("length-0", SMOKE, "size_limits", .build = build_length)},
    {SUITE_ROW("length-1", SMOKE, "size_limits", .build = build_length, .parameter = 1)},
    {SUITE_ROW("length-64", SMOKE, LONG, .build = build_length, .parameter = 64)},
    {SUITE_ROW("length-65", SMOKE, LONG, .build = build_length, .parameter = 65)},
    {SUITE_ROW("length-257", STANDARD, LONG, .build = build_length, .parameter = 257)},
    {SUITE_ROW("length-65536", STANDARD, LONG, .build = build_length, .parameter = 65536)},
    {SUITE_ROW("length-65537", STANDARD, LONG, .build = build_length, .parameter = 65537)},
    {SUITE_ROW("length-1048579", STANDARD, LONG, .build = build_length, .ops = SGN,
               .dtypes = 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | INT32, .parameter = 1048579)},

    {SUITE_ROW("length-4194305", EXHAUSTIVE, LONG, .build = build_length, .dtypes = 1 << DTYPE_FLOAT16,
               .parameter = 4194305)},
    {SUITE_ROW("length-16777217", EXHAUSTIVE, LONG, .build = build_length, .dtypes = 1 << DTYPE_FLOAT16,
               .parameter = 16777217)},

    {SUITE_ROW("transposed", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("columns", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_COLUMNS},
    {SUITE_ROW("rows", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_ROWS},
    {SUITE_ROW("block", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_BLOCK},
    {SUITE_ROW("stepped2", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_STEPPED2},
    {SUITE_ROW("stepped3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("rows-stepped", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_ROWS_STEPPED},
    {SUITE_ROW("offset1", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_OFFSET1},
    {SUITE_ROW("offset3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_OFFSET3},
    {SUITE_ROW("far", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_FAR},
    {SUITE_ROW("heads-3d", STANDARD, LAID, .build = build_layout, .parameter = 3), .layout = LAYOUT_HEADS},
    {SUITE_ROW("transposed-block", STANDARD, "layout_grid poison", .build = build_layout),
     .layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("permuted-3d", STANDARD, LAID, .build = build_layout, .parameter = 3),
     .layout = LAYOUT_PERMUTED},
    {SUITE_ROW("reversed-3d", STANDARD, LAID, .build = build_layout, .parameter = 3),
     .layout = LAYOUT_REVERSED},
    {SUITE_ROW("block-3d", STANDARD, LAID, .build = build_layout, .parameter = 3), .layout = LAYOUT_BLOCK},
    {SUITE_ROW("expanded-rows", STANDARD, "layout_grid", .build = build_expanded, .parameter = 1)},
    {SUITE_ROW("expanded-columns", STANDARD, "layout_grid", .build = build_expanded, .parameter = 2)},
    {SUITE_ROW("expanded-scalar", STANDARD, "layout_grid", .build = build_expanded, .parameter = 3)},
    {SUITE_ROW("rank-0", SMOKE, "layout_grid size_limits", .build = build_rank)},
    {SUITE_ROW("rank-4", STANDARD, "layout_grid", .build = build_rank, .parameter = 4)},
    {SUITE_ROW("rank-5", STANDARD, "layout_grid", .build = build_rank, .parameter = 5)},
    {SUITE_ROW("rank-6", STANDARD, "layout_grid", .build = build_rank, .parameter = 6)},

    {SUITE_ROW("repeat-zero", STANDARD, REPEAT, .build = build_repeat, .parameter = ZERO)},
    {SUITE_ROW("repeat-minus-zero", STANDARD, REPEAT, .build = build_repeat, .parameter = MINUS_ZERO)},
    {SUITE_ROW("repeat-infinity", STANDARD, REPEAT, .build = build_repeat, .parameter = INFINITE)},
    {SUITE_ROW("repeat-nan", STANDARD, REPEAT, .build = build_repeat, .parameter = NOT_A_NUMBER)},
    {SUITE_ROW("repeat-minus-nan", STANDARD, REPEAT, .build = build_repeat, .dtypes = REALS,
               .parameter = MINUS_NAN)},
    {SUITE_ROW("repeat-least", STANDARD, REPEAT, .build = build_repeat, .parameter = LEAST)},
    {SUITE_ROW("repeat-three", STANDARD, REPEAT, .build = build_repeat, .parameter = THREE)},
    {SUITE_ROW("repeat-minus-zero-workgroups", STANDARD, REPEAT, .build = build_repeat,
               .parameter = MINUS_ZERO + WORKGROUPS)},
    {SUITE_ROW("repeat-minus-infinity-workgroups", STANDARD, REPEAT, .build = build_repeat,
               .parameter = MINUS_INFINITE + WORKGROUPS)},
    {SUITE_ROW("repeat-nan-workgroups", STANDARD, REPEAT, .build = build_repeat,
               .parameter = NOT_A_NUMBER + WORKGROUPS)},
    {SUITE_ROW("repeat-three-workgroups", STANDARD, REPEAT, .build = build_repeat,
               .parameter = THREE + WORKGROUPS)},
    {SUITE_ROW("position", SMOKE, "position_invariance batch_invariance", .build = build_position)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"sgn", "sign"}, .dtypes = ALL});
}

const struct suite suite_elementwise_sgn = {.declare = declare};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn, sign of real numbers and integers, and what complex sgn shares with them. The complex plane's own
 * cases stand in complex_sgn.c. */

#include "suites/shared/data.h"

#include <stdio.h>

enum {
    SGN = 1,
    SIGN = 2,
    BOTH = 3,
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    REALS = HALVES | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INT32 = 1 << DTYPE_INT32,
    COMPLEX = 1 << DTYPE_COMPLEX64,
    ALL = REALS | INT32 | COMPLEX
};

struct row {
    const char *name;
    enum level level;
    unsigned ops, dtypes;
    void (*build)(struct builder *b);
    int64_t parameter;
    enum layout layout;
    const char *covers;
    int line;
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
    struct view x = build_vector(b, b->c->dtype, 65536);
    for (int64_t i = 0; i < 65536; i++) {
        build_set_bits(b, &x, i, 0, (uint64_t)i);
    }
    build_unary(b, b->c->op, &x);
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

#define CASE(name_, level_, ops_, dtypes_, build_, parameter_, layout_, covers_)                             \
    {                                                                                                        \
        name_, level_, ops_, dtypes_, build_, parameter_, LAYOUT_##layout_, covers_, __LINE__                \
    }
#define SMOKE      LEVEL_SMOKE
#define STANDARD   LEVEL_STANDARD
#define EXHAUSTIVE LEVEL_EXHAUSTIVE
#define REPEAT     "position_invariance length_invariance special_values"

static const struct row rows[] = {
    CASE("specials", SMOKE, BOTH, ALL, build_specials, 0, CONTIGUOUS, "special_values"),
    CASE("exponents", SMOKE, BOTH, ALL, build_exponents, 0, CONTIGUOUS, "exponents"),
    CASE("subnormals", SMOKE, BOTH, REALS | COMPLEX, build_subnormals, 0, CONTIGUOUS,
         "special_values exponents"),
    CASE("all-patterns", STANDARD, BOTH, HALVES, build_all_patterns, 0, CONTIGUOUS,
         "all_patterns special_values"),

    CASE("length-0", SMOKE, BOTH, ALL, build_length, 0, CONTIGUOUS, "size_limits"),
    CASE("length-1", SMOKE, BOTH, ALL, build_length, 1, CONTIGUOUS, "size_limits"),
    CASE("length-64", SMOKE, BOTH, ALL, build_length, 64, CONTIGUOUS, "size_limits self_encoding"),
    CASE("length-65", SMOKE, BOTH, ALL, build_length, 65, CONTIGUOUS, "size_limits self_encoding"),
    CASE("length-257", STANDARD, BOTH, ALL, build_length, 257, CONTIGUOUS, "size_limits self_encoding"),
    CASE("length-65536", STANDARD, BOTH, ALL, build_length, 65536, CONTIGUOUS, "size_limits self_encoding"),
    CASE("length-65537", STANDARD, BOTH, ALL, build_length, 65537, CONTIGUOUS, "size_limits self_encoding"),
    CASE("length-1048579", STANDARD, SGN, 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | INT32, build_length,
         1048579, CONTIGUOUS, "size_limits self_encoding"),

    CASE("length-4194305", EXHAUSTIVE, BOTH, 1 << DTYPE_FLOAT16, build_length, 4194305, CONTIGUOUS,
         "size_limits self_encoding"),
    CASE("length-16777217", EXHAUSTIVE, BOTH, 1 << DTYPE_FLOAT16, build_length, 16777217, CONTIGUOUS,
         "size_limits self_encoding"),

    CASE("transposed", SMOKE, BOTH, ALL, build_layout, 2, TRANSPOSED, "layout_grid poison self_encoding"),
    CASE("columns", SMOKE, BOTH, ALL, build_layout, 2, COLUMNS, "layout_grid poison self_encoding"),
    CASE("rows", STANDARD, BOTH, ALL, build_layout, 2, ROWS, "layout_grid poison self_encoding"),
    CASE("block", STANDARD, BOTH, ALL, build_layout, 2, BLOCK, "layout_grid poison self_encoding"),
    CASE("stepped2", SMOKE, BOTH, ALL, build_layout, 2, STEPPED2, "layout_grid poison self_encoding"),
    CASE("stepped3", STANDARD, BOTH, ALL, build_layout, 2, STEPPED3, "layout_grid poison self_encoding"),
    CASE("rows-stepped", STANDARD, BOTH, ALL, build_layout, 2, ROWS_STEPPED,
         "layout_grid poison self_encoding"),
    CASE("offset1", SMOKE, BOTH, ALL, build_layout, 2, OFFSET1, "layout_grid poison self_encoding"),
    CASE("offset3", STANDARD, BOTH, ALL, build_layout, 2, OFFSET3, "layout_grid poison self_encoding"),
    CASE("far", STANDARD, BOTH, ALL, build_layout, 2, FAR, "layout_grid poison self_encoding"),
    CASE("heads-3d", STANDARD, BOTH, ALL, build_layout, 3, HEADS, "layout_grid poison self_encoding"),
    CASE("transposed-block", STANDARD, BOTH, ALL, build_layout, 2, TRANSPOSED_BLOCK, "layout_grid poison"),
    CASE("permuted-3d", STANDARD, BOTH, ALL, build_layout, 3, PERMUTED, "layout_grid poison self_encoding"),
    CASE("reversed-3d", STANDARD, BOTH, ALL, build_layout, 3, REVERSED, "layout_grid poison self_encoding"),
    CASE("block-3d", STANDARD, BOTH, ALL, build_layout, 3, BLOCK, "layout_grid poison self_encoding"),
    CASE("expanded-rows", STANDARD, BOTH, ALL, build_expanded, 1, CONTIGUOUS, "layout_grid"),
    CASE("expanded-columns", STANDARD, BOTH, ALL, build_expanded, 2, CONTIGUOUS, "layout_grid"),
    CASE("expanded-scalar", STANDARD, BOTH, ALL, build_expanded, 3, CONTIGUOUS, "layout_grid"),
    CASE("rank-0", SMOKE, BOTH, ALL, build_rank, 0, CONTIGUOUS, "layout_grid size_limits"),
    CASE("rank-4", STANDARD, BOTH, ALL, build_rank, 4, CONTIGUOUS, "layout_grid"),
    CASE("rank-5", STANDARD, BOTH, ALL, build_rank, 5, CONTIGUOUS, "layout_grid"),
    CASE("rank-6", STANDARD, BOTH, ALL, build_rank, 6, CONTIGUOUS, "layout_grid"),

    CASE("repeat-zero", STANDARD, BOTH, ALL, build_repeat, ZERO, CONTIGUOUS, REPEAT),
    CASE("repeat-minus-zero", STANDARD, BOTH, ALL, build_repeat, MINUS_ZERO, CONTIGUOUS, REPEAT),
    CASE("repeat-infinity", STANDARD, BOTH, ALL, build_repeat, INFINITE, CONTIGUOUS, REPEAT),
    CASE("repeat-nan", STANDARD, BOTH, ALL, build_repeat, NOT_A_NUMBER, CONTIGUOUS, REPEAT),
    CASE("repeat-minus-nan", STANDARD, BOTH, REALS, build_repeat, MINUS_NAN, CONTIGUOUS, REPEAT),
    CASE("repeat-least", STANDARD, BOTH, ALL, build_repeat, LEAST, CONTIGUOUS, REPEAT),
    CASE("repeat-three", STANDARD, BOTH, ALL, build_repeat, THREE, CONTIGUOUS, REPEAT),
    CASE("repeat-minus-zero-workgroups", STANDARD, BOTH, ALL, build_repeat, MINUS_ZERO + WORKGROUPS,
         CONTIGUOUS, REPEAT),
    CASE("repeat-minus-infinity-workgroups", STANDARD, BOTH, ALL, build_repeat, MINUS_INFINITE + WORKGROUPS,
         CONTIGUOUS, REPEAT),
    CASE("repeat-nan-workgroups", STANDARD, BOTH, ALL, build_repeat, NOT_A_NUMBER + WORKGROUPS, CONTIGUOUS,
         REPEAT),
    CASE("repeat-three-workgroups", STANDARD, BOTH, ALL, build_repeat, THREE + WORKGROUPS, CONTIGUOUS,
         REPEAT),
    CASE("position", SMOKE, BOTH, ALL, build_position, 0, CONTIGUOUS, "position_invariance batch_invariance"),
};

static void declare(struct suite_list *list)
{
    static const struct {
        unsigned bit;
        const char *name;
    } ops[] = {{SGN, "sgn"}, {SIGN, "sign"}};
    for (int o = 0; o < 2; o++) {
        const struct op *op = op_find(ops[o].name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                const struct row *row = &rows[r];
                if ((row->ops & ops[o].bit) && (row->dtypes >> d & 1) && (op->dtypes >> d & 1)) {
                    suite_declare(list, &(struct suite_case){.op = op,
                                                             .dtype = (enum dtype)d,
                                                             .name = row->name,
                                                             .level = row->level,
                                                             .covers = row->covers,
                                                             .file = __FILE__,
                                                             .line = row->line,
                                                             .build = row->build,
                                                             .row = row,
                                                             .parameter = row->parameter});
                }
            }
        }
    }
}

const struct suite suite_elementwise_sgn = {.declare = declare};

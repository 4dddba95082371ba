/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* argmax and argmin: ties, NaN, zeros of both signs, infinities, subnormals, places, dimensions, lengths,
 * layouts.
 *
 * In every case a row has its only leading element behind place 0: otherwise a result of zeros would be
 * right. */

#include "suites/reduction/operators.h"
#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

enum { ALL = 99 }; /* `dim` is not passed */

/* The place of an element: term `term` of `terms` in row `row` of `rows`. */
struct place {
    int64_t row, rows, term, terms;
};

enum fill {
    FILL_RANDOM,     /* random, over a few exponents */
    FILL_TIES,       /* integers from 0 to 3; only the last row has a 4, at its end */
    FILL_EQUAL,      /* equal elements; in the last row the end leads */
    FILL_ZEROS,      /* zeros of both signs; in the last row the end leads, in others other elements trail */
    FILL_RANKS,      /* all different; the leading one at another place in each row */
    FILL_NEIGHBOURS, /* the leading one differs by its last bit */
    FILL_NAN_FIRST,
    FILL_NAN_LAST,
    FILL_NANS,     /* two NaN in every row; in the last row one, at its end */
    FILL_NAN_EACH, /* one NaN in each row, at another place each time */
    /* both infinities in every row; several of the leading one in rows 0 modulo 3; rows 1 modulo 3 hold
     * the trailing one everywhere but once */
    FILL_INFINITIES,
    FILL_SUBNORMALS, /* subnormals and zeros of both signs; the end of the last row is normal */
    FILL_NEGATIVE,   /* all of the sign that trails */
    FILL_PAIRS,      /* rows of two: every pair of special values */
    FILL_TRIPLES     /* rows of three: 1, a special value, 3 */
};

struct row {
    struct suite_row row;
    int rank;
    int64_t dim[5];
    int along; /* the dimension to reduce, −rank … rank − 1; ALL */
    bool keep;
    enum layout layout;
    enum fill fill;
};

static bool is_least(const struct builder *b)
{
    return row_picks_least(b->c->op);
}

/* Returns the place of the leading element of a row. If there are as many rows as terms, every place occurs
 * (unless 7 divides their number); otherwise the ends of vectors, workgroups and parts do. */
static int64_t place_of(const struct place *p)
{
    const int64_t ends[] = {p->terms - 1, 63, 64, 255, 256, 4095, 4096, p->terms / 2, 0};
    return p->rows == p->terms && p->terms % 7 ? p->row * 7 % p->terms : ends[p->row % 9] % p->terms;
}

/* Returns an integer that no other element of the row has; the greatest is at place_of(). Representable in
 * the narrow formats for up to 256 terms. */
static double rank_of(const struct place *p)
{
    return (double)((p->term - place_of(p) + 2 * p->terms - 1) % p->terms) - (double)(p->terms / 2);
}

/* Returns 1 or its lower neighbour in the dtype; of an integer dtype two neighbours that narrower floats do
 * not distinguish. Negated for `least`. */
static uint64_t neighbour(enum dtype dtype, bool leads, bool least)
{
    unsigned char bytes[8] = {0};
    if (!dtype_is_floating(dtype)) {
        int64_t base = dtype == DTYPE_INT64 ? (int64_t)1 << 53 : 1 << 24;
        return (uint64_t)(base + (leads ? 1 : 0)) * (least ? (uint64_t)-1 : 1);
    }
    dtype_store(dtype, bytes, least ? -1 : 1);
    return dtype_bits(dtype, bytes) + leads;
}

static void set_special(struct builder *b, const struct view *x, int64_t i, const struct place *p,
                        enum fill fill)
{
    double sign = is_least(b) ? -1 : 1, trails = -1 - (double)(i % 5);
    bool end = p->row == p->rows - 1 && p->term == p->terms - 1, nan = false;
    switch (fill) {
    case FILL_NAN_FIRST:
        nan = p->term == 0 && p->row < p->rows - 1;
        break;
    case FILL_NAN_LAST:
        nan = p->term == p->terms - 1;
        break;
    case FILL_NANS:
        nan = p->row < p->rows - 1 ? p->term == p->terms / 3 || p->term == p->terms / 2 : end;
        break;
    case FILL_NAN_EACH:
        nan = p->term == place_of(p);
        break;
    default:
        build_set(b, x, i, end ? 2 * sign : sign * trails);
        if (fill == FILL_ZEROS && !end && (p->term * 5 + p->row) % 3 > 0) {
            build_set(b, x, i, (p->term + p->row) % 2 ? -0.0 : 0.0);
        }
        return;
    }
    build_set(b, x, i, nan ? (double)NAN : sign * (end ? 7 : trails + 3));
}

static void set_infinity(struct builder *b, const struct view *x, int64_t i, const struct place *p)
{
    double leads = is_least(b) ? -HUGE_VAL : HUGE_VAL;
    bool one = p->term == place_of(p), several = p->row % 3 == 0 && p->term % 5 == 4;
    double other = p->term % 4 == 1 ? -leads : (double)(i % 7);
    if (p->row % 3 == 1) {
        build_set(b, x, i, one ? 3 : -leads);
    } else {
        build_set(b, x, i, one || several ? leads : other);
    }
}

static void set_element(struct builder *b, const struct view *x, int64_t i, const struct place *p,
                        struct philox *generator)
{
    const struct row *row = b->c->row;
    double sign = is_least(b) ? -1 : 1;
    bool end = p->row == p->rows - 1 && p->term == p->terms - 1;
    switch (row->fill) {
    case FILL_RANDOM:
        build_set_bits(b, x, i, 0,
                       dtype_is_floating(b->c->dtype) ? data_between(generator, b->c->dtype, -6, 6)
                                                      : (uint64_t)data_integer(generator, 1 << 29));
        break;
    case FILL_TIES:
        build_set(b, x, i, sign * (end ? 4 : (double)philox_below(generator, 4)));
        break;
    case FILL_EQUAL:
        build_set(b, x, i, end ? 5 * sign : 3 * sign);
        break;
    case FILL_RANKS:
        build_set(b, x, i, sign * rank_of(p));
        break;
    case FILL_NEIGHBOURS:
        build_set_bits(b, x, i, 0, neighbour(b->c->dtype, p->term == place_of(p), is_least(b)));
        break;
    case FILL_SUBNORMALS:
        build_set_bits(b, x, i, 0, data_subnormal(generator, b->c->dtype, i));
        if (end) {
            build_set(b, x, i, sign);
        } else if (p->term % 6 == 5) {
            build_set(b, x, i, p->row % 2 ? -0.0 : 0.0);
        }
        break;
    case FILL_NEGATIVE:
        build_set(b, x, i, sign * (p->term == place_of(p) ? -2 : -3 - (double)philox_below(generator, 50)));
        break;
    case FILL_INFINITIES:
        set_infinity(b, x, i, p);
        break;
    default:
        set_special(b, x, i, p, row->fill);
    }
}

/* --- builders */

/* Returns the place of element i of the tensor within its row. */
static struct place place_at(const struct shape *shape, const struct row *row, int64_t i)
{
    int64_t elements = shape_elements(shape), inner = 1, terms = elements;
    int d = row->along < 0 ? row->along + row->rank : row->along;
    if (d >= 0 && d < row->rank) { /* otherwise all dimensions are reduced, or the dimension is invalid */
        terms = shape->dim[d];
        for (int k = d + 1; k < shape->rank; k++) {
            inner *= shape->dim[k];
        }
        return (struct place){.row = i / (inner * terms) * inner + i % inner,
                              .rows = elements / terms,
                              .term = i / inner % terms,
                              .terms = terms};
    }
    return (struct place){.row = 0, .rows = 1, .term = i, .terms = terms};
}

static struct view make(struct builder *b, const struct row *row)
{
    struct shape shape = {.rank = row->rank};
    memcpy(shape.dim, row->dim, sizeof row->dim);
    uint64_t bits[SPECIALS_MAX];
    int specials = special_bits(b->c->dtype, bits);
    bool pairs = row->fill == FILL_PAIRS;
    if (pairs || row->fill == FILL_TRIPLES) {
        shape.dim[0] = pairs ? specials * specials : specials;
    }
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        struct place p = place_at(&shape, row, i);
        if (pairs) {
            build_set_bits(b, &x, i, 0, bits[p.term ? p.row % specials : p.row / specials]);
        } else if (row->fill == FILL_TRIPLES) {
            build_set(b, &x, i, p.term == 0 ? 1 : 3);
            if (p.term == 1) {
                build_set_bits(b, &x, i, 0, bits[p.row]);
            }
        } else {
            set_element(b, &x, i, &p, &generator);
        }
    }
    return x;
}

static struct attributes attributes_of(int along, bool keep)
{
    struct attributes a = {.count = 0};
    if (along != ALL) {
        a.item[a.count++] = (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = along};
    }
    if (keep) {
        a.item[a.count++] = (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    return a;
}

static struct view step_of(struct builder *b, const struct op *op, const struct view *x, int along, bool keep)
{
    struct attributes attributes = attributes_of(along, keep);
    struct step *step = build_step(b, op, &attributes, 1, x);
    return step ? step->output[0] : *x;
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view x = make(b, row);
    step_of(b, b->c->op, &x, row->along, row->keep);
}

/* One tensor along each dimension in turn, by both operators: anything cached from the last call shows. */
static void chain_dimensions(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct op *other = op_find(is_least(b) ? "argmax" : "argmin");
    struct view x = make(b, row);
    for (int k = 0; k < 2 * row->rank && other; k++) {
        step_of(b, k % 2 ? other : b->c->op, &x, k / 2 - (k % 3 ? 0 : row->rank), k == 2);
    }
    step_of(b, b->c->op, &x, ALL, false);
}

/* A single row, also through other strides, must have the result that it has within the batch. */
static void invariance(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view x = make(b, row), y = step_of(b, b->c->op, &x, 1, false);
    const int64_t picks[] = {0, 1, row->dim[0] / 2, row->dim[0] - 1};
    for (int k = 0; !b->failed && k < 4; k++) {
        struct view one = view_at(&x, picks[k]), inside = view_at(&y, picks[k]);
        struct view single = step_of(b, b->c->op, &one, k % 2 ? ALL : 0, false);
        build_relate(b, &inside, &single, "a row alone has the place it has within the batch");
    }
}

static void refuse(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view x = make(b, row);
    struct attributes attributes = attributes_of(row->along, row->keep);
    build_rejection(b, b->c->op, &attributes, 1, &x);
}

#define REALS          (1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64)
#define WIDE           (1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 | 1U << DTYPE_INT32 | 1U << DTYPE_INT64)
#define FLOAT32        (1U << DTYPE_FLOAT32)
#define REAL(...)      SUITE_ROW(__VA_ARGS__, .dtypes = REALS)
#define MATRIX(r_, c_) .rank = 2, .dim = {r_, c_}, .along = 1
#define CUBE           .rank = 3, .dim = {5, 6, 7}, .fill = FILL_RANKS
#define LAID(name_, level_, layout_)                                                                         \
    SUITE_ROW(name_, level_, "layout_grid poison self_encoding"), MATRIX(9, 33), .layout = LAYOUT_##layout_, \
                                                                                 .fill = FILL_RANKS

static const struct row rows[] = {
    {SUITE_ROW("ties", SMOKE, "place_ties"), MATRIX(17, 33), .fill = FILL_TIES},
    {SUITE_ROW("ties-first", SMOKE, "place_ties"), .rank = 2, .dim = {65, 17}, .fill = FILL_TIES},
    {SUITE_ROW("ties-all", STANDARD, "place_ties"), .rank = 2, .dim = {70, 129}, .along = ALL,
     .fill = FILL_TIES},
    {SUITE_ROW("ties-4099", STANDARD, "place_ties"), MATRIX(3, 4099), .fill = FILL_TIES},
    {SUITE_ROW("equal", SMOKE, "place_ties one_sided"), MATRIX(5, 257), .fill = FILL_EQUAL},
    {SUITE_ROW("equal-9001", STANDARD, "place_ties"), MATRIX(3, 9001), .fill = FILL_EQUAL},
    {REAL("zeros", SMOKE, "place_ties special_values"), MATRIX(9, 65), .fill = FILL_ZEROS},
    {REAL("nan-first", SMOKE, "nan_places special_values"), MATRIX(9, 65), .fill = FILL_NAN_FIRST},
    {REAL("nan-last", SMOKE, "nan_places special_values"), MATRIX(9, 65), .fill = FILL_NAN_LAST},
    {REAL("nan-several", SMOKE, "nan_places place_ties"), MATRIX(9, 65), .fill = FILL_NANS},
    {REAL("nan-each", STANDARD, "nan_places"), MATRIX(65, 65), .fill = FILL_NAN_EACH},
    {REAL("nan-each-4099", STANDARD, "nan_places"), MATRIX(9, 4099), .fill = FILL_NAN_EACH},
    {REAL("infinities", SMOKE, "special_values place_ties"), MATRIX(12, 33), .fill = FILL_INFINITIES},
    {REAL("infinities-4099", STANDARD, "special_values"), MATRIX(9, 4099), .fill = FILL_INFINITIES},
    {REAL("subnormals", SMOKE, "special_values place_ties"), MATRIX(11, 17), .fill = FILL_SUBNORMALS},
    {SUITE_ROW("pairs", SMOKE, "special_values place_ties"), MATRIX(0, 2), .fill = FILL_PAIRS},
    {SUITE_ROW("triples", SMOKE, "special_values"), MATRIX(0, 3), .fill = FILL_TRIPLES},
    {SUITE_ROW("negative", SMOKE, "one_sided"), MATRIX(9, 65), .fill = FILL_NEGATIVE},
    {SUITE_ROW("neighbours", SMOKE, "integers_exact place_each"), MATRIX(9, 65), .fill = FILL_NEIGHBOURS},
    {SUITE_ROW("neighbours-4099", STANDARD, "integers_exact place_each"), MATRIX(9, 4099),
     .fill = FILL_NEIGHBOURS},
    {SUITE_ROW("each-place-33", SMOKE, "place_each self_encoding"), MATRIX(33, 33), .fill = FILL_RANKS},
    {SUITE_ROW("each-place-257", STANDARD, "place_each", .dtypes = WIDE), MATRIX(257, 257),
     .fill = FILL_RANKS},
    {SUITE_ROW("neighbours-each-257", STANDARD, "place_each"), MATRIX(257, 257), .fill = FILL_NEIGHBOURS},
    {SUITE_ROW("random-1000", STANDARD, "place_each"), MATRIX(7, 1000)},
    {SUITE_ROW("length-1", SMOKE, "place_dimensions"), .rank = 1, .dim = {1}, .fill = FILL_RANKS},
    {SUITE_ROW("rows-of-1", SMOKE, "place_dimensions"), MATRIX(5, 1), .keep = true, .fill = FILL_RANKS},
    {SUITE_ROW("scalar", SMOKE, "place_dimensions"), .rank = 0, .along = ALL, .fill = FILL_RANKS},
    {SUITE_ROW("scalar-dim", SMOKE, "place_dimensions"), .rank = 0, .along = -1, .keep = true,
     .fill = FILL_RANKS},
    {SUITE_ROW("batch-empty", SMOKE, "place_dimensions"), MATRIX(0, 5)},
    {SUITE_ROW("cube-first", SMOKE, "place_dimensions flags"), CUBE, .along = 0},
    {SUITE_ROW("cube-middle", SMOKE, "place_dimensions flags"), CUBE, .along = 1, .keep = true},
    {SUITE_ROW("cube-last", SMOKE, "place_dimensions flags"), CUBE, .along = -1},
    {SUITE_ROW("cube-first-negative", STANDARD, "place_dimensions flags"), CUBE, .along = -3, .keep = true},
    {SUITE_ROW("cube-all", SMOKE, "place_dimensions flags"), CUBE, .along = ALL},
    {SUITE_ROW("cube-all-keep", SMOKE, "place_dimensions flags"), CUBE, .along = ALL, .keep = true},
    {SUITE_ROW("square-first", SMOKE, "place_dimensions self_encoding"), .rank = 2, .dim = {31, 31},
     .fill = FILL_RANKS},
    {LAID("transposed", SMOKE, TRANSPOSED)},
    {LAID("columns", STANDARD, COLUMNS)},
    {LAID("block", SMOKE, BLOCK)},
    {LAID("stepped2", STANDARD, STEPPED2)},
    {LAID("stepped3", STANDARD, STEPPED3)},
    {LAID("rows-stepped", STANDARD, ROWS_STEPPED)},
    {LAID("offset1", SMOKE, OFFSET1)},
    {LAID("offset3", STANDARD, OFFSET3)},
    {LAID("transposed-block", STANDARD, TRANSPOSED_BLOCK)},
    {LAID("far", STANDARD, FAR)},
    {SUITE_ROW("expanded-rows", SMOKE, "expanded"), MATRIX(9, 33), .layout = LAYOUT_EXPANDED_ROWS,
     .fill = FILL_RANKS},
    {SUITE_ROW("transposed-all", STANDARD, "layout_grid poison"), .rank = 2, .dim = {13, 19}, .along = ALL,
     .layout = LAYOUT_TRANSPOSED, .fill = FILL_RANKS},
    {SUITE_ROW("rank-5-reversed", STANDARD, "layout_grid poison"), .rank = 5, .dim = {2, 3, 2, 5, 3},
     .along = 3, .layout = LAYOUT_REVERSED, .fill = FILL_RANKS},
    {SUITE_ROW("rank-5-permuted", STANDARD, "layout_grid poison"), .rank = 5, .dim = {2, 3, 2, 5, 3},
     .along = 1, .layout = LAYOUT_PERMUTED, .fill = FILL_RANKS},
    {SUITE_ROW("between-4d", STANDARD, "apart"), .rank = 4, .dim = {2, 3, 4, 3}, .along = 2,
     .fill = FILL_RANKS},
    {SUITE_ROW("between-5d", STANDARD, "apart"), .rank = 5, .dim = {2, 3, 4, 2, 3}, .along = -3,
     .fill = FILL_RANKS},
    {SUITE_ROW("length-300001", STANDARD, "size_limits", .dtypes = FLOAT32), MATRIX(2, 300001),
     .fill = FILL_NEIGHBOURS},
    {SUITE_ROW("length-4194307", EXHAUSTIVE, "size_limits", .dtypes = FLOAT32), .rank = 1, .dim = {4194307},
     .along = ALL, .fill = FILL_NEIGHBOURS},
    {SUITE_ROW("batch-65537", EXHAUSTIVE, "size_limits", .dtypes = FLOAT32), MATRIX(65537, 3),
     .fill = FILL_RANKS},
    {SUITE_ROW("chain-dimensions", STANDARD, "order flags", .build = chain_dimensions), CUBE},
    {SUITE_ROW("batch-invariance-65", SMOKE, "batch_invariance", .build = invariance), MATRIX(9, 65),
     .fill = FILL_RANKS},
    {SUITE_ROW("batch-invariance-4099", STANDARD, "batch_invariance layout_grid", .build = invariance,
               .dtypes = WIDE),
     MATRIX(5, 4099), .layout = LAYOUT_BLOCK, .fill = FILL_RANKS},
    {SUITE_ROW("refuse-empty", SMOKE, "place_refusals", .build = refuse), MATRIX(3, 0)},
    {SUITE_ROW("refuse-empty-all", SMOKE, "place_refusals", .build = refuse), .rank = 2, .dim = {0, 3},
     .along = ALL},
    {SUITE_ROW("refuse-dimension", SMOKE, "place_refusals", .build = refuse), .rank = 2, .dim = {3, 5},
     .along = 2},
    {SUITE_ROW("refuse-dimension-negative", SMOKE, "place_refusals", .build = refuse), .rank = 2,
     .dim = {3, 5}, .along = -3},
    {SUITE_ROW("refuse-scalar-dimension", SMOKE, "place_refusals", .build = refuse), .rank = 0, .along = 1},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"argmax", "argmin"},
                                                   .build = build, .level = level_beyond_float16_32});
}

const struct suite suite_reduction_argmax = {.declare = declare};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_ and mul_, one update per case; grid.c and values.c have the other operators that write into an
 * operand. Each operand takes every layout while the other is contiguous, then both. Chains and refusals are
 * in chains.c and refusals.c. */

#include "suites/shared/rows.h"
#include "suites/shared/update.h"

enum {
    ADD = 1, /* bits of the table's operators */
    MUL = 2,
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    ALL = FLOATS | INTEGERS,
    /* the layouts that grid.c does not have */
    SOME = 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_INT32
};

struct row {
    struct suite_row row;
    struct shape self, other; /* rank and dimensions */
    enum layout self_layout, other_layout;
    enum data data;
    bool has_alpha;
    double alpha;
};

static void build_update(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape self_shape = row->self, other_shape = row->other;
    if (row->data == DATA_SPECIALS) {
        self_shape = other_shape = update_specials_shape(b->c->dtype);
    }
    struct view self = build_tensor(b, b->c->dtype, &self_shape, row->self_layout);
    struct view other = build_tensor(b, b->c->dtype, &other_shape, row->other_layout);
    update_fill(b, &self, row->data, 0, 0);
    update_fill(b, &other, row->data, 1, 1);
    struct attributes alpha = update_alpha(b->c->dtype, row->has_alpha, row->alpha);
    struct step *step = update(b, b->c->op, &self, &other, &alpha);
    if (step) {
        step->exact = row->data == DATA_INTEGERS;
    }
}

/* self and other of equal shapes; the second one passes alpha. */
#define ALIKE(rank_, ...) .self = {rank_, {__VA_ARGS__}}, .other = {rank_, {__VA_ARGS__}}
#define ALPHA(name_, level_, dtypes_, data_, alpha_)                                                         \
    SUITE_ROW(name_, level_, "flags allow_non_contiguous", .ops = ADD, .dtypes = dtypes_), ALIKE(2, 11, 29), \
        .data = DATA_##data_, .has_alpha = true, .alpha = alpha_
#define SELF  "layout_grid poison self_encoding allow_non_contiguous gaps_untouched"
#define OTHER "layout_grid poison self_encoding"

static const struct row rows[] = {
    {SUITE_ROW("contiguous", SMOKE, OTHER), ALIKE(2, 17, 23)},
    /* self in every layout */
    {SUITE_ROW("self-transposed", SMOKE, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("self-columns", SMOKE, SELF, .dtypes = SOME), ALIKE(2, 17, 23), .self_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("self-rows", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23), .self_layout = LAYOUT_ROWS},
    {SUITE_ROW("self-block", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23), .self_layout = LAYOUT_BLOCK},
    {SUITE_ROW("self-stepped2", SMOKE, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_STEPPED2},
    {SUITE_ROW("self-stepped3", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_STEPPED3},
    {SUITE_ROW("self-rows-stepped", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_ROWS_STEPPED},
    {SUITE_ROW("self-offset1", SMOKE, SELF, .dtypes = SOME), ALIKE(1, 131), .self_layout = LAYOUT_OFFSET1},
    {SUITE_ROW("self-offset3", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_OFFSET3},
    {SUITE_ROW("self-column", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 37, 1),
     .self_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("self-transposed-block", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("self-permuted-3d", STANDARD, SELF, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .self_layout = LAYOUT_PERMUTED},
    {SUITE_ROW("self-reversed-3d", STANDARD, SELF, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .self_layout = LAYOUT_REVERSED},
    {SUITE_ROW("self-block-3d", STANDARD, SELF, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .self_layout = LAYOUT_BLOCK},
    /* other in every layout */
    {SUITE_ROW("other-transposed", SMOKE, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("other-columns", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("other-rows", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23), .other_layout = LAYOUT_ROWS},
    {SUITE_ROW("other-block", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_BLOCK},
    {SUITE_ROW("other-stepped2", SMOKE, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_STEPPED2},
    {SUITE_ROW("other-stepped3", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_STEPPED3},
    {SUITE_ROW("other-rows-stepped", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_ROWS_STEPPED},
    {SUITE_ROW("other-offset1", STANDARD, OTHER, .dtypes = SOME), ALIKE(1, 131),
     .other_layout = LAYOUT_OFFSET1},
    {SUITE_ROW("other-offset3", SMOKE, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_OFFSET3},
    {SUITE_ROW("other-transposed-block", STANDARD, OTHER, .dtypes = SOME), ALIKE(2, 17, 23),
     .other_layout = LAYOUT_TRANSPOSED_BLOCK},
    {SUITE_ROW("other-permuted-3d", STANDARD, OTHER, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .other_layout = LAYOUT_PERMUTED},
    {SUITE_ROW("other-reversed-3d", STANDARD, OTHER, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .other_layout = LAYOUT_REVERSED},
    {SUITE_ROW("other-block-3d", STANDARD, OTHER, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .other_layout = LAYOUT_BLOCK},
    /* other broadcasts, beside a self that is whole or a slice */
    {SUITE_ROW("other-scalar", SMOKE, OTHER, .dtypes = SOME), .self = {2, {17, 23}}, .other = {.rank = 0}},
    {SUITE_ROW("other-one-element", STANDARD, SELF, .dtypes = SOME), .self = {2, {17, 23}}, .other = {1, {1}},
     .self_layout = LAYOUT_COLUMNS, .other_layout = LAYOUT_OFFSET1},
    {SUITE_ROW("other-row", SMOKE, OTHER, .dtypes = SOME), .self = {2, {17, 23}}, .other = {1, {23}}},
    {SUITE_ROW("other-row-2d", STANDARD, SELF, .dtypes = SOME), .self = {2, {17, 23}}, .other = {2, {1, 23}},
     .self_layout = LAYOUT_TRANSPOSED, .other_layout = LAYOUT_STEPPED2},
    {SUITE_ROW("other-column-2d", SMOKE, OTHER, .dtypes = SOME), .self = {2, {17, 23}},
     .other = {2, {17, 1}}},
    {SUITE_ROW("other-fewer-dims", STANDARD, OTHER, .dtypes = SOME), .self = {3, {5, 7, 6}},
     .other = {2, {7, 6}}, .other_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("other-middle-3d", STANDARD, SELF, .dtypes = SOME), .self = {3, {5, 7, 6}},
     .other = {3, {5, 1, 6}}, .self_layout = LAYOUT_REVERSED, .other_layout = LAYOUT_PERMUTED},
    {SUITE_ROW("other-scalar-self-columns", STANDARD, SELF, .dtypes = SOME), .self = {2, {17, 5}},
     .other = {.rank = 0}, .self_layout = LAYOUT_COLUMNS, .other_layout = LAYOUT_OFFSET3},
    /* both; equal gaps must not be copied as one long range */
    {SUITE_ROW("both-transposed", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_TRANSPOSED, .other_layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("both-columns", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_COLUMNS, .other_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("both-stepped2", SMOKE, SELF, .dtypes = SOME), ALIKE(1, 77), .self_layout = LAYOUT_STEPPED2,
     .other_layout = LAYOUT_STEPPED2},
    {SUITE_ROW("transposed-and-columns", STANDARD, SELF, .dtypes = SOME), ALIKE(2, 17, 23),
     .self_layout = LAYOUT_TRANSPOSED_BLOCK, .other_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("permuted-and-reversed", SMOKE, SELF, .dtypes = SOME), ALIKE(3, 5, 7, 6),
     .self_layout = LAYOUT_PERMUTED, .other_layout = LAYOUT_REVERSED},
    /* shapes at limits */
    {SUITE_ROW("rank-0", SMOKE, "size_limits layout_grid gaps_untouched"), .self_layout = LAYOUT_OFFSET1,
     .other_layout = LAYOUT_OFFSET3},
    {SUITE_ROW("length-0", SMOKE, "allow_empty size_limits"), ALIKE(1, 0)},
    {SUITE_ROW("length-0-columns", STANDARD, "allow_empty size_limits gaps_untouched"), ALIKE(2, 5, 0),
     .self_layout = LAYOUT_COLUMNS},
    {SUITE_ROW("length-0-rows-of-2", STANDARD, "allow_empty size_limits gaps_untouched"),
     .self = {3, {3, 0, 2}}, .other = {3, {1, 1, 2}}, .self_layout = LAYOUT_STEPPED2},
    {SUITE_ROW("length-1", SMOKE, "size_limits"), ALIKE(1, 1)},
    {SUITE_ROW("length-65", SMOKE, "size_limits"), ALIKE(1, 65)},
    {SUITE_ROW("length-257", STANDARD, "size_limits"), ALIKE(1, 257)},
    {SUITE_ROW("length-65536", STANDARD, "size_limits", .dtypes = 1 << DTYPE_INT64), ALIKE(1, 65536)},
    {SUITE_ROW("length-65537", STANDARD, "size_limits"), ALIKE(1, 65537)},
    {SUITE_ROW("length-200003", STANDARD, "size_limits", .ops = ADD, .dtypes = 1 << DTYPE_FLOAT16),
     ALIKE(1, 200003)},
    {SUITE_ROW("length-70001-stepped", EXHAUSTIVE, "size_limits layout_grid gaps_untouched"), ALIKE(1, 70001),
     .self_layout = LAYOUT_STEPPED2, .other_layout = LAYOUT_OFFSET1},
    {SUITE_ROW("rank-6", STANDARD, SELF), .self = {6, {2, 3, 2, 5, 3, 2}}, .other = {6, {2, 3, 1, 5, 1, 2}},
     .self_layout = LAYOUT_REVERSED},
    /* values */
    {SUITE_ROW("random", SMOKE, "signed_bias"), ALIKE(1, 1031), .data = DATA_RANDOM},
    {SUITE_ROW("random-transposed", STANDARD, "signed_bias allow_non_contiguous"), ALIKE(2, 41, 29),
     .self_layout = LAYOUT_TRANSPOSED, .other_layout = LAYOUT_COLUMNS, .data = DATA_RANDOM},
    {SUITE_ROW("wide-exponents", STANDARD, "exponents"), ALIKE(1, 4096), .data = DATA_WIDE},
    {SUITE_ROW("specials", SMOKE, "special_values"), .data = DATA_SPECIALS},
    {SUITE_ROW("specials-stepped", STANDARD, "special_values allow_non_contiguous"),
     .self_layout = LAYOUT_STEPPED2, .other_layout = LAYOUT_TRANSPOSED, .data = DATA_SPECIALS},
    {SUITE_ROW("overflow", SMOKE, "special_values", .ops = ADD, .dtypes = FLOATS), ALIKE(1, 403),
     .data = DATA_HUGE},
    {SUITE_ROW("overflow", SMOKE, "special_values", .ops = MUL, .dtypes = FLOATS & ~(1 << DTYPE_FLOAT64)),
     ALIKE(1, 403), .data = DATA_HUGE}, /* not in float64, where every truth would be infinite */
    {SUITE_ROW("wraparound", SMOKE, "integers_exact", .dtypes = INTEGERS), ALIKE(1, 403), .data = DATA_HUGE},
    {SUITE_ROW("beyond-2^24", SMOKE, "integers_exact", .dtypes = INTEGERS), ALIKE(1, 257),
     .data = DATA_ODD_LARGE},
    {SUITE_ROW("beyond-2^24-transposed", STANDARD, "integers_exact allow_non_contiguous", .dtypes = INTEGERS),
     ALIKE(2, 13, 21), .self_layout = LAYOUT_TRANSPOSED, .other_layout = LAYOUT_STEPPED3,
     .data = DATA_ODD_LARGE},
    {SUITE_ROW("full-significands", STANDARD, "signed_bias", .dtypes = FLOATS), ALIKE(1, 777),
     .data = DATA_ODD_LARGE},
    {SUITE_ROW("subnormals", STANDARD, "special_values", .ops = ADD, .dtypes = FLOATS), ALIKE(1, 301),
     .data = DATA_TINY},
    {SUITE_ROW("subnormal-products", STANDARD, "special_values", .ops = MUL, .dtypes = FLOATS), ALIKE(1, 301),
     .data = DATA_SMALL_PRODUCTS},
    {SUITE_ROW("cancelling", SMOKE, "special_values"), ALIKE(1, 129), .data = DATA_CANCELLING},
    /* alpha: every value is a float16 number, so that the product rounds in no dtype in which self is
     * exact */
    {ALPHA("alpha-2", SMOKE, ALL, INTEGERS, 2)},
    {ALPHA("alpha-minus-1", SMOKE, ALL, INTEGERS, -1)},
    {ALPHA("alpha-0", SMOKE, ALL, INTEGERS, 0)},
    {ALPHA("alpha-3", STANDARD, ALL, INTEGERS, 3), .self_layout = LAYOUT_TRANSPOSED,
     .other_layout = LAYOUT_TRANSPOSED},
    {ALPHA("alpha-half", SMOKE, FLOATS, INTEGERS, 0.5)},
    {ALPHA("alpha-1", STANDARD, ALL, INTEGERS, 1), .self_layout = LAYOUT_COLUMNS,
     .other_layout = LAYOUT_COLUMNS},
    {ALPHA("alpha-3-random", STANDARD, ALL, RANDOM, 3)},
    {ALPHA("alpha-minus-1-random", STANDARD, ALL, RANDOM, -1), .self_layout = LAYOUT_STEPPED2,
     .other_layout = LAYOUT_STEPPED2},
    {ALPHA("alpha-half-random", STANDARD, FLOATS, RANDOM, 0.5), .self_layout = LAYOUT_COLUMNS,
     .other_layout = LAYOUT_COLUMNS},
    {ALPHA("alpha-3-wraparound", STANDARD, INTEGERS, HUGE, 3)},
    {ALPHA("alpha-minus-1-cancelling", STANDARD, ALL, CANCELLING, -1)},
    {ALPHA("alpha-3-subnormals", STANDARD, FLOATS, TINY, 3)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"add_", "mul_"}, .dtypes = ALL,
                                                   .build = build_update, .level = level_beyond_float16_32});
}

const struct suite suite_inplace_inplace = {.declare = declare};

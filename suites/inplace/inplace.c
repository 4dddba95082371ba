/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_: one update per case (every other operator that writes into an operand: grid.c, values.c). Each
 * operand takes every layout while the other keeps its own; then both. Chains and refusals stand in chains.c
 * and refusals.c. */

#include "suites/shared/update.h"

enum {
    ADD = 1,
    MUL = 2,
    BOTH = 3,
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    ALL = FLOATS | INTEGERS,
    SOME = 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_INT32 /* beside the grid of grid.c */
};

struct row {
    const char *name;
    enum level level;
    unsigned ops, dtypes;
    struct shape self, other;
    enum layout self_layout, other_layout;
    enum data data;
    bool has_alpha;
    double alpha;
    const char *covers;
    int line;
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

#define D0                                                                                                   \
    {                                                                                                        \
        .rank = 0                                                                                            \
    }
#define D6(a, b, c, d, e, f)                                                                                 \
    {                                                                                                        \
        6,                                                                                                   \
        {                                                                                                    \
            a, b, c, d, e, f                                                                                 \
        }                                                                                                    \
    }
#define D1(a)                                                                                                \
    {                                                                                                        \
        1,                                                                                                   \
        {                                                                                                    \
            a                                                                                                \
        }                                                                                                    \
    }
#define D2(a, b)                                                                                             \
    {                                                                                                        \
        2,                                                                                                   \
        {                                                                                                    \
            a, b                                                                                             \
        }                                                                                                    \
    }
#define D3(a, b, c)                                                                                          \
    {                                                                                                        \
        3,                                                                                                   \
        {                                                                                                    \
            a, b, c                                                                                          \
        }                                                                                                    \
    }
#define CASE(name_, level_, ops_, dtypes_, self_, layout_, other_, other_layout_, data_, covers_)            \
    {                                                                                                        \
        name_, LEVEL_##level_, ops_, dtypes_, self_, other_, LAYOUT_##layout_, LAYOUT_##other_layout_,       \
            DATA_##data_, false, 0, covers_, __LINE__                                                        \
    }
#define ALPHA(name_, level_, dtypes_, data_, layout_, alpha_)                                                \
    {                                                                                                        \
        name_, LEVEL_##level_, ADD, dtypes_, D2(11, 29), D2(11, 29), LAYOUT_##layout_, LAYOUT_##layout_,     \
            DATA_##data_, true, alpha_, "flags allow_non_contiguous", __LINE__                               \
    }
#define SELF  "layout_grid poison self_encoding allow_non_contiguous gaps_untouched"
#define OTHER "layout_grid poison self_encoding"

static const struct row rows[] = {
    CASE("contiguous", SMOKE, BOTH, ALL, D2(17, 23), CONTIGUOUS, D2(17, 23), CONTIGUOUS, INTEGERS, OTHER),
    /* self in every layout */
    CASE("self-transposed", SMOKE, BOTH, SOME, D2(17, 23), TRANSPOSED, D2(17, 23), CONTIGUOUS, INTEGERS,
         SELF),
    CASE("self-columns", SMOKE, BOTH, SOME, D2(17, 23), COLUMNS, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-rows", STANDARD, BOTH, SOME, D2(17, 23), ROWS, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-block", STANDARD, BOTH, SOME, D2(17, 23), BLOCK, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-stepped2", SMOKE, BOTH, SOME, D2(17, 23), STEPPED2, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-stepped3", STANDARD, BOTH, SOME, D2(17, 23), STEPPED3, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-rows-stepped", STANDARD, BOTH, SOME, D2(17, 23), ROWS_STEPPED, D2(17, 23), CONTIGUOUS,
         INTEGERS, SELF),
    CASE("self-offset1", SMOKE, BOTH, SOME, D1(131), OFFSET1, D1(131), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-offset3", STANDARD, BOTH, SOME, D2(17, 23), OFFSET3, D2(17, 23), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-column", STANDARD, BOTH, SOME, D2(37, 1), COLUMNS, D2(37, 1), CONTIGUOUS, INTEGERS, SELF),
    CASE("self-transposed-block", STANDARD, BOTH, SOME, D2(17, 23), TRANSPOSED_BLOCK, D2(17, 23), CONTIGUOUS,
         INTEGERS, SELF),
    CASE("self-permuted-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), PERMUTED, D3(5, 7, 6), CONTIGUOUS, INTEGERS,
         SELF),
    CASE("self-reversed-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), REVERSED, D3(5, 7, 6), CONTIGUOUS, INTEGERS,
         SELF),
    CASE("self-block-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), BLOCK, D3(5, 7, 6), CONTIGUOUS, INTEGERS, SELF),
    /* other in every layout */
    CASE("other-transposed", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), TRANSPOSED, INTEGERS,
         OTHER),
    CASE("other-columns", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), COLUMNS, INTEGERS, OTHER),
    CASE("other-rows", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), ROWS, INTEGERS, OTHER),
    CASE("other-block", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), BLOCK, INTEGERS, OTHER),
    CASE("other-stepped2", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), STEPPED2, INTEGERS, OTHER),
    CASE("other-stepped3", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), STEPPED3, INTEGERS,
         OTHER),
    CASE("other-rows-stepped", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), ROWS_STEPPED,
         INTEGERS, OTHER),
    CASE("other-offset1", STANDARD, BOTH, SOME, D1(131), CONTIGUOUS, D1(131), OFFSET1, INTEGERS, OTHER),
    CASE("other-offset3", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), OFFSET3, INTEGERS, OTHER),
    CASE("other-transposed-block", STANDARD, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 23), TRANSPOSED_BLOCK,
         INTEGERS, OTHER),
    CASE("other-permuted-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), CONTIGUOUS, D3(5, 7, 6), PERMUTED, INTEGERS,
         OTHER),
    CASE("other-reversed-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), CONTIGUOUS, D3(5, 7, 6), REVERSED, INTEGERS,
         OTHER),
    CASE("other-block-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), CONTIGUOUS, D3(5, 7, 6), BLOCK, INTEGERS,
         OTHER),
    /* other broadcasts, beside a self that is whole or a slice */
    CASE("other-scalar", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D0, CONTIGUOUS, INTEGERS, OTHER),
    CASE("other-one-element", STANDARD, BOTH, SOME, D2(17, 23), COLUMNS, D1(1), OFFSET1, INTEGERS, SELF),
    CASE("other-row", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D1(23), CONTIGUOUS, INTEGERS, OTHER),
    CASE("other-row-2d", STANDARD, BOTH, SOME, D2(17, 23), TRANSPOSED, D2(1, 23), STEPPED2, INTEGERS, SELF),
    CASE("other-column-2d", SMOKE, BOTH, SOME, D2(17, 23), CONTIGUOUS, D2(17, 1), CONTIGUOUS, INTEGERS,
         OTHER),
    CASE("other-fewer-dims", STANDARD, BOTH, SOME, D3(5, 7, 6), CONTIGUOUS, D2(7, 6), TRANSPOSED, INTEGERS,
         OTHER),
    CASE("other-middle-3d", STANDARD, BOTH, SOME, D3(5, 7, 6), REVERSED, D3(5, 1, 6), PERMUTED, INTEGERS,
         SELF),
    CASE("other-scalar-self-columns", STANDARD, BOTH, SOME, D2(17, 5), COLUMNS, D0, OFFSET3, INTEGERS, SELF),
    /* both; equal gaps must not become one long copy */
    CASE("both-transposed", STANDARD, BOTH, SOME, D2(17, 23), TRANSPOSED, D2(17, 23), TRANSPOSED, INTEGERS,
         SELF),
    CASE("both-columns", STANDARD, BOTH, SOME, D2(17, 23), COLUMNS, D2(17, 23), COLUMNS, INTEGERS, SELF),
    CASE("both-stepped2", SMOKE, BOTH, SOME, D1(77), STEPPED2, D1(77), STEPPED2, INTEGERS, SELF),
    CASE("transposed-and-columns", STANDARD, BOTH, SOME, D2(17, 23), TRANSPOSED_BLOCK, D2(17, 23), COLUMNS,
         INTEGERS, SELF),
    CASE("permuted-and-reversed", SMOKE, BOTH, SOME, D3(5, 7, 6), PERMUTED, D3(5, 7, 6), REVERSED, INTEGERS,
         SELF),
    /* shapes at limits */
    CASE("rank-0", SMOKE, BOTH, ALL, D0, OFFSET1, D0, OFFSET3, INTEGERS,
         "size_limits layout_grid gaps_untouched"),
    CASE("length-0", SMOKE, BOTH, ALL, D1(0), CONTIGUOUS, D1(0), CONTIGUOUS, INTEGERS,
         "allow_empty size_limits"),
    CASE("length-0-columns", STANDARD, BOTH, ALL, D2(5, 0), COLUMNS, D2(5, 0), CONTIGUOUS, INTEGERS,
         "allow_empty size_limits gaps_untouched"),
    CASE("length-0-rows-of-2", STANDARD, BOTH, ALL, D3(3, 0, 2), STEPPED2, D3(1, 1, 2), CONTIGUOUS, INTEGERS,
         "allow_empty size_limits gaps_untouched"),
    CASE("length-1", SMOKE, BOTH, ALL, D1(1), CONTIGUOUS, D1(1), CONTIGUOUS, INTEGERS, "size_limits"),
    CASE("length-65", SMOKE, BOTH, ALL, D1(65), CONTIGUOUS, D1(65), CONTIGUOUS, INTEGERS, "size_limits"),
    CASE("length-257", STANDARD, BOTH, ALL, D1(257), CONTIGUOUS, D1(257), CONTIGUOUS, INTEGERS,
         "size_limits"),
    CASE("length-65536", STANDARD, BOTH, 1 << DTYPE_INT64, D1(65536), CONTIGUOUS, D1(65536), CONTIGUOUS,
         INTEGERS, "size_limits"),
    CASE("length-65537", STANDARD, BOTH, ALL, D1(65537), CONTIGUOUS, D1(65537), CONTIGUOUS, INTEGERS,
         "size_limits"),
    CASE("length-200003", STANDARD, ADD, 1 << DTYPE_FLOAT16, D1(200003), CONTIGUOUS, D1(200003), CONTIGUOUS,
         INTEGERS, "size_limits"),
    CASE("length-70001-stepped", EXHAUSTIVE, BOTH, ALL, D1(70001), STEPPED2, D1(70001), OFFSET1, INTEGERS,
         "size_limits layout_grid gaps_untouched"),
    CASE("rank-6", STANDARD, BOTH, ALL, D6(2, 3, 2, 5, 3, 2), REVERSED, D6(2, 3, 1, 5, 1, 2), CONTIGUOUS,
         INTEGERS, SELF),
    /* values */
    CASE("random", SMOKE, BOTH, ALL, D1(1031), CONTIGUOUS, D1(1031), CONTIGUOUS, RANDOM, "signed_bias"),
    CASE("random-transposed", STANDARD, BOTH, ALL, D2(41, 29), TRANSPOSED, D2(41, 29), COLUMNS, RANDOM,
         "signed_bias allow_non_contiguous"),
    CASE("wide-exponents", STANDARD, BOTH, ALL, D1(4096), CONTIGUOUS, D1(4096), CONTIGUOUS, WIDE,
         "exponents"),
    CASE("specials", SMOKE, BOTH, ALL, D1(0), CONTIGUOUS, D1(0), CONTIGUOUS, SPECIALS, "special_values"),
    CASE("specials-stepped", STANDARD, BOTH, ALL, D1(0), STEPPED2, D1(0), TRANSPOSED, SPECIALS,
         "special_values allow_non_contiguous"),
    CASE("overflow", SMOKE, ADD, FLOATS, D1(403), CONTIGUOUS, D1(403), CONTIGUOUS, HUGE, "special_values"),
    CASE("overflow", SMOKE, MUL, FLOATS & ~(1 << DTYPE_FLOAT64), D1(403), CONTIGUOUS, D1(403), CONTIGUOUS,
         HUGE, "special_values"), /* of float64 every truth would be infinite */
    CASE("wraparound", SMOKE, BOTH, INTEGERS, D1(403), CONTIGUOUS, D1(403), CONTIGUOUS, HUGE,
         "integers_exact"),
    CASE("beyond-2^24", SMOKE, BOTH, INTEGERS, D1(257), CONTIGUOUS, D1(257), CONTIGUOUS, ODD_LARGE,
         "integers_exact"),
    CASE("beyond-2^24-transposed", STANDARD, BOTH, INTEGERS, D2(13, 21), TRANSPOSED, D2(13, 21), STEPPED3,
         ODD_LARGE, "integers_exact allow_non_contiguous"),
    CASE("full-significands", STANDARD, BOTH, FLOATS, D1(777), CONTIGUOUS, D1(777), CONTIGUOUS, ODD_LARGE,
         "signed_bias"),
    CASE("subnormals", STANDARD, ADD, FLOATS, D1(301), CONTIGUOUS, D1(301), CONTIGUOUS, TINY,
         "special_values"),
    CASE("subnormal-products", STANDARD, MUL, FLOATS, D1(301), CONTIGUOUS, D1(301), CONTIGUOUS,
         SMALL_PRODUCTS, "special_values"),
    CASE("cancelling", SMOKE, BOTH, ALL, D1(129), CONTIGUOUS, D1(129), CONTIGUOUS, CANCELLING,
         "special_values"),
    /* alpha: every value a number of float16, so that the product rounds in no dtype where self is exact */
    ALPHA("alpha-2", SMOKE, ALL, INTEGERS, CONTIGUOUS, 2),
    ALPHA("alpha-minus-1", SMOKE, ALL, INTEGERS, CONTIGUOUS, -1),
    ALPHA("alpha-0", SMOKE, ALL, INTEGERS, CONTIGUOUS, 0),
    ALPHA("alpha-3", STANDARD, ALL, INTEGERS, TRANSPOSED, 3),
    ALPHA("alpha-half", SMOKE, FLOATS, INTEGERS, CONTIGUOUS, 0.5),
    ALPHA("alpha-1", STANDARD, ALL, INTEGERS, COLUMNS, 1),
    ALPHA("alpha-3-random", STANDARD, ALL, RANDOM, CONTIGUOUS, 3),
    ALPHA("alpha-minus-1-random", STANDARD, ALL, RANDOM, STEPPED2, -1),
    ALPHA("alpha-half-random", STANDARD, FLOATS, RANDOM, COLUMNS, 0.5),
    ALPHA("alpha-3-wraparound", STANDARD, INTEGERS, HUGE, CONTIGUOUS, 3),
    ALPHA("alpha-minus-1-cancelling", STANDARD, ALL, CANCELLING, CONTIGUOUS, -1),
    ALPHA("alpha-3-subnormals", STANDARD, FLOATS, TINY, CONTIGUOUS, 3),
};

static void declare(struct suite_list *list)
{
    static const struct {
        unsigned bit;
        const char *name;
    } ops[] = {{ADD, "add_"}, {MUL, "mul_"}};
    for (int o = 0; o < 2; o++) {
        const struct op *op = op_find(ops[o].name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                if ((rows[r].ops & ops[o].bit) && (rows[r].dtypes >> d & 1)) {
                    suite_declare(list, &(struct suite_case){
                                            .op = op,
                                            .dtype = (enum dtype)d,
                                            .name = rows[r].name,
                                            .level = level_beyond_float16_32(rows[r].level, (enum dtype)d),
                                            .covers = rows[r].covers,
                                            .file = __FILE__,
                                            .line = rows[r].line,
                                            .build = build_update,
                                            .row = &rows[r]});
                }
            }
        }
    }
}

const struct suite suite_inplace_inplace = {.declare = declare};

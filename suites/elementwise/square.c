/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* square: special values, every float16, all exponents, layouts. */

#include "suites/shared/data.h"

struct row {
    const char *name;
    enum level level;
    int64_t length;
    enum layout layout;
    bool specials, five; /* five dimensions, not two */
    const char *covers;
    int line;
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    uint64_t special[SPECIALS_MAX];
    int64_t length = row->specials ? special_bits(b->c->dtype, special) : row->length;
    struct shape shape = row->five ? shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)5, (int64_t)3)
                                   : shape_of(2, length / 16, (int64_t)16);
    struct view x = row->layout == LAYOUT_CONTIGUOUS ? build_vector(b, b->c->dtype, length)
                                                     : build_tensor(b, b->c->dtype, &shape, row->layout);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < length; i++) {
        build_set_bits(b, &x, i, 0,
                       row->specials ? special[i] : data_any_exponent(&generator, b->c->dtype, i));
    }
    build_unary(b, b->c->op, &x);
}

#define CASE(name_, level_, length_, layout_, covers_)                                                       \
    {                                                                                                        \
        name_, LEVEL_##level_, length_, LAYOUT_##layout_, length_ == 0, length_ == 180, covers_, __LINE__    \
    }

static const struct row rows[] = {
    CASE("specials", SMOKE, 0, CONTIGUOUS, "special_values"),
    CASE("exponents", SMOKE, 4096, CONTIGUOUS, "exponents signed_bias"),
    CASE("transposed", SMOKE, 512, TRANSPOSED, "layout_grid poison"),
    CASE("stepped3", STANDARD, 512, STEPPED3, "layout_grid poison"),
    CASE("far", STANDARD, 512, FAR, "layout_grid poison"),
    /* whose last element, shown everywhere, has a square in every range */
    CASE("expanded", STANDARD, 1168, EXPANDED, "expanded"),
    CASE("expanded-rows", STANDARD, 512, EXPANDED_ROWS, "expanded"),
    CASE("rank-5-reversed", STANDARD, 180, REVERSED, "layout_grid poison"),
    CASE("rank-5-permuted", STANDARD, 180, PERMUTED, "layout_grid poison"),
    CASE("rank-5-heads", STANDARD, 180, HEADS, "layout_grid poison"),
    CASE("offset1", STANDARD, 512, OFFSET1, "layout_grid poison"),
};

static void declare(struct suite_list *list)
{
    const struct op *op = op_find("square");
    for (int d = 0; d < DTYPE_COUNT; d++) {
        for (size_t r = 0; op->dtypes >> d & 1 && r < sizeof rows / sizeof *rows; r++) {
            suite_declare(list, &(struct suite_case){.op = op,
                                                     .dtype = (enum dtype)d,
                                                     .name = rows[r].name,
                                                     .level = rows[r].level,
                                                     .covers = rows[r].covers,
                                                     .file = __FILE__,
                                                     .line = rows[r].line,
                                                     .build = build,
                                                     .row = &rows[r]});
        }
    }
}

const struct suite suite_elementwise_square = {.declare = declare};

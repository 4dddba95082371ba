/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_: operands that must be refused with nothing written, and their near neighbours that must be
 * accepted. */

#include "suites/update.h"

struct row {
    const char *name;
    enum level level;
    unsigned dtypes;
    bool add_only;
    bool (*build)(struct builder *b);
    const char *covers;
    int line;
};

static void refuse(struct builder *b, const struct view *self, const struct view *other,
                   const struct attributes *attributes)
{
    struct view operands[2] = {*self, *other};
    build_rejection(b, b->c->op, attributes, 2, operands);
}

/* self: one row shown five times (stride 0). */
static bool expanded_rows(struct builder *b)
{
    struct shape held = shape_of(2, (int64_t)1, (int64_t)6), full = shape_of(2, (int64_t)5, (int64_t)6);
    struct view row = update_operand(b, &held, 0, 0), other = update_operand(b, &full, 1, 1);
    struct view self = view_broadcast(&row, &full);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool expanded_columns(struct builder *b)
{
    struct shape held = shape_of(2, (int64_t)5, (int64_t)1), full = shape_of(2, (int64_t)5, (int64_t)6);
    struct view column = update_operand(b, &held, 0, 0), other = update_operand(b, &full, 1, 1);
    struct view self = view_broadcast(&column, &full);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

/* A dimension of stride 0 and length 1 repeats nothing: accepted. */
static bool expanded_once(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)1, (int64_t)6);
    struct view self = update_operand(b, &shape, 0, 0), other = update_operand(b, &shape, 1, 1);
    self.stride[0] = 0;
    update_exactly(b, b->c->op, &self, &other);
    return build_done(b);
}

/* Windows of three, one apart: every inner element belongs to three of them. */
static bool overlapping_windows(struct builder *b)
{
    struct view line = build_vector(b, b->c->dtype, 8);
    update_fill(b, &line, DATA_INTEGERS, 0, 0);
    struct shape shape = shape_of(2, (int64_t)6, (int64_t)3);
    struct view other = update_operand(b, &shape, 1, 1), self = line;
    self.shape = shape;
    self.stride[0] = self.stride[1] = 1;
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

/* Windows of three, three apart: no element twice, accepted. */
static bool touching_windows(struct builder *b)
{
    struct view line = build_vector(b, b->c->dtype, 18);
    update_fill(b, &line, DATA_INTEGERS, 0, 0);
    struct shape shape = shape_of(2, (int64_t)6, (int64_t)3);
    struct view other = update_operand(b, &shape, 1, 1), self = line;
    self.shape = shape;
    self.stride[0] = 3;
    self.stride[1] = 1;
    update_exactly(b, b->c->op, &self, &other);
    return build_done(b);
}

/* b[1:] ← b[:-1], and the other way. */
static bool shifted(struct builder *b, int64_t self_start, int64_t other_start)
{
    struct view line = build_vector(b, b->c->dtype, 40);
    update_fill(b, &line, DATA_INTEGERS, 0, 0);
    struct view self = view_window(&line, self_start, 39, 1), other = view_window(&line, other_start, 39, 1);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool shifted_forward(struct builder *b)
{
    return shifted(b, 1, 0);
}

static bool shifted_backward(struct builder *b)
{
    return shifted(b, 0, 1);
}

static bool own_transpose(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)7, (int64_t)7);
    struct view self = update_operand(b, &shape, 0, 0), other = view_transposed(&self);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

/* x.op_(x[3]): one element of self, broadcast over all of it. */
static bool own_element(struct builder *b)
{
    struct view self = build_vector(b, b->c->dtype, 40);
    update_fill(b, &self, DATA_INTEGERS, 0, 0);
    struct view other = view_window(&self, 3, 1, 1);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool broadcasting_self(struct builder *b)
{
    struct shape small = shape_of(1, (int64_t)6), large = shape_of(2, (int64_t)5, (int64_t)6);
    struct view self = update_operand(b, &small, 0, 0), other = update_operand(b, &large, 1, 1);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool broadcasting_self_of_one(struct builder *b)
{
    struct shape small = shape_of(2, (int64_t)5, (int64_t)1), large = shape_of(2, (int64_t)5, (int64_t)6);
    struct view self = update_operand(b, &small, 0, 0), other = update_operand(b, &large, 1, 1);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool unequal_shapes(struct builder *b)
{
    struct shape five = shape_of(2, (int64_t)5, (int64_t)6), four = shape_of(2, (int64_t)5, (int64_t)4);
    struct view self = update_operand(b, &five, 0, 0), other = update_operand(b, &four, 1, 1);
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool float_into_integer(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)9);
    struct view self = update_operand(b, &shape, 0, 0);
    struct view other = build_tensor(b, DTYPE_FLOAT32, &shape, LAYOUT_CONTIGUOUS);
    update_fill(b, &other, DATA_INTEGERS, 1, 1); /* integral values: the type alone forbids it */
    refuse(b, &self, &other, NULL);
    return build_done(b);
}

static bool fractional_alpha(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)9);
    struct view self = update_operand(b, &shape, 0, 0), other = update_operand(b, &shape, 1, 1);
    struct attributes alpha = update_alpha(b->c->dtype, true, 0.5);
    refuse(b, &self, &other, &alpha);
    return build_done(b);
}

/* A refusal between two updates: the program goes on, and the refused one left no trace. */
static bool refused_between(struct builder *b)
{
    struct view line = build_vector(b, b->c->dtype, 40);
    update_fill(b, &line, DATA_INTEGERS, 0, 0);
    struct shape shape = shape_of(1, (int64_t)40);
    struct view other = update_operand(b, &shape, 1, 1);
    struct view head = view_window(&line, 0, 39, 1), tail = view_window(&line, 1, 39, 1);
    struct view ones = build_vector(b, b->c->dtype, 40);
    for (int i = 0; i < 40; i++) {
        build_set(b, &ones, i, i % 3 - 1);
    }
    update_exactly(b, b->c->op, &line, &other);
    refuse(b, &tail, &head, NULL);
    update_exactly(b, b->c->op, &line, &ones);
    return build_done(b);
}

#define CASE(...)                                                                                            \
    {                                                                                                        \
        __VA_ARGS__, __LINE__                                                                                \
    }

enum { INT32 = 1 << DTYPE_INT32, ALL = 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | INT32 };

static const struct row rows[] = {
    CASE("refuse-expanded-rows", LEVEL_SMOKE, ALL, false, expanded_rows, "reject_expanded"),
    CASE("refuse-expanded-columns", LEVEL_STANDARD, ALL, false, expanded_columns, "reject_expanded"),
    CASE("refuse-overlapping-windows", LEVEL_STANDARD, ALL, false, overlapping_windows, "reject_expanded"),
    CASE("refuse-shifted-forward", LEVEL_SMOKE, ALL, false, shifted_forward, "reject_shifted"),
    CASE("refuse-shifted-backward", LEVEL_STANDARD, ALL, false, shifted_backward, "reject_shifted"),
    CASE("refuse-own-transpose", LEVEL_SMOKE, ALL, false, own_transpose, "reject_shifted"),
    CASE("refuse-own-element", LEVEL_STANDARD, ALL, false, own_element, "reject_shifted"),
    CASE("refuse-broadcasting-self", LEVEL_SMOKE, ALL, false, broadcasting_self, "reject_broadcasting_self"),
    CASE("refuse-broadcasting-self-of-1", LEVEL_STANDARD, ALL, false, broadcasting_self_of_one,
         "reject_broadcasting_self"),
    CASE("refuse-unequal-shapes", LEVEL_STANDARD, ALL, false, unequal_shapes, "reject_broadcasting_self"),
    CASE("refuse-float-other", LEVEL_SMOKE, INT32, false, float_into_integer, "reject_integer_plus_float"),
    CASE("refuse-fractional-alpha", LEVEL_SMOKE, INT32, true, fractional_alpha,
         "reject_integer_plus_float flags"),
    CASE("refused-between-updates", LEVEL_SMOKE, ALL, false, refused_between, "reject_shifted order"),
    CASE("accept-expanded-once", LEVEL_STANDARD, ALL, false, expanded_once, "allow_non_contiguous"),
    CASE("accept-touching-windows", LEVEL_STANDARD, ALL, false, touching_windows, "allow_non_contiguous"),
};

static bool build_row(const struct suite_case *c, uint64_t seed, struct program *program, struct error *error)
{
    struct builder b = builder_of(c, seed, program, error);
    return ((const struct row *)c->row)->build(&b);
}

static void declare(struct suite_list *list)
{
    const struct op *ops[] = {op_find("add_"), op_find("mul_")};
    for (int o = 0; o < 2; o++) {
        for (int d = 0; ops[o] && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                if ((rows[r].dtypes >> d & 1) && (o == 0 || !rows[r].add_only)) {
                    suite_declare(list, &(struct suite_case){.op = ops[o],
                                                             .dtype = (enum dtype)d,
                                                             .name = rows[r].name,
                                                             .level = rows[r].level,
                                                             .covers = rows[r].covers,
                                                             .file = __FILE__,
                                                             .line = rows[r].line,
                                                             .build = build_row,
                                                             .row = &rows[r]});
                }
            }
        }
    }
}

const struct suite suite_inplace_refusals = {.declare = declare};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operands that must be refused with nothing written, and similar ones that must be accepted. `self` is the
 * written operand, `other` the first one that is read; further operands are tensors of their own. */

#include "suites/inplace/operands.h"
#include "suites/shared/rows.h"

/* The operators that a row is for. fill_ reads nothing and is idempotent. */
enum group {
    READING, /* all with a second operand */
    /* READING without masked_fill_: PyTorch writes through an expanded self, and its mask is no float */
    OVERLAPPING,
    WINDOWS,    /* add_, mul_, copy_, add_out: one operator for each way in which libraries check */
    GROWING,    /* READING that write into self: `out` may be resized */
    ARITHMETIC, /* READING that compute and accept integers */
    WITH_ALPHA,
    FLOATING /* those whose results are no integers */
};

struct row {
    struct suite_row row;
    enum group group;
};

static const struct writes *subject(const struct builder *b)
{
    return writes_find(b->c->op->name);
}

static int read_first(const struct writes *w)
{
    return w->written == 0 ? 1 : 0;
}

static struct view other_operand(struct builder *b, const struct shape *shape)
{
    const struct writes *w = subject(b);
    return writes_operand(b, w, read_first(w), shape, LAYOUT_CONTIGUOUS, DATA_INTEGERS);
}

static struct view written_operand(struct builder *b, const struct shape *shape)
{
    return writes_operand(b, subject(b), subject(b)->written, shape, LAYOUT_CONTIGUOUS, DATA_INTEGERS);
}

static struct view written_line(struct builder *b, int64_t length)
{
    struct shape shape = shape_of(1, length);
    return written_operand(b, &shape);
}

static void place(struct builder *b, const struct view *self, const struct view *other,
                  struct view operand[WRITES_OPERANDS])
{
    const struct writes *w = subject(b);
    for (int k = 0; k < w->operands; k++) {
        operand[k] = k == w->written ? *self
                     : k == read_first(w)
                         ? *other
                         : writes_operand(b, w, k, &self->shape, LAYOUT_CONTIGUOUS, DATA_INTEGERS);
    }
}

static void refuse(struct builder *b, const struct view *self, const struct view *other,
                   const struct attributes *attributes)
{
    const struct writes *w = subject(b);
    struct attributes usual = {.count = 0};
    if (w->attribute) {
        usual = writes_attribute(b->c->dtype, w->attribute, w->value);
    }
    struct view operand[WRITES_OPERANDS];
    place(b, self, other, operand);
    build_rejection(b, b->c->op, attributes ? attributes : &usual, w->operands, operand);
}

static void accept_exactly(struct builder *b, const struct view *self, const struct view *other)
{
    struct view operand[WRITES_OPERANDS];
    place(b, self, other, operand);
    writes_step(b, subject(b), subject(b)->operands, operand, NULL, true);
}

/* self is one row expanded to five (stride 0). */
static void expanded_rows(struct builder *b)
{
    struct shape held = shape_of(2, (int64_t)1, (int64_t)6), full = shape_of(2, (int64_t)5, (int64_t)6);
    struct view row = written_operand(b, &held), other = other_operand(b, &full);
    struct view self = view_broadcast(&row, &full);
    refuse(b, &self, &other, NULL);
}

static void expanded_columns(struct builder *b)
{
    struct shape held = shape_of(2, (int64_t)5, (int64_t)1), full = shape_of(2, (int64_t)5, (int64_t)6);
    struct view column = written_operand(b, &held), other = other_operand(b, &full);
    struct view self = view_broadcast(&column, &full);
    refuse(b, &self, &other, NULL);
}

/* A dimension of stride 0 and length 1 repeats nothing: accepted. */
static void expanded_once(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)1, (int64_t)6);
    struct view self = written_operand(b, &shape), other = other_operand(b, &shape);
    self.stride[0] = 0;
    accept_exactly(b, &self, &other);
}

/* Windows of three elements, one apart: every inner element is in three of them. */
static void overlapping_windows(struct builder *b)
{
    struct view line = written_line(b, 8);
    struct shape shape = shape_of(2, (int64_t)6, (int64_t)3);
    struct view other = other_operand(b, &shape), self = line;
    self.shape = shape;
    self.stride[0] = self.stride[1] = 1;
    refuse(b, &self, &other, NULL);
}

/* Windows of three elements, three apart: no element is in two of them; accepted. */
static void touching_windows(struct builder *b)
{
    struct view line = written_line(b, 18);
    struct shape shape = shape_of(2, (int64_t)6, (int64_t)3);
    struct view other = other_operand(b, &shape), self = line;
    self.shape = shape;
    self.stride[0] = 3;
    self.stride[1] = 1;
    accept_exactly(b, &self, &other);
}

/* x.op_(x): accepted, because the operator reads each element before it writes it. */
static void self_alias(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)13, (int64_t)7);
    struct view self =
        writes_operand(b, subject(b), subject(b)->written, &shape, LAYOUT_TRANSPOSED_BLOCK, DATA_INTEGERS);
    struct view operand[WRITES_OPERANDS];
    place(b, &self, &self, operand);
    writes_step(b, subject(b), subject(b)->operands, operand, NULL, false);
}

/* b[1:] ← b[:-1], and the reverse. */
static void shifted(struct builder *b, int64_t self_start, int64_t other_start)
{
    struct view line = written_line(b, 40);
    struct view self = view_window(&line, self_start, 39, 1), other = view_window(&line, other_start, 39, 1);
    refuse(b, &self, &other, NULL);
}

static void shifted_forward(struct builder *b)
{
    shifted(b, 1, 0);
}

static void shifted_backward(struct builder *b)
{
    shifted(b, 0, 1);
}

static void own_transpose(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)7, (int64_t)7);
    struct view self = written_operand(b, &shape), other = view_transposed(&self);
    refuse(b, &self, &other, NULL);
}

/* x.op_(x[3]): one element of self broadcasts over self. */
static void own_element(struct builder *b)
{
    struct view self = written_line(b, 40);
    struct view other = view_window(&self, 3, 1, 1);
    refuse(b, &self, &other, NULL);
}

static void broadcasting_self(struct builder *b)
{
    struct shape small = shape_of(1, (int64_t)6), large = shape_of(2, (int64_t)5, (int64_t)6);
    struct view self = written_operand(b, &small), other = other_operand(b, &large);
    refuse(b, &self, &other, NULL);
}

static void broadcasting_self_of_one(struct builder *b)
{
    struct shape small = shape_of(2, (int64_t)5, (int64_t)1), large = shape_of(2, (int64_t)5, (int64_t)6);
    struct view self = written_operand(b, &small), other = other_operand(b, &large);
    refuse(b, &self, &other, NULL);
}

static void unequal_shapes(struct builder *b)
{
    struct shape five = shape_of(2, (int64_t)5, (int64_t)6), four = shape_of(2, (int64_t)5, (int64_t)4);
    struct view self = written_operand(b, &five), other = other_operand(b, &four);
    refuse(b, &self, &other, NULL);
}

static void float_into_integer(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)9);
    struct view self = written_operand(b, &shape);
    struct view other = build_tensor(b, DTYPE_FLOAT32, &shape, LAYOUT_CONTIGUOUS);
    update_fill(b, &other, DATA_INTEGERS, 1, 1); /* integral values: only the dtype is wrong */
    refuse(b, &self, &other, NULL);
}

static void fractional_alpha(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)9);
    struct view self = written_operand(b, &shape), other = other_operand(b, &shape);
    struct attributes alpha = update_alpha(b->c->dtype, true, 0.5);
    refuse(b, &self, &other, &alpha);
}

/* A refused update between two accepted ones: the program goes on, and the refused update has changed
 * nothing. */
static void refused_between(struct builder *b)
{
    struct view line = written_line(b, 40);
    struct shape shape = shape_of(1, (int64_t)40);
    struct view other = other_operand(b, &shape);
    struct view head = view_window(&line, 0, 39, 1), tail = view_window(&line, 1, 39, 1);
    accept_exactly(b, &line, &other);
    refuse(b, &tail, &head, NULL);
    accept_exactly(b, &line, &other);
}

static void integer_quotient(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)9);
    struct view self = written_operand(b, &shape), other = other_operand(b, &shape);
    refuse(b, &self, &other, NULL);
}

enum {
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
    ALL = 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_INT32
};

static const struct row rows[] = {
    {SUITE_ROW("refuse-expanded-rows", SMOKE, "reject_expanded", .build = expanded_rows),
     .group = OVERLAPPING},
    {SUITE_ROW("refuse-expanded-columns", STANDARD, "reject_expanded", .build = expanded_columns),
     .group = OVERLAPPING},
    {SUITE_ROW("refuse-overlapping-windows", STANDARD, "reject_expanded", .build = overlapping_windows),
     .group = WINDOWS},
    {SUITE_ROW("refuse-shifted-forward", SMOKE, "reject_shifted", .build = shifted_forward),
     .group = OVERLAPPING},
    {SUITE_ROW("refuse-shifted-backward", STANDARD, "reject_shifted", .build = shifted_backward),
     .group = OVERLAPPING},
    {SUITE_ROW("refuse-own-transpose", SMOKE, "reject_shifted", .build = own_transpose),
     .group = OVERLAPPING},
    {SUITE_ROW("refuse-own-element", STANDARD, "reject_shifted", .build = own_element), .group = OVERLAPPING},
    {SUITE_ROW("refuse-broadcasting-self", SMOKE, "reject_broadcasting_self", .build = broadcasting_self),
     .group = GROWING},
    {SUITE_ROW("refuse-broadcasting-self-of-1", STANDARD, "reject_broadcasting_self",
               .build = broadcasting_self_of_one),
     .group = GROWING},
    {SUITE_ROW("refuse-unequal-shapes", STANDARD, "reject_broadcasting_self", .build = unequal_shapes),
     .group = GROWING},
    {SUITE_ROW("refuse-float-other", SMOKE, "reject_integer_plus_float", .build = float_into_integer,
               .dtypes = INTEGERS),
     .group = ARITHMETIC},
    {SUITE_ROW("refuse-fractional-alpha", SMOKE, "reject_integer_plus_float flags", .build = fractional_alpha,
               .dtypes = INTEGERS),
     .group = WITH_ALPHA},
    {SUITE_ROW("refuse-integer-quotient", STANDARD, "reject_integer_plus_float", .build = integer_quotient,
               .dtypes = INTEGERS),
     .group = FLOATING},
    {SUITE_ROW("refused-between-updates", SMOKE, "reject_shifted order", .build = refused_between),
     .group = OVERLAPPING},
    {SUITE_ROW("accept-self-alias", STANDARD, "allow_self_alias", .build = self_alias), .group = OVERLAPPING},
    {SUITE_ROW("accept-expanded-once", STANDARD, "allow_non_contiguous", .build = expanded_once),
     .group = READING},
    {SUITE_ROW("accept-touching-windows", STANDARD, "allow_non_contiguous", .build = touching_windows),
     .group = READING},
};

static bool asks(const void *row, const struct op *op, enum dtype dtype)
{
    const struct writes *w = writes_find(op->name);
    bool integers = w->dtypes >> DTYPE_INT32 & 1, moves = w->role[1] == ROLE_BITS;
    bool mask = w->role[1] == ROLE_MASK, offered = w->dtypes >> dtype & 1;
    switch (((const struct row *)row)->group) {
    case FLOATING:
        return !integers && !(w->cases & WRITES_INTEGERS_OPEN);
    case ARITHMETIC:
        return integers && !moves && !mask;
    case WITH_ALPHA:
        return op_attribute_named(op, "alpha");
    case WINDOWS:
        return (w->cases & WRITES_WINDOWS) && offered;
    case GROWING:
        return w->written == 0 && offered;
    case OVERLAPPING:
        return !mask && offered;
    default:
        return offered;
    }
}

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        const enum level least = writes[w].cases & WRITES_SMOKE ? LEVEL_SMOKE : LEVEL_STANDARD;
        if (writes[w].operands > 1) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {writes[w].name},
                                                           .dtypes = ALL, .asks = asks, .least = least});
        }
    }
}

const struct suite suite_inplace_refusals = {.declare = declare};

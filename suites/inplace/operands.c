/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/inplace/operands.h"

#include <string.h>

enum {
    FLOATS = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64,
    ALL = FLOATS | 1 << DTYPE_INT32 | 1 << DTYPE_INT64
};

#define UNARY(name_, self_role_) .name = name_, .operands = 1, .label = {"self"}, .role = {ROLE_##self_role_}
#define BINARY(name_, other_, self_role_, other_role_)                                                       \
    .name = name_, .operands = 2, .label = {"self", other_}, .role = {ROLE_##self_role_, ROLE_##other_role_}
#define TERNARY(name_, first_, second_, self_role_, first_role_, second_role_)                               \
    .name = name_, .operands = 3, .label = {"self", first_, second_},                                        \
    .role = {ROLE_##self_role_, ROLE_##first_role_, ROLE_##second_role_}
#define OUT(name_, other_role_) TERNARY(name_, "other", "out", TERM, other_role_, TERM), .written = 2
#define VALUE(value_)           .attribute = "value", .value = value_

const struct writes writes[] = {
    {BINARY("add_", "other", TERM, FACTOR), .dtypes = ALL, .exact = true,
     .cases =
         WRITES_TILES | WRITES_FROM_ONE | WRITES_LONG_MORE | WRITES_LONGEST | WRITES_WINDOWS | WRITES_SMOKE},
    {BINARY("sub_", "other", TERM, FACTOR), .dtypes = ALL, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_OVERFLOW | WRITES_SUBNORMALS | WRITES_CANCEL},
    {BINARY("mul_", "other", TERM, FACTOR), .dtypes = ALL, .exact = true,
     .cases = WRITES_FROM_ONE | WRITES_WINDOWS | WRITES_SMOKE},
    {BINARY("div_", "other", TERM, DIVISOR), .dtypes = FLOATS,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_DIVIDE},
    {OUT("add_out", FACTOR), .dtypes = ALL, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_OVERFLOW | WRITES_SUBNORMALS | WRITES_CANCEL |
              WRITES_WINDOWS},
    {OUT("sub_out", FACTOR), .dtypes = ALL, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_OVERFLOW | WRITES_SUBNORMALS | WRITES_CANCEL},
    {OUT("mul_out", FACTOR), .dtypes = ALL, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_PRODUCTS | WRITES_TILES},
    {OUT("div_out", DIVISOR), .dtypes = FLOATS, .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_DIVIDE},
    {TERNARY("addcmul_", "t1", "t2", TERM, FACTOR, FACTOR), .dtypes = ALL, VALUE(2), .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_PRODUCTS},
    {TERNARY("addcdiv_", "t1", "t2", TERM, TERM, DIVISOR), .dtypes = FLOATS, VALUE(2),
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_DIVIDE},
    {TERNARY("lerp_", "end", "weight", END, END, WEIGHT), .dtypes = FLOATS, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_INTEGERS_OPEN},
    {TERNARY("clamp_", "min", "max", TERM, LOW, HIGH), .dtypes = ALL, .exact = true,
     .cases = WRITES_ROUND | WRITES_SPECIALS | WRITES_OVERFLOW | WRITES_SUBNORMALS},
    {BINARY("copy_", "src", BITS, BITS), .dtypes = ALL, .exact = true,
     .cases = WRITES_SPECIALS | WRITES_SUBNORMALS | WRITES_TILES | WRITES_FROM_ONE | WRITES_LONG_MORE |
              WRITES_LONGEST | WRITES_WINDOWS},
    {UNARY("fill_", BITS), .dtypes = ALL, VALUE(-7), .exact = true,
     .cases = WRITES_SPECIALS | WRITES_LONG | WRITES_LONGEST},
    {BINARY("masked_fill_", "mask", BITS, MASK), .dtypes = ALL, VALUE(-7), .exact = true,
     .cases = WRITES_SPECIALS | WRITES_SUBNORMALS},
};

int writes_count(void)
{
    return (int)(sizeof writes / sizeof *writes);
}

const struct writes *writes_find(const char *name)
{
    for (int w = 0; w < writes_count(); w++) {
        if (strcmp(writes[w].name, name) == 0) {
            return &writes[w];
        }
    }
    return NULL;
}

enum dtype writes_dtype(const struct writes *w, enum dtype dtype, int operand)
{
    return w->role[operand] == ROLE_MASK ? DTYPE_BOOL : dtype;
}

/* Returns a number for the role. Every value is one of bfloat16, and so is every result. */
static double of_role(struct philox *generator, enum operand_role role)
{
    switch (role) {
    case ROLE_FACTOR:
        return data_integer(generator, 5);
    case ROLE_DIVISOR: {
        double power = 1 << philox_below(generator, 3);
        return philox_below(generator, 2) ? -power : power;
    }
    case ROLE_END:
        return data_integer(generator, 15);
    case ROLE_WEIGHT:
        return 0.25 * philox_below(generator, 5);
    case ROLE_LOW:
        return -(double)philox_below(generator, 21);
    case ROLE_HIGH:
        return philox_below(generator, 21);
    case ROLE_MASK:
        return philox_below(generator, 2);
    default:
        return data_integer(generator, 40);
    }
}

static void fill_role(struct builder *b, const struct view *view, enum operand_role role, int tensor)
{
    struct philox generator = build_generator(b, tensor);
    int64_t count = shape_elements(&view->shape);
    bool patterns = role == ROLE_BITS || dtype_is_integer(view->dtype);
    for (int64_t i = 0; i < count; i++) {
        if (patterns) {
            build_set_bits(b, view, i, 0, philox_next64(&generator));
        } else {
            build_set(b, view, i, of_role(&generator, role));
        }
    }
}

struct view writes_operand(struct builder *b, const struct writes *w, int operand, const struct shape *shape,
                           enum layout layout, enum data data)
{
    struct view view = build_tensor(b, writes_dtype(w, b->c->dtype, operand), shape, layout);
    if (data == DATA_INTEGERS || w->role[operand] == ROLE_MASK) {
        fill_role(b, &view, w->role[operand], operand);
    } else {
        update_fill(b, &view, data, operand, operand);
    }
    return view;
}

struct attributes writes_attribute(enum dtype dtype, const char *name, double x)
{
    bool integer = !dtype_is_floating(dtype) && x == (double)(int64_t)x;
    struct attributes attributes = {.count = 1};
    attributes.item[0] = (struct attribute){.name = name,
                                            .type = integer ? ATTRIBUTE_INTEGER : ATTRIBUTE_REAL,
                                            .integer = integer ? (int64_t)x : 0,
                                            .real = integer ? 0 : x};
    return attributes;
}

struct step *writes_step(struct builder *b, const struct writes *w, int operands, const struct view *operand,
                         const struct attributes *attributes, bool exact)
{
    struct attributes usual = {.count = 0};
    if (w->attribute) {
        usual = writes_attribute(b->c->dtype, w->attribute, w->value);
    }
    struct step *step = build_step(b, b->c->op, attributes ? attributes : &usual, operands, operand);
    if (step) {
        step->exact = exact && w->exact;
    }
    return step;
}

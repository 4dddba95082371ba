/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/update.h"

static uint64_t integer_bits(enum dtype dtype, int64_t x)
{
    unsigned char bytes[8] = {0};
    if (dtype_is_floating(dtype)) {
        dtype_store(dtype, bytes, (double)x);
    } else {
        dtype_store_integer(dtype, bytes, x);
    }
    return dtype_bits(dtype, bytes);
}

static uint64_t huge(struct philox *generator, enum dtype dtype, int64_t i)
{
    if (dtype_is_floating(dtype)) {
        int emax = dtype_info(dtype)->emax;
        return data_between(generator, dtype, emax - 1 - (int)(i % 2), emax);
    }
    uint32_t word = philox_next(generator);
    if (dtype == DTYPE_INT64) {
        uint64_t far = (uint64_t)philox_next(generator) << 20;
        return word & 1 ? (uint64_t)INT64_MAX - far : (uint64_t)INT64_MIN + far;
    }
    return (uint32_t)(word & 1 ? 0x7FFFFFFFU - (word >> 20) : 0x80000000U + (word >> 20));
}

static uint64_t tiny(struct philox *generator, enum dtype dtype, int64_t i)
{
    int emin = dtype_info(dtype)->emin;
    return i % 4 == 3 ? data_between(generator, dtype, emin, emin + 8) : data_subnormal(generator, dtype, i);
}

/* Returns element i: x for self, and for `other` −x, −0, +0 or x again. Both roles draw the same x. */
static uint64_t cancelling(struct philox *generator, enum dtype dtype, int64_t i, int role)
{
    int32_t x = data_integer(generator, 99);
    bool negative_zero = dtype_is_floating(dtype) && i % 8 >= 4;
    uint64_t zero = negative_zero ? format_of(dtype).sign : 0;
    switch (i % 4) {
    case 0:
    case 1:
        return integer_bits(dtype, role ? -x : x);
    case 2:
        return zero; /* ±0 beside the same ±0 */
    default:
        return role ? zero : zero ^ (dtype_is_floating(dtype) ? format_of(dtype).sign : 0);
    }
}

static uint64_t odd_large(struct philox *generator, enum dtype dtype)
{
    if (!dtype_is_floating(dtype)) {
        uint32_t word = philox_next(generator);
        if (dtype == DTYPE_INT64) { /* odd, beyond 2^53 */
            uint64_t wide =
                (uint64_t)(word & 0x3FFFFFFFU) << 32 | (uint64_t)1 << 56 | 1U | philox_next(generator);
            return word >> 31 ? 0 - wide : wide;
        }
        uint32_t magnitude = (word & 0x3FFFFFFFU) | 0x01000001U;
        return word >> 31 ? (uint32_t)(0U - magnitude) : magnitude;
    }
    return data_between(generator, dtype, 0, 0) | 1;
}

static uint64_t element(struct philox *generator, enum dtype dtype, enum data data, int role, int64_t i)
{
    switch (data) {
    case DATA_INTEGERS:
        return integer_bits(dtype, data_integer(generator, role ? 9 : 99));
    case DATA_WIDE:
        return data_any_exponent(generator, dtype, philox_next(generator) >> 1);
    case DATA_HUGE:
        return huge(generator, dtype, i);
    case DATA_SMALL_PRODUCTS: {
        int emin = dtype_info(dtype)->emin;
        return role ? data_between(generator, dtype, -6, -1) : data_between(generator, dtype, emin, emin + 8);
    }
    case DATA_TINY:
        return tiny(generator, dtype, i);
    case DATA_CANCELLING:
        return cancelling(generator, dtype, i, role);
    case DATA_ODD_LARGE:
        return odd_large(generator, dtype);
    case DATA_RANDOM:
    case DATA_SPECIALS:
        break;
    }
    if (dtype_is_floating(dtype)) {
        return data_between(generator, dtype, -4, 4);
    }
    uint64_t high = dtype == DTYPE_INT64 ? (uint64_t)philox_next(generator) << 32 : 0;
    return high | philox_next(generator);
}

struct shape update_specials_shape(enum dtype dtype)
{
    uint64_t bits[SPECIALS_MAX];
    int64_t count = special_bits(dtype, bits);
    return shape_of(2, count, count);
}

static void fill_specials(struct builder *b, const struct view *view, int role)
{
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(view->dtype, bits);
    for (int i = 0; i < count * count; i++) {
        int first = i / count, second = i % count; /* a third operand has every value beside many pairs */
        build_set_bits(b, view, i, 0,
                       bits[role == 0   ? first
                            : role == 1 ? second
                                        : (first + 5 * second) % count]);
    }
}

void update_fill(struct builder *b, const struct view *view, enum data data, int role, int tensor)
{
    if (data == DATA_SPECIALS) {
        fill_specials(b, view, role);
        return;
    }
    struct philox generator = build_generator(b, data == DATA_CANCELLING ? 0 : tensor);
    int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        build_set_bits(b, view, i, 0, element(&generator, view->dtype, data, role, i));
    }
    build_origin(b, view, data == DATA_RANDOM);
    if (data == DATA_INTEGERS && count > 0) {
        build_set(b, view, count - 1, role ? 7 : 101);
    }
}

struct attributes update_alpha(enum dtype dtype, bool given, double alpha)
{
    struct attributes attributes = {.count = given};
    bool integer = !dtype_is_floating(dtype) && alpha == (double)(int64_t)alpha;
    attributes.item[0] = (struct attribute){.name = "alpha",
                                            .type = integer ? ATTRIBUTE_INTEGER : ATTRIBUTE_REAL,
                                            .integer = integer ? (int64_t)alpha : 0,
                                            .real = integer ? 0 : alpha};
    return attributes;
}

struct step *update(struct builder *b, const struct op *op, const struct view *self, const struct view *other,
                    const struct attributes *attributes)
{
    struct view operands[2] = {*self, *other};
    return build_step(b, op, attributes, 2, operands);
}

void update_exactly(struct builder *b, const struct op *op, const struct view *self, const struct view *other)
{
    struct step *step = update(b, op, self, other, NULL);
    if (step) {
        step->exact = true;
    }
}

struct view update_operand(struct builder *b, const struct shape *shape, int role, int tensor)
{
    struct view view = build_tensor(b, b->c->dtype, shape, LAYOUT_CONTIGUOUS);
    update_fill(b, &view, DATA_INTEGERS, role, tensor);
    return view;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/data.h"

#include "reference/ops/rowwise/rowwise.h"

static uint64_t low_bits(uint64_t word, int count)
{
    return word & (((uint64_t)1 << count) - 1);
}

static uint64_t assemble(struct philox *generator, const struct format *f, uint64_t exponent)
{
    uint64_t word = philox_next64(generator);
    return (word & f->sign) | exponent << f->fraction | low_bits(word, f->fraction);
}

/* Returns ± a random number of i mod 32 bits. */
static uint64_t integer_of_length(struct philox *generator, int64_t i)
{
    int length = (int)(i % 32);
    uint32_t word = philox_next(generator), sign = philox_next(generator) & 1;
    uint32_t magnitude = length ? 1U << (length - 1) | (uint32_t)low_bits(word, length - 1) : 0;
    return sign ? 0U - magnitude : magnitude;
}

uint64_t data_any_exponent(struct philox *generator, enum dtype component, int64_t i)
{
    if (!dtype_is_floating(component)) {
        return integer_of_length(generator, i);
    }
    struct format f = format_of(component);
    uint64_t exponents = ((uint64_t)1 << f.exponent) - 1; /* the last one is infinity's */
    return assemble(generator, &f, (uint64_t)i % exponents);
}

uint64_t data_subnormal(struct philox *generator, enum dtype component, int64_t i)
{
    struct format f = format_of(component);
    int leading = (int)(i % f.fraction);
    uint64_t word = philox_next64(generator);
    return (word & f.sign) | (uint64_t)1 << leading | low_bits(word, leading);
}

uint64_t data_between(struct philox *generator, enum dtype component, int low, int high)
{
    struct format f = format_of(component);
    int exponent = low + (int)philox_below(generator, (uint32_t)(high - low + 1));
    return assemble(generator, &f, (uint64_t)(exponent + dtype_info(component)->emax));
}

uint64_t data_sign_coded(struct philox *generator, enum dtype component)
{
    uint32_t kind = philox_below(generator, 8);
    bool real = dtype_is_floating(component);
    uint64_t bits = real ? data_between(generator, component, -12, 12)
                         : integer_of_length(generator, 1 + (int64_t)philox_below(generator, 31));
    return kind == 0 ? (real ? bits & format_of(component).sign : 0) : bits;
}

int32_t data_integer(struct philox *generator, int32_t magnitude)
{
    return (int32_t)philox_below(generator, 2 * (uint32_t)magnitude + 1) - magnitude;
}

void data_fill_sign_coded(struct builder *b, const struct view *x, int tensor)
{
    struct philox generator = build_generator(b, tensor);
    int64_t count = shape_elements(&x->shape);
    enum dtype component = dtype_info(x->dtype)->component;
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = data_sign_coded(&generator, component);
        if (x->dtype != DTYPE_COMPLEX64) {
            build_set_bits(b, x, i, 0, bits);
            continue;
        }
        int axis = (int)(philox_next(&generator) & 1);
        build_set_bits(b, x, i, axis, bits);
        if (i % 64 == 63) {
            build_set_bits(b, x, i, 1 - axis, data_between(&generator, component, -2, 2));
        }
    }
    for (int64_t back = 1; back <= 2 && back <= count; back++) {
        build_set(b, x, count - back, back == 1 ? -3 : 5);
    }
}

struct view data_pattern_vector(struct builder *b, uint64_t first, int64_t count)
{
    struct view x = build_vector(b, b->c->dtype, count);
    if (!b->failed) {
        program_set_patterns(b->program, &x, first);
    }
    return x;
}

void data_patterns(struct builder *b, uint64_t first, int64_t count)
{
    struct view x = data_pattern_vector(b, first, count);
    build_unary(b, b->c->op, &x);
}

void data_fill_probabilities(struct builder *b, const struct view *x, int tensor, int64_t terms,
                             bool logarithms)
{
    struct philox generator = build_generator(b, tensor);
    double most = 1, whole = 0; /* a power of two and its logarithm */
    while (most < (double)terms) {
        most *= 2;
        whole += 0.6931471805599453;
    }
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        double part = 0.5 + philox_unit(&generator) / 2;
        build_set(b, x, i, logarithms ? -part - whole : part / most);
    }
    build_origin(b, x, true);
}

struct view data_row_gradients(struct builder *b, const struct attributes *attributes,
                               const struct view *input, enum layout layout)
{
    const bool keep = attributes_integer(attributes, "keepdim", 0) != 0;
    struct shape shape = {.rank = 0};
    struct philox generator = build_generator(b, 1);
    unsigned mask;
    if (!rowwise_mask(b->c->op, attributes, input->shape.rank, &mask)) {
        return build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS); /* for a call that must be refused */
    }
    for (int d = 0; d < input->shape.rank; d++) {
        bool gone = mask >> d & 1;
        if (!gone || keep) {
            shape.dim[shape.rank++] = gone ? 1 : input->shape.dim[d];
        }
    }
    struct view grad = build_tensor(b, b->c->dtype, &shape, layout);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        build_set_bits(b, &grad, i, 0, data_between(&generator, b->c->dtype, -3, 1));
    }
    return grad;
}

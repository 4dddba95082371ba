/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/wild.h"

#include "suites/build.h"

#include <math.h>

enum manner { ANY_BITS, ORDINARY, ENDS, SPECIALS, MANNERS };

/* A random number of [1, 2) times a power of two, of either sign. */
static double scaled(struct philox *generator, int exponent)
{
    double size = ldexp(1 + philox_unit(generator), exponent);
    return philox_below(generator, 2) ? size : -size;
}

static uint64_t draw_bits(enum dtype dtype, enum manner manner, struct philox *generator)
{
    const enum dtype component = dtype_info(dtype)->component;
    const struct format format = format_of(component);
    uint64_t special[SPECIALS_MAX];
    unsigned char bytes[8] = {0};
    double x = 0;
    int exponent = 0;
    switch (manner) {
    case ANY_BITS:
        return philox_next64(generator) & (format.sign | (format.sign - 1));
    case ENDS:
        frexp(philox_below(generator, 2) ? dtype_max(component) : dtype_least_normal(component), &exponent);
        x = scaled(generator, exponent + (int)philox_below(generator, 8) - 6);
        break;
    case SPECIALS:
        if (philox_below(generator, 8) == 0) {
            return special[philox_below(generator, (uint32_t)special_bits(component, special))];
        }
        x = scaled(generator, (int)philox_below(generator, 8) - 4);
        break;
    default:
        x = scaled(generator, (int)philox_below(generator, 10) - 6);
    }
    dtype_store(component, bytes, x);
    return dtype_bits(component, bytes);
}

/* A probability, for targets of class losses, derived from the bits of any number. */
static uint64_t draw_probability(enum dtype dtype, enum manner manner, struct philox *generator)
{
    unsigned char bytes[8] = {0};
    dtype_store_bits(dtype, bytes, draw_bits(dtype, manner, generator));
    const double size = fabs(dtype_load(dtype, bytes));
    dtype_store(dtype, bytes, isnan(size) ? 0 : size <= 1 ? size : 1 / size);
    return dtype_bits(dtype, bytes);
}

static void fill(struct program *program, const struct view *view, bool probabilities,
                 struct philox *generator)
{
    const enum manner manner = (enum manner)philox_below(generator, MANNERS);
    const int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        for (int c = 0; c < dtype_info(view->dtype)->components; c++) {
            program_set_bits(program, view, i, c,
                             (probabilities ? draw_probability : draw_bits)(view->dtype, manner, generator));
        }
    }
    program->storage[view->storage].origin = ORIGIN_STRUCTURED;
}

/* Returns whether the operator accepts the step with these attributes. Sets `good` to false when out of
 * memory. */
static bool takes(const struct program *program, const struct step *step, const struct attributes *attributes,
                  bool *good)
{
    struct tensor value[OPERANDS_MAX];
    struct op_operands operands;
    struct op_signature signature;
    struct error reason;
    *good = program_operands(program, step->op, attributes, step->inputs, step->input, value, &operands);
    bool taken = *good && step->op->signature(step->op, &operands, &signature, &reason);
    for (int k = 0; *good && k < OPERANDS_MAX; k++) {
        tensor_destroy(&value[k]);
    }
    return taken;
}

static bool change_attributes(const struct program *program, struct step *step, struct philox *generator)
{
    static const double values[] = {0,     1,    -1,    0.5,  -0.25, 3,    1e-3,
                                    -1e-3, 1000, -1000, 1e-7, 60000, 1e30, 1e-30};
    bool good = true;
    for (int k = 0; good && k < step->attributes.count; k++) {
        struct attributes changed = step->attributes;
        if (changed.item[k].type == ATTRIBUTE_REAL && philox_below(generator, 2)) {
            changed.item[k].real = values[philox_below(generator, sizeof values / sizeof *values)];
            if (takes(program, step, &changed, &good)) {
                step->attributes = changed;
            }
        }
    }
    return good;
}

static bool may_change(const struct program *program)
{
    for (int s = 0; s < program->steps; s++) {
        if (program->step[s].expect != EXPECT_VALUE || !program_step_stands_alone(program, s)) {
            return false;
        }
    }
    return true;
}

bool wild_program(struct program *program, struct philox *generator)
{
    bool good = true;
    for (int s = 0; good && may_change(program) && s < program->steps; s++) {
        struct step *step = &program->step[s];
        for (int k = 0; k < step->inputs; k++) {
            const struct view *view = &step->input[k];
            if (view->storage >= 0 && dtype_is_floating(view->dtype) &&
                storage_defines(&program->storage[view->storage], view)) {
                fill(program, view, op_is_indices(step->op, step->inputs, k), generator);
            }
        }
        step->exact = false;
        program->relations = 0;
        good = change_attributes(program, step, generator);
    }
    return good;
}

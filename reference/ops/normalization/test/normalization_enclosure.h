/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_TEST_NORMALIZATION_ENCLOSURE_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_TEST_NORMALIZATION_ENCLOSURE_H

/* Test data of normalizations, and functions that compute a call's truth with or without radii and compare
 * both. */

#include "reference/test/support.h"

enum { BATCH = 6, CHANNELS = 4, INNER = 9, COUNT = BATCH * CHANNELS * INNER };

enum data {
    RANDOM,
    FAR_FROM_ZERO,
    CONSTANT_ROWS,
    MANY_BINADES,
    SPECIALS,
    TINY,
    HUGE_ONES,
    ONE_OUTLIER,
    DATA
};

static inline void fill(double *x, enum data data, enum dtype dtype, struct philox *generator)
{
    for (int64_t i = 0; i < COUNT; i++) {
        double u = philox_signed(generator), v = philox_unit(generator) * 0x1p-25;
        int binade = (int)philox_below(generator, 20) - 10;
        x[i] = data == FAR_FROM_ZERO   ? 1000 + u / 1024 + v
               : data == CONSTANT_ROWS ? 3 + (double)(i / INNER) / 3
               : data == MANY_BINADES  ? ldexp(u, binade)
               : data == TINY          ? u * dtype_least_normal(dtype) * 4
               : data == HUGE_ONES     ? u * dtype_max(dtype) / 64
                                       : u + v;
    }
    if (data == SPECIALS) {
        x[7] = NAN;
        x[100] = INFINITY;
    }
    if (data == ONE_OUTLIER) {
        x[50] = 0x1p14;
    }
}

static inline struct truth *truth_within(const char *name, const struct attributes *attributes, int inputs,
                                         const struct tensor *input, bool enclosed)
{
    struct view view[OPERANDS_MAX];
    struct op_signature signature;
    struct error error = {.text = ""};
    const struct op *op = op_find(name);
    for (int i = 0; i < inputs; i++) {
        view[i] = view_contiguous(tensor_absent(&input[i]) ? -1 : i, input[i].dtype, &input[i].shape);
    }
    struct op_operands operands = {.attributes = attributes, .inputs = inputs, .input = view};
    struct op_call call = {
        .op = op, .attributes = attributes, .inputs = inputs, .input = input, .enclosed = enclosed};
    cr_assert(op_signature(op, &operands, &signature, &error), "%s", error.text);
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return truth;
}

static inline struct attribute number(const char *name, double x)
{
    return (struct attribute){.name = name, .type = ATTRIBUTE_REAL, .real = x};
}

static inline struct attribute count_of(const char *name, enum attribute_type type, int64_t x)
{
    return (struct attribute){.name = name, .type = type, .integer = x};
}

/* Asserts that element `e` of `enclosed` has the certified class, lies within its radius of the certified
 * value, and is marked exact only if its radius is 0. Returns the radius. */
static inline double hold_value(const struct truth_output *truth, const struct truth_output *enclosed,
                                int64_t e, int output, const char *what)
{
    const struct value *v = &truth->value[e], *w = &enclosed->value[e];
    double gap = fabs((w->hi - v->hi) + (w->lo - v->lo)), radius = enclosed->radius[e];
    cr_assert_eq(v->class, w->class, "%s, output %d, element %lld", what, output, (long long)e);
    cr_assert(v->class != VALUE_FINITE || v->exponent || gap <= radius + 0x1p-104 * fabs(v->hi),
              "%s, output %d, element %lld: %a + %a, not %a + %a within %g", what, output, (long long)e,
              w->hi, w->lo, v->hi, v->lo, radius);
    cr_assert(radius == 0 || !w->exact, "%s, output %d, element %lld", what, output, (long long)e);
    return radius;
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Textbook forms of normalizations whose products overflow although a later operation would bring them back
 * into the range: findings of class RANGE if the profile's range is naive, failures if it is safe. */

#include "reference/test/call.h"

#include <math.h>

static void flag(struct call *c, const char *name, enum attribute_type type, int64_t value)
{
    c->attributes.item[c->attributes.count++] =
        (struct attribute){.name = name, .type = type, .integer = value};
}

static void normalized_shape(struct call *c, int64_t length)
{
    integers_attribute(c, "normalized_shape", integers_of(1, length));
}

static void absent(struct call *c, int count)
{
    for (int k = 0; k < count; k++) {
        c->input[c->inputs++] = (struct tensor){.dtype = DTYPE_FLOAT32};
    }
}

/* True if `got`, which must not be accepted, is a finding of class RANGE. */
static bool finds(struct call *c, enum range range, int output, int64_t element, double got)
{
    cr_expect_not(takes(c, output, element, got), "%s: %g is refused under either", c->op, got);
    struct profile profile = c->profile;
    profile.range = range;
    struct bound_query query = {.op = op_find(c->op),
                                .profile = &profile,
                                .attributes = &c->attributes,
                                .truth = c->truth,
                                .output = output,
                                .element = element};
    unsigned char bytes[8];
    dtype_store(c->truth->output[output].dtype, bytes, got);
    return op_range_finding(&query, bytes);
}

/* `lost`: the result of the textbook form. `other`: a wrong number that the textbook form does not return. */
static void overflows(struct call *c, int output, int64_t element, double lost, double other)
{
    cr_expect(finds(c, RANGE_NAIVE, output, element, lost), "%s", c->op);
    cr_expect_not(finds(c, RANGE_SAFE, output, element, lost), "%s", c->op);
    cr_expect_not(finds(c, RANGE_NAIVE, output, element, other), "%s: no overflow leaves %g", c->op, other);
    struct profile profile = c->profile;
    c->profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN; /* the greatest number may stand for an infinity */
    cr_expect(finds(c, RANGE_NAIVE, output, element, lost), "%s", c->op);
    cr_expect(finds(c, RANGE_NAIVE, output, element, other), "%s: the direction is open", c->op);
    c->profile = profile;
}

static void stays(struct call *c, int output, int64_t element, double wrong)
{
    cr_expect_not(finds(c, RANGE_NAIVE, output, element, wrong), "%s: %g", c->op, wrong);
}

enum kind { LAYER, RMS, GROUP, INSTANCE, BATCH, EVALUATION, KINDS };
static const char *const forward[] = {"layer_norm",    "rms_norm",   "group_norm",
                                      "instance_norm", "batch_norm", "batch_norm"};

/* A call with x = 1, 1, 1, −1, or, in evaluation, x = −1, mean 0 and variance 1. y of the last element is
 * −g·sqrt 3 + b (RMS and evaluation: −g + b). */
static struct call forward_of(enum kind kind, double g, double b)
{
    struct call c = call_of(forward[kind]);
    const double x[] = {1, 1, 1, -1};
    if (kind == LAYER || kind == RMS) {
        normalized_shape(&c, 4);
        MATRIX(&c, DTYPE_FLOAT32, 1, 4, 1, 1, 1, -1);
        VECTOR(&c, DTYPE_FLOAT32, g, g, g, g);
        if (kind == LAYER) {
            VECTOR(&c, DTYPE_FLOAT32, b, b, b, b);
        }
        return c;
    }
    if (kind == GROUP) {
        flag(&c, "num_groups", ATTRIBUTE_INTEGER, 1);
    }
    if (kind == BATCH) {
        flag(&c, "training", ATTRIBUTE_BOOL, 1);
    }
    give(&c, DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)4), x);
    if (kind == EVALUATION) {
        VECTOR(&c, DTYPE_FLOAT32, 0);
        VECTOR(&c, DTYPE_FLOAT32, 1);
    } else if (kind != GROUP) {
        absent(&c, 2);
    }
    VECTOR(&c, DTYPE_FLOAT32, g);
    VECTOR(&c, DTYPE_FLOAT32, b);
    return c;
}

static int judged(enum kind kind)
{
    return kind == EVALUATION ? 2 : 0; /* behind the running statistics */
}

Test(naive_normalization, a_scaled_element_overflows_before_the_shift)
{
    const volatile float x = -1, g = 3e38F, b = 3e38F;
    cr_assert(isinf(x * sqrtf(3) * g + b));
    for (enum kind kind = LAYER; kind < EVALUATION; kind++) {
        if (kind != RMS) { /* it has no shift */
            struct call c = forward_of(kind, 3e38, 3e38);
            overflows(&c, judged(kind), 3, -INFINITY, 1e38);
            end(&c);
            c = forward_of(kind, 3e37, 3e37);
            stays(&c, judged(kind), 3, -INFINITY);
            end(&c);
        }
    }
    struct call c = call_of("batch_norm");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, -4);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    VECTOR(&c, DTYPE_FLOAT32, 1e38);
    VECTOR(&c, DTYPE_FLOAT32, 2e38);
    overflows(&c, 2, 0, -INFINITY, 1e38);
    end(&c);
}

/* y = x·(g·r) + (b − m·(g·r)): 1e20·1e20 − 1e20·1e20 of a scale of 1e20. */
Test(naive_normalization, a_folded_scale_leaves_the_range)
{
    struct call c = call_of("batch_norm");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1e20);
    VECTOR(&c, DTYPE_FLOAT32, 1e20);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    VECTOR(&c, DTYPE_FLOAT32, 1e20);
    VECTOR(&c, DTYPE_FLOAT32, 5);
    overflows(&c, 2, 0, NAN, 1e38);
    end(&c);
    c = call_of("batch_norm"); /* g·r of 1e-30·1e-18 is 0, and g·(x·r) 1e-15 */
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1e33);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1e36);
    VECTOR(&c, DTYPE_FLOAT32, 1e-30);
    cr_expect(takes(&c, 2, 0, (double)1e-15F));
    cr_expect(finds(&c, RANGE_NAIVE, 2, 0, 0), "any number comes of it");
    cr_expect_not(finds(&c, RANGE_SAFE, 2, 0, 0));
    end(&c);
    c = call_of("batch_norm");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1e33);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1e36);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    stays(&c, 2, 0, 1); /* a scale of 0 loses nothing */
    end(&c);
}

/* g·dy of 1e39 and r of 1e-3. */
static struct call evaluated_gradient(double g, double dy)
{
    struct call c = call_of("batch_norm_backward");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, dy);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 3);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    VECTOR(&c, DTYPE_FLOAT32, 1e6);
    VECTOR(&c, DTYPE_FLOAT32, g);
    return c;
}

Test(naive_normalization, a_scaled_gradient_overflows_before_the_root)
{
    const volatile float g = 1e20F, dy = 1e19F;
    cr_assert(isinf(g * dy));
    struct call c = evaluated_gradient(1e20, 1e19);
    cr_expect(takes(&c, 0, 0, (double)1e36F));
    overflows(&c, 0, 0, INFINITY, 1e35);
    stays(&c, 2, 0, INFINITY); /* dbias is a sum of dy */
    end(&c);
    c = evaluated_gradient(1e20, 1e18);
    stays(&c, 0, 0, INFINITY);
    end(&c);
}

/* x of ±1e3 and w of 2e38, 0, …: no w overflows, and 4·w does before ·r/4. */
Test(naive_normalization, gradients_times_the_length_overflow)
{
    static const char *const ops[] = {"layer_norm_backward", "rms_norm_backward"};
    for (int o = 0; o < 2; o++) {
        struct call c = call_of(ops[o]);
        normalized_shape(&c, 4);
        real_attribute(&c, "eps", 0);
        MATRIX(&c, DTYPE_FLOAT32, 1, 4, 2e38, 0, 0, 0);
        MATRIX(&c, DTYPE_FLOAT32, 1, 4, 1, 1, -1, -1);
        VECTOR(&c, DTYPE_FLOAT32, 1, 1, 1, 1);
        overflows(&c, 0, 0, INFINITY, 1);
        end(&c);
    }
}

/* dy·(x − m) of 1e39 and r of 1e-3. */
Test(naive_normalization, products_of_a_scales_gradient_overflow)
{
    struct call c = call_of("batch_norm_backward");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1e19);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1e20);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1e6);
    VECTOR(&c, DTYPE_FLOAT32, 1e-19);
    cr_expect(takes(&c, 1, 0, (double)1e36F));
    overflows(&c, 1, 0, INFINITY, 1e35);
    end(&c);
}

/* The profile's word for the norms holds for all normalizations. */
Test(naive_normalization, all_normalizations_are_naive_by_word)
{
    for (enum kind kind = LAYER; kind < EVALUATION; kind++) {
        char backward[64];
        snprintf(backward, sizeof backward, "%s_backward", forward[kind]);
        cr_expect(op_find(forward[kind])->naive_by_word && op_find(forward[kind])->naive_may_overflow, "%s",
                  forward[kind]);
        cr_expect(op_find(backward)->naive_by_word && op_find(backward)->naive_may_overflow, "%s", backward);
    }
    cr_expect(op_find("logsigmoid_backward")->naive_by_word);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* An operator that writes into an operand has the same acceptance sets as its functional form for the same
 * tensors: the same alternatives with the same error bounds, element by element. */

#include "reference/test/call.h"

enum { ELEMENTS = 400, DTYPES = 4 };
static const enum dtype dtypes[DTYPES] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

struct pair_of_forms {
    const char *written, *functional, *attribute;
    double value;
    int operands;
    bool out; /* the written form has an operand more for the result */
};

static double any_number(struct philox *g, enum dtype dtype)
{
    static const double special[] = {0, -0.0, 1, -2, 0.25, INFINITY, -INFINITY, NAN};
    const struct dtype_info *info = dtype_info(dtype);
    const int range = philox_below(g, 3) == 0 ? info->emax - 1 : 5;
    const double x = ldexp(philox_signed(g), (int)philox_below(g, 2 * (uint32_t)range) - range);
    return philox_below(g, 9) == 0 ? special[philox_below(g, sizeof special / sizeof *special)] : x;
}

static bool same_value(const struct value *a, const struct value *b)
{
    return a->class == b->class &&
           (a->class != VALUE_FINITE || (a->hi == b->hi && a->lo == b->lo && a->exponent == b->exponent &&
                                         signbit(a->hi) == signbit(b->hi)));
}

static bool same_accept(const struct accept *a, const struct accept *b)
{
    bool same = a->sets == b->sets;
    for (int s = 0; same && s < a->sets; s++) {
        const struct accept_set *x = &a->set[s], *y = &b->set[s];
        same = x->component[0].special == y->component[0].special &&
               x->component[0].zero == y->component[0].zero &&
               x->component[0].finite == y->component[0].finite && x->radius == y->radius &&
               same_value(&x->component[0].centre, &y->component[0].centre);
    }
    return same;
}

static struct profile profile_number(int number)
{
    struct profile profile = profile_ieee();
    profile.primitives = number == 0 ? PRIMITIVES_LIBM : PRIMITIVES_VULKAN;
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] =
        number == 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT16;
    profile.accumulate[DTYPE_BFLOAT16] = number == 2 ? DTYPE_FLOAT32 : DTYPE_BFLOAT16;
    profile.subnormals[DTYPE_FLOAT32] = number == 1 ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
    profile.rounding[DTYPE_FLOAT32] = number == 1 ? ROUNDING_OPEN : ROUNDING_RTE;
    return profile;
}

static void hold_equal(const struct pair_of_forms *p, enum dtype dtype)
{
    double x[3][ELEMENTS];
    struct philox g;
    philox_start(&g, 3);
    struct call written = call_of(p->written), functional = call_of(p->functional);
    for (int k = 0; k < p->operands; k++) {
        for (int i = 0; i < ELEMENTS; i++) {
            x[k][i] = any_number(&g, dtype);
        }
        give(&written, dtype, shape_of(1, (int64_t)ELEMENTS), x[k]);
        give(&functional, dtype, shape_of(1, (int64_t)ELEMENTS), x[k]);
    }
    if (p->out) { /* what it holds before is nothing that counts */
        for (int i = 0; i < ELEMENTS; i++) {
            x[0][i] = any_number(&g, dtype);
        }
        give(&written, dtype, shape_of(1, (int64_t)ELEMENTS), x[0]);
    }
    if (p->attribute) {
        real_attribute(&written, p->attribute, p->value);
        real_attribute(&functional, p->attribute, p->value);
    }
    written.truth = truth_of_call(p->written, &written.attributes, written.inputs, written.input);
    functional.truth =
        truth_of_call(p->functional, &functional.attributes, functional.inputs, functional.input);
    for (int number = 0; number < 3; number++) {
        const struct profile profile = profile_number(number);
        for (int i = 0; i < ELEMENTS; i++) {
            const struct accept a = accept_of(p->written, &written.attributes, &profile, written.truth, 0, i,
                                              false),
                                b = accept_of(p->functional, &functional.attributes, &profile,
                                              functional.truth, 0, i, false);
            cr_assert(same_accept(&a, &b), "%s of %s, profile %d, element %d: bound %g, functional %g",
                      p->written, dtype_info(dtype)->name, number, i, a.set[0].radius, b.set[0].radius);
        }
    }
    end(&written);
    end(&functional);
}

Test(inplace_limits, are_those_of_the_functional_form)
{
    static const struct pair_of_forms pairs[] = {
        {"add_", "add", NULL, 0, 2, false},         {"add_", "add", "alpha", 0.3, 2, false},
        {"add_", "add", "alpha", -3, 2, false},     {"add_out", "add", "alpha", 0.3, 2, true},
        {"add_out", "add", NULL, 0, 2, true},       {"sub_", "sub", "alpha", 0.3, 2, false},
        {"sub_", "sub", NULL, 0, 2, false},         {"sub_out", "sub", "alpha", 3, 2, true},
        {"mul_", "mul", NULL, 0, 2, false},         {"mul_out", "mul", NULL, 0, 2, true},
        {"div_", "div", NULL, 0, 2, false},         {"div_out", "div", NULL, 0, 2, true},
        {"addcmul_", "addcmul", NULL, 0, 3, false}, {"addcmul_", "addcmul", "value", 0.3, 3, false},
        {"addcdiv_", "addcdiv", NULL, 0, 3, false}, {"addcdiv_", "addcdiv", "value", -0.3, 3, false},
        {"lerp_", "lerp", NULL, 0, 3, false},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        for (int d = 0; d < DTYPES; d++) {
            hold_equal(&pairs[p], dtypes[d]);
        }
    }
}

/* A weight given as a number that the dtype holds has the same bound as a tensor; any other number is
 * rounded, at most once more. */
Test(inplace_limits, a_weight_that_is_a_number_counts_as_a_tensor)
{
    for (int k = 0; k < 2; k++) {
        const double weight = k == 0 ? 0.25 : 0.3, stored = k == 0 ? 0.25 : (double)0.3F;
        struct call number = call_of("lerp_"), tensor = call_of("lerp");
        real_attribute(&number, "weight", weight);
        for (int c = 0; c < 2; c++) {
            VECTOR(c == 0 ? &number : &tensor, DTYPE_FLOAT32, 1, 3, -1e-3);
            VECTOR(c == 0 ? &number : &tensor, DTYPE_FLOAT32, 2, 3.001, 5);
        }
        VECTOR(&tensor, DTYPE_FLOAT32, stored, stored, stored);
        number.truth = truth_of_call("lerp_", &number.attributes, 2, number.input);
        tensor.truth = truth_of_call("lerp", &tensor.attributes, 3, tensor.input);
        for (int i = 0; i < 3; i++) {
            const double a = accept_of("lerp_", &number.attributes, &number.profile, number.truth, 0, i,
                                       false)
                                 .set[0]
                                 .radius,
                         b = accept_of("lerp", &tensor.attributes, &tensor.profile, tensor.truth, 0, i, false)
                                 .set[0]
                                 .radius;
            cr_expect(k == 0 ? fabs(a - b) <= 1e-6 * b : a >= b && a <= 2 * b,
                      "weight %g, element %d: %g, tensor %g", weight, i, a, b);
        }
        end(&number);
        end(&tensor);
    }
}

/* 0 times a product whose size no double tells: its sign is that of its factors, and the sum's that of
 * both. */
Test(inplace_limits, nothing_times_a_product_of_unknown_size_has_a_sign)
{
    static const char *const names[] = {"addcmul_", "addcmul"};
    for (int k = 0; k < 2; k++) {
        struct call c = call_of(names[k]);
        real_attribute(&c, "value", 0);
        VECTOR(&c, DTYPE_FLOAT64, -0.0, -0.0, 0);
        VECTOR(&c, DTYPE_FLOAT64, 0x1p-1074, 0x1p-1074, 0x1p-1074);
        VECTOR(&c, DTYPE_FLOAT64, -0x1.8p-1, 0x1.8p-1, -0x1.8p-1);
        cr_expect(takes(&c, 0, 0, -0.0), "%s: -0 + -0", names[k]);
        cr_expect(takes(&c, 0, 1, 0), "%s: -0 + 0", names[k]);
        cr_expect(takes(&c, 0, 2, 0), "%s: 0 + -0", names[k]);
        cr_expect_not(takes(&c, 0, 0, 1) || takes(&c, 0, 0, NAN), "%s", names[k]);
        end(&c);
    }
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

enum { COUNT = 500000 };

static double random_float(struct philox *generator, enum dtype dtype)
{
    int range = dtype == DTYPE_FLOAT16 ? 30 : 200;
    unsigned char bytes[8];
    double x = ldexp(1 + philox_unit(generator), (int)philox_below(generator, (uint32_t)range) - range / 2);
    dtype_store(dtype, bytes, philox_below(generator, 2) ? -x : x);
    return dtype_load(dtype, bytes);
}

/* x + α·y (or x·y) to 104 bits, beside Arb at a precision that makes it exact. */
static void check_against_arb(const char *name, enum dtype dtype, double alpha)
{
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    struct philox generator;
    philox_start(&generator, 5);
    for (int i = 0; i < COUNT; i++) {
        x[i] = random_float(&generator, dtype);
        y[i] = random_float(&generator, dtype);
    }
    struct tensor input[2] = {tensor_from(dtype, shape_of(1, (int64_t)COUNT), x),
                              tensor_from(dtype, shape_of(1, (int64_t)COUNT), y)};
    struct attributes attributes = {.count = 1,
                                    .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = alpha}}};
    struct truth *truth = truth_of_call(name, name[0] == 'a' ? &attributes : NULL, 2, input);
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (int64_t i = 0; i < COUNT; i++) {
        const struct value *value = &truth->output[0].value[i];
        arb_set_d(a, x[i]);
        arb_set_d(b, y[i]);
        if (name[0] == 'a') {
            arf_t factor;
            arf_init(factor);
            arf_set_d(factor, alpha);
            arb_addmul_arf(a, b, factor, ARF_PREC_EXACT);
            arf_clear(factor);
        } else {
            arb_mul(a, a, b, ARF_PREC_EXACT);
        }
        arb_set_d(b, value->hi);
        arb_sub(a, a, b, ARF_PREC_EXACT);
        arb_set_d(b, value->lo);
        arb_sub(a, a, b, ARF_PREC_EXACT);
        arb_abs(a, a);
        arb_set_d(b, fabs(value->hi) * 0x1p-104);
        cr_assert(value->exponent == 0 && (value->exact ? arb_is_zero(a) : arb_le(a, b)),
                  "%s %s: %a, %a, alpha %g", name, dtype_info(dtype)->name, x[i], y[i], alpha);
    }
    arb_clear(a);
    arb_clear(b);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    free(x);
    free(y);
}

Test(inplace, add_of_float32_is_certified_on_half_a_million_pairs)
{
    check_against_arb("add_", DTYPE_FLOAT32, 1);
}
Test(inplace, add_with_alpha_is_certified_on_half_a_million_pairs)
{
    check_against_arb("add_", DTYPE_FLOAT32, 0.75);
}
Test(inplace, mul_of_float32_is_certified_on_half_a_million_pairs)
{
    check_against_arb("mul_", DTYPE_FLOAT32, 1);
}
Test(inplace, mul_of_float16_is_certified_on_half_a_million_pairs)
{
    check_against_arb("mul_", DTYPE_FLOAT16, 1);
}

Test(inplace, integers_wrap)
{
    double x[3] = {INT32_MAX, INT32_MIN, 1 << 16}, y[3] = {1, 1, 1 << 16};
    struct tensor input[2] = {tensor_from(DTYPE_INT32, shape_of(1, (int64_t)3), x),
                              tensor_from(DTYPE_INT32, shape_of(1, (int64_t)3), y)};
    struct attributes minus = {.count = 1,
                               .item = {{.name = "alpha", .type = ATTRIBUTE_INTEGER, .integer = -1}}};
    struct truth *sum = truth_of_call("add_", NULL, 2, input),
                 *difference = truth_of_call("add_", &minus, 2, input);
    struct truth *product = truth_of_call("mul_", NULL, 2, input);
    cr_assert_eq(sum->output[0].value[0].hi, INT32_MIN);
    cr_assert_eq(difference->output[0].value[1].hi, INT32_MAX);
    cr_assert_eq(product->output[0].value[2].hi, 0);
    truth_destroy(&sum);
    truth_destroy(&difference);
    truth_destroy(&product);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(inplace, bound_counts_the_product_only_where_it_rounds)
{
    double x = 1, y = 1 + 0x1p-23;
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &x),
                              tensor_from(DTYPE_FLOAT32, shape_of(0), &y)};
    struct profile ieee = profile_ieee();
    struct attributes third = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 3}}};
    struct attributes half = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    struct truth *inexact = truth_of_call("add_", &third, 2, input),
                 *exact = truth_of_call("add_", &half, 2, input);
    struct bound_query query = {
        .op = op_find("add_"), .profile = &ieee, .attributes = &third, .truth = inexact};
    double u = 0x1p-24;
    cr_assert_float_eq(query.op->bound(&query), u * 3 * y, 1e-6 * u);
    query.exact = true;
    cr_assert_eq(query.op->bound(&query), 0);
    query.exact = false;
    query.attributes = &half;
    query.truth = exact;
    cr_assert_eq(query.op->bound(&query), 0);
    truth_destroy(&inexact);
    truth_destroy(&exact);
}

static bool rejected(enum dtype self_dtype, struct view self, struct view other, double alpha)
{
    self.dtype = self_dtype;
    struct view operand[2] = {self, other};
    struct attributes attributes = {.count = 1,
                                    .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = alpha}}};
    return refuses("add_", &attributes, 2, operand, NULL);
}

Test(inplace, what_must_be_rejected_is)
{
    struct shape eight = shape_of(1, (int64_t)8), seven = shape_of(1, (int64_t)7),
                 pair = shape_of(2, (int64_t)2, (int64_t)8);
    struct view x = view_contiguous(0, DTYPE_FLOAT32, &eight), y = view_contiguous(1, DTYPE_FLOAT32, &eight);
    struct view head = view_contiguous(0, DTYPE_FLOAT32, &seven), tail = head;
    tail.offset = 1;
    struct view expanded = view_broadcast(&x, &pair), wide = view_contiguous(2, DTYPE_FLOAT32, &pair);
    struct view integers = view_contiguous(3, DTYPE_INT32, &eight);
    cr_assert_not(rejected(DTYPE_FLOAT32, x, y, 1));
    cr_assert_not(rejected(DTYPE_FLOAT32, x, x, 1));
    cr_assert_not(rejected(DTYPE_FLOAT32, wide, y, 1));
    cr_assert(rejected(DTYPE_FLOAT32, head, tail, 1));
    cr_assert(rejected(DTYPE_FLOAT32, tail, head, 1));
    cr_assert(rejected(DTYPE_FLOAT32, expanded, wide, 1));
    cr_assert(rejected(DTYPE_FLOAT32, y, wide, 1));
    cr_assert(rejected(DTYPE_INT32, integers, y, 1));
    cr_assert(rejected(DTYPE_INT32, integers, integers, 0.5));
    cr_assert_not(rejected(DTYPE_INT32, integers, integers, 2));
}

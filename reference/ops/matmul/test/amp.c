/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

static struct tensor one(enum dtype dtype, double x)
{
    return tensor_from(dtype, shape_of(1, (int64_t)1), &x);
}

struct state {
    double scale, tracker;
};

static struct state updated(double scale, double tracker, double found, double growth, int64_t interval)
{
    struct attributes attributes = {
        .count = 3,
        .item = {{.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = growth},
                 {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = 0.5},
                 {.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = interval}}};
    struct tensor input[] = {one(DTYPE_FLOAT32, scale), one(DTYPE_INT32, tracker), one(DTYPE_FLOAT32, found)};
    struct truth *truth = truth_of_call("amp_update_scale", &attributes, 3, input);
    struct state state = {value_approximately(&truth->output[0].value[0]),
                          value_approximately(&truth->output[1].value[0])};
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
    return state;
}

Test(amp, the_scale_grows_backs_off_and_stays_finite)
{
    static const struct {
        double scale, tracker, found, growth;
        int64_t interval;
        struct state after;
    } rows[] = {
        {65536, 0, 0, 2, 2000, {65536, 1}},
        {65536, 1999, 0, 2, 2000, {131072, 0}},
        {65536, 1998, 0, 2, 2000, {65536, 1999}},
        {65536, 2000, 0, 2, 2000, {65536, 2001}},
        {65536, 1999, 1, 2, 2000, {32768, 0}},
        {1, 5, 1, 2, 2000, {0.5, 0}},
        {8, 0, 0, 2, 1, {16, 0}},
        {0x1p127, 0, 0, 2, 1, {0x1p127, 0}},
        {0x1p126, 0, 0, 2, 1, {0x1p127, 0}},
        {0x1.8p127, 1, 0, 1.5, 2, {0x1.8p127, 0}},
        {256, 3, NAN, 2, 4, {128, 0}},
        {256, 3, -0.0, 2, 4, {512, 0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct state got =
            updated(rows[r].scale, rows[r].tracker, rows[r].found, rows[r].growth, rows[r].interval);
        cr_expect_eq(got.scale, rows[r].after.scale, "row %zu", r);
        cr_expect_eq(got.tracker, rows[r].after.tracker, "row %zu", r);
    }
}

/* grads of 3 and 2 elements; found_inf afterwards. */
static double found_after(double before, double last_of_first, double last_of_second)
{
    double first[] = {1, 2, last_of_first}, second[] = {3, last_of_second};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT16, shape_of(1, (int64_t)3), first),
                             tensor_from(DTYPE_FLOAT16, shape_of(1, (int64_t)2), second),
                             one(DTYPE_FLOAT32, before), one(DTYPE_FLOAT32, 0.25)};
    struct truth *truth = truth_of_call("amp_unscale", NULL, 4, input);
    cr_expect_eq(truth->outputs, 3);
    cr_expect_eq(truth->output[0].value[1].hi, 0.5);
    cr_expect_eq(truth->output[1].value[0].hi, 0.75);
    double found = truth->output[2].value[0].hi;
    truth_destroy(&truth);
    for (int i = 0; i < 4; i++) {
        tensor_destroy(&input[i]);
    }
    return found;
}

Test(amp, found_inf_is_set_and_never_cleared)
{
    cr_expect_eq(found_after(0, 65504, 1), 0);
    cr_expect_eq(found_after(0, INFINITY, 1), 1);
    cr_expect_eq(found_after(0, 1, -INFINITY), 1);
    cr_expect_eq(found_after(0, 1, NAN), 1);
    cr_expect_eq(found_after(1, 1, 1), 1);
    cr_expect_eq(found_after(1, INFINITY, 1), 1);
}

Test(amp, a_call_overwrites_all_but_inv_scale)
{
    const struct op *op = op_find("amp_unscale");
    for (int inputs = 3; inputs <= 10; inputs++) {
        for (int i = 0; i < inputs; i++) {
            cr_expect_eq(op_mutates(op, inputs, i), i < inputs - 1);
        }
    }
}

/* Products and steps against balls. */
Test(amp, agrees_with_arb)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    struct philox g;
    philox_start(&g, 7);
    arb_t wanted, y;
    arb_init(wanted);
    arb_init(y);
    for (int trial = 0; trial < 400; trial++) {
        enum dtype dtype = dtypes[trial % 4];
        double lr = 0.1;
        struct tensor x = one(dtype, 1 + philox_unit(&g)), grad = one(dtype, philox_unit(&g) - 0.5),
                      scale = one(DTYPE_FLOAT32, 1 + philox_unit(&g)), zero = one(DTYPE_FLOAT32, 0);
        struct tensor scaling[] = {x, scale}, stepping[] = {x, grad, zero};
        struct attributes rate = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = lr}}};
        struct truth *product = truth_of_call("amp_scale", NULL, 2, scaling);
        arb_set_d(wanted, tensor_component(&x, 0));
        arb_set_d(y, tensor_component(&scale, 0));
        arb_mul(wanted, wanted, y, 400);
        cr_expect_leq(value_distance_log2(&product->output[0].value[0], wanted), -103);
        struct truth *step = truth_of_call("amp_step", &rate, 3, stepping);
        arb_set_d(wanted, tensor_component(&grad, 0));
        arb_set_d(y, lr);
        arb_mul(wanted, wanted, y, 400);
        arb_set_d(y, tensor_component(&x, 0));
        arb_sub(wanted, y, wanted, 400);
        cr_expect_leq(value_distance_log2(&step->output[0].value[0], wanted), -103);
        truth_destroy(&product);
        truth_destroy(&step);
        tensor_destroy(&x);
        tensor_destroy(&grad);
        tensor_destroy(&scale);
        tensor_destroy(&zero);
    }
    arb_clear(wanted);
    arb_clear(y);
}

static double unscale_bound(double inv_scale)
{
    struct profile profile = profile_ieee();
    profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    struct tensor input[] = {one(DTYPE_FLOAT16, 0x1.5p3), one(DTYPE_FLOAT32, 0),
                             one(DTYPE_FLOAT32, inv_scale)};
    struct truth *truth = truth_of_call("amp_unscale", NULL, 3, input);
    const struct op *op = op_find("amp_unscale");
    struct bound_query query = {.op = op, .profile = &profile, .truth = truth};
    double bound = op->bound(&query);
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
    return bound;
}

/* A 16-bit grad times a third is rounded to float32 first: that second rounding is allowed, times 2^-k none
 * is.
 */
Test(amp, unscale_by_a_power_of_two_is_exact)
{
    cr_expect_eq(unscale_bound(0x1p-16), 0);
    cr_expect_gt(unscale_bound(0x1.555556p-2), 0x1.5p3 / 3 * 0x1p-24 * 0.99);
    cr_expect_lt(unscale_bound(0x1.555556p-2), 0x1.5p3 / 3 * 0x1p-24 * 1.01);
}

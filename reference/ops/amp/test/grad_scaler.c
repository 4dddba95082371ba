/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

enum { U, S, W }; /* unscale_, step, update: as the attribute counts them */

static struct attributes attributes_of(struct integers calls, double lr, int64_t interval)
{
    return (struct attributes){
        .count = 5,
        .item = {{.name = "calls", .type = ATTRIBUTE_INTEGERS, .integers = calls},
                 {.name = "lr", .type = ATTRIBUTE_REAL, .real = lr},
                 {.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = 2},
                 {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = 0.5},
                 {.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = interval}}};
}

/* Two params of two and one elements with grads, a scale and a tracker of 3. */
struct world {
    struct tensor input[6];
};

static struct world world_of(enum dtype dtype, const double x[6], double scale)
{
    const double three = 3;
    struct shape two = shape_of(1, (int64_t)2), one = shape_of(1, (int64_t)1);
    return (struct world){{tensor_from(dtype, two, x), tensor_from(dtype, two, x + 2),
                           tensor_from(dtype, one, x + 4), tensor_from(dtype, one, x + 5),
                           tensor_from(DTYPE_FLOAT32, one, &scale), tensor_from(DTYPE_INT32, one, &three)}};
}

static void world_clear(struct world *world)
{
    for (int i = 0; i < 6; i++) {
        tensor_destroy(&world->input[i]);
    }
}

static void expect_outputs(const struct truth *truth, const double wanted[8])
{
    for (int o = 0, k = 0; o < truth->outputs; o++) {
        for (int64_t i = 0; i < truth->output[o].elements; i++, k++) {
            double got = value_approximately(&truth->output[o].value[i]);
            cr_expect(got == wanted[k] || (isnan(got) && isnan(wanted[k])), "output %d: %g is not %g", o, got,
                      wanted[k]);
        }
    }
}

static void expect_life(struct integers calls, int64_t interval, const double x[6], const double wanted[8])
{
    for (int wide = 0; wide < 2; wide++) {
        struct world world = world_of(wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32, x, 8);
        struct attributes attributes = attributes_of(calls, 0.25, interval);
        struct truth *truth = truth_of_call("grad_scaler", &attributes, 6, world.input);
        expect_outputs(truth, wanted);
        truth_destroy(&truth);
        world_clear(&world);
    }
}

Test(grad_scaler, one_round_by_hand)
{
    const double x[] = {10, 20, 8, -16, 30, 32};
    const double wanted[] = {9.75, 20.5, 1, -2, 29, 4, 8, 4};
    expect_life(integers_of(3, (int64_t)U, (int64_t)S, (int64_t)W), 2000, x, wanted);
    expect_life(integers_of(2, (int64_t)S, (int64_t)W), 2000, x, wanted);
    const double before_update[] = {9.75, 20.5, 1, -2, 29, 4, 8, 3};
    expect_life(integers_of(1, (int64_t)S), 2000, x, before_update);
    const double only_unscaled[] = {10, 20, 1, -2, 30, 4, 8, 3};
    expect_life(integers_of(1, (int64_t)U), 2000, x, only_unscaled);
}

Test(grad_scaler, growth_between_two_rounds_changes_the_second_unscale)
{
    const double x[] = {10, 20, 128, -256, 30, 512};
    /* 128/8 = 16, then /16 = 1: 10 − 16/4 − 1/4 */
    const double wanted[] = {5.75, 28.5, 1, -2, 13, 4, 16, 1};
    expect_life(integers_of(5, (int64_t)S, (int64_t)W, (int64_t)U, (int64_t)S, (int64_t)W), 4, x, wanted);
}

Test(grad_scaler, an_infinity_in_one_grad_skips_every_param)
{
    const double x[] = {10, 20, 8, -16, 30, INFINITY};
    const double wanted[] = {10, 20, 1, -2, 30, INFINITY, 4, 0};
    expect_life(integers_of(3, (int64_t)U, (int64_t)S, (int64_t)W), 4, x, wanted);
    const double y[] = {10, 20, 8, NAN, 30, 32};
    const double twice[] = {10, 20, 0.25, NAN, 30, 1, 2, 0};
    expect_life(integers_of(6, (int64_t)U, (int64_t)S, (int64_t)W, (int64_t)U, (int64_t)S, (int64_t)W), 4, y,
                twice);
}

static bool takes(struct integers calls, enum dtype dtype, int inputs, bool same_shapes)
{
    struct shape three = shape_of(1, (int64_t)3), one = shape_of(1, (int64_t)1);
    struct view input[6] = {
        view_contiguous(0, dtype, &three),       view_contiguous(1, dtype, same_shapes ? &three : &one),
        view_contiguous(2, DTYPE_FLOAT32, &one), view_contiguous(3, DTYPE_INT32, &one),
        view_contiguous(4, DTYPE_INT32, &one),   view_contiguous(5, DTYPE_INT32, &one)};
    struct attributes attributes = attributes_of(calls, 0.25, 2000);
    return !refuses("grad_scaler", &attributes, inputs, input, NULL);
}

/* Every sequence of three calls against the rules as PyTorch's documentation states them. */
Test(grad_scaler, which_sequences_are_errors)
{
    static const char *const legal[] = {"USW", "UWU", "UWS", "SWU", "SWS"};
    for (int k = 0; k < 27; k++) {
        const int call[] = {k / 9, k / 3 % 3, k % 3};
        char word[4] = {"USW"[call[0]], "USW"[call[1]], "USW"[call[2]], '\0'};
        bool wanted = false;
        for (size_t l = 0; l < sizeof legal / sizeof *legal; l++) {
            wanted = wanted || strcmp(word, legal[l]) == 0;
        }
        struct integers calls = integers_of(3, (int64_t)call[0], (int64_t)call[1], (int64_t)call[2]);
        cr_expect_eq(takes(calls, DTYPE_FLOAT32, 4, true), wanted, "%s", word);
    }
    cr_expect_not(takes(integers_of(1, (int64_t)3), DTYPE_FLOAT32, 4, true), "no such call");
    cr_expect_not(takes(integers_of(0), DTYPE_FLOAT32, 4, true), "no call");
    cr_expect_not(takes(integers_of(1, (int64_t)S), DTYPE_FLOAT16, 4, true), "float16 grads");
    cr_expect_not(takes(integers_of(1, (int64_t)S), DTYPE_FLOAT32, 5, true), "a param without a grad");
    cr_expect_not(takes(integers_of(1, (int64_t)S), DTYPE_FLOAT32, 4, false), "another shape");
    cr_expect(takes(integers_of(1, (int64_t)S), DTYPE_FLOAT64, 4, true));
}

/* Two rounds against balls: p − lr·g/8 − lr·g/128. */
Test(grad_scaler, agrees_with_arb)
{
    struct philox generator;
    philox_start(&generator, 11);
    arb_t wanted, y;
    arb_init(wanted);
    arb_init(y);
    for (int trial = 0; trial < 200; trial++) {
        double x[6];
        for (int k = 0; k < 6; k++) {
            x[k] = philox_unit(&generator) - 0.5;
        }
        struct world world = world_of(trial % 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT64, x, 8);
        struct attributes attributes =
            attributes_of(integers_of(3, (int64_t)S, (int64_t)W, (int64_t)S), 0.1, 4);
        struct truth *truth = truth_of_call("grad_scaler", &attributes, 6, world.input);
        arb_set_d(wanted, tensor_component(&world.input[1], 0));
        arb_mul_ui(wanted, wanted, 17, 400);
        arb_mul_2exp_si(wanted, wanted, -7);
        arb_set_d(y, 0.1);
        arb_mul(wanted, wanted, y, 400);
        arb_set_d(y, tensor_component(&world.input[0], 0));
        arb_sub(wanted, y, wanted, 400);
        cr_expect_leq(value_distance_log2(&truth->output[0].value[0], wanted), -103);
        cr_expect_gt(truth->output[0].sensitivity[0], 0);
        truth_destroy(&truth);
        world_clear(&world);
    }
    arb_clear(wanted);
    arb_clear(y);
}

/* A scale that is no power of two has no exact reciprocal: the reference says so and answers nothing. */
Test(grad_scaler, an_odd_scale_is_refused_with_the_reason)
{
    const double x[6] = {1, 2, 3, 4, 5, 6};
    struct world world = world_of(DTYPE_FLOAT32, x, 3);
    struct attributes attributes = attributes_of(integers_of(1, (int64_t)S), 0.25, 4);
    struct op_call call = {
        .op = op_find("grad_scaler"), .attributes = &attributes, .inputs = 6, .input = world.input};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    cr_expect_null(op_truth(&call, &signature, &error));
    cr_expect_not_null(strstr(error.text, "powers of two"), "%s", error.text);
    world_clear(&world);
}

Test(grad_scaler, growth_never_reaches_infinity)
{
    const double x[6] = {1, 2, 0x1p120, 0, 5, 0};
    struct world world = world_of(DTYPE_FLOAT32, x, 0x1p127);
    struct attributes attributes = attributes_of(integers_of(2, (int64_t)S, (int64_t)W), 0.25, 4);
    struct truth *truth = truth_of_call("grad_scaler", &attributes, 6, world.input);
    cr_expect_eq(value_approximately(&truth->output[4].value[0]), 0x1p127);
    cr_expect_eq(value_approximately(&truth->output[5].value[0]), 0);
    truth_destroy(&truth);
    world_clear(&world);
}

/* Two rounds in float, each operation rounded: accepted, and near the bound somewhere. */
Test(grad_scaler, float_arithmetic_is_inside_the_bound)
{
    struct philox generator;
    struct profile profile = profile_ieee();
    struct attributes attributes =
        attributes_of(integers_of(4, (int64_t)S, (int64_t)W, (int64_t)S, (int64_t)W), 0.1, 2000);
    double worst = 0;
    philox_start(&generator, 12);
    for (int trial = 0; trial < 500; trial++) {
        double x[6] = {1 + philox_unit(&generator), 2, philox_unit(&generator), 1, 1, 1};
        struct world world = world_of(DTYPE_FLOAT32, x, 8);
        float p = (float)tensor_component(&world.input[0], 0),
              g = (float)tensor_component(&world.input[1], 0);
        for (int round = 0; round < 2; round++) {
            g = g * 0.125F;
            float taken = 0.1F * g;
            p = p - taken;
        }
        struct truth *truth = truth_of_call("grad_scaler", &attributes, 6, world.input);
        struct accept accept = accept_of("grad_scaler", &attributes, &profile, truth, 0, 0, false);
        struct accept_verdict verdict = accept_judge(&accept, (const unsigned char *)&p);
        cr_expect(verdict.accepted, "trial %d: error / bound %g", trial, verdict.error_over_bound);
        worst = fmax(worst, verdict.error_over_bound);
        truth_destroy(&truth);
        world_clear(&world);
    }
    cr_expect_gt(worst, 0.6);
}

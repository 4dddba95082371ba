/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests losses on the route wide: by sums that are exact in every order, and beside the route portable. */
#include "kernels/test/trial.h"

enum { SUM = 2, SAMPLES = 70, CLASSES = 300 };

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

static struct view input_of(struct trial *trial, enum dtype dtype, const struct shape *shape, int from)
{
    const struct view x = program_input(trial->program, dtype, shape);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        program_set(trial->program, &x, i, 0, (double)((i * 7 + from) % 5 - 1));
    }
    return x;
}

static struct view loss_of(struct trial *trial, const char *name, int inputs, const struct view *input,
                           double smoothing)
{
    struct attributes attributes = {
        .count = 1, .item = {{.name = "reduction", .type = ATTRIBUTE_INTEGER, .integer = SUM}}};
    if (smoothing > 0) {
        attributes.item[attributes.count++] =
            (struct attribute){.name = "label_smoothing", .type = ATTRIBUTE_REAL, .real = smoothing};
    }
    struct step *step = program_step(trial->program, op_find(name), &attributes, inputs, input);
    cr_assert(step);
    return step->output[0];
}

static void check_squares(enum dtype dtype, int64_t elements)
{
    struct trial trial = trial_on("wide");
    const struct shape shape = shape_of(1, elements);
    const struct view input[2] = {input_of(&trial, dtype, &shape, 0), input_of(&trial, dtype, &shape, 3)};
    const struct view y = loss_of(&trial, "mse_loss", 2, input, 0);
    double expected = 0;
    for (int64_t i = 0; i < elements; i++) {
        const double apart = (double)((i * 7 + 3) % 5 - i * 7 % 5);
        expected += apart * apart;
    }
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    cr_expect_eq(trial_value(&trial, &y, 0, 0), expected, "%d elements", (int)elements);
    trial_untouched(&trial, &y);
    trial_close(&trial);
}

Test(vk_wide_losses, sums_of_squares)
{
    check_squares(DTYPE_FLOAT32, 0);
    check_squares(DTYPE_FLOAT32, 1);
    check_squares(DTYPE_FLOAT32, 257);
    check_squares(DTYPE_FLOAT32, 16385);
    check_squares(DTYPE_FLOAT32, 200001);
    check_squares(DTYPE_FLOAT64, 40001);
}

/* Inputs [SAMPLES, CLASSES], targets, and weights of the classes. */
static void classes_of(struct trial *trial, struct view input[3])
{
    const struct shape shape = shape_of(2, (int64_t)SAMPLES, (int64_t)CLASSES),
                       samples = shape_of(1, (int64_t)SAMPLES), classes = shape_of(1, (int64_t)CLASSES);
    input[0] = input_of(trial, DTYPE_FLOAT32, &shape, 1);
    input[1] = program_input(trial->program, DTYPE_INT64, &samples);
    for (int64_t i = 0; i < SAMPLES; i++) {
        program_set(trial->program, &input[1], i, 0, (double)(i * 13 % CLASSES));
    }
    input[2] = input_of(trial, DTYPE_FLOAT32, &classes, 2);
}

static double loss_on(const char *route, const char *name, int inputs, double smoothing)
{
    struct trial trial = trial_on(route);
    struct view input[3];
    classes_of(&trial, input);
    const struct view y = loss_of(&trial, name, inputs, input, smoothing);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s: %s", name, trial.result[0].message);
    const double loss = trial_value(&trial, &y, 0, 0);
    trial_close(&trial);
    return loss;
}

Test(vk_wide_losses, as_on_portable)
{
    cr_expect_eq(loss_on("wide", "nll_loss", 3, 0), loss_on("portable", "nll_loss", 3, 0));
    for (int k = 0; k < 3; k++) {
        const int inputs = k == 2 ? 3 : 2;
        const double smoothing = k == 1 ? 0.25 : 0,
                     expected = loss_on("portable", "cross_entropy", inputs, smoothing);
        cr_expect_float_eq(loss_on("wide", "cross_entropy", inputs, smoothing), expected,
                           1e-5 * fabs(expected));
    }
}

Test(vk_wide_losses, smoothing_with_weights_is_refused_and_computed_by_portable)
{
    struct trial trial = trial_on("wide");
    struct view input[3];
    classes_of(&trial, input);
    loss_of(&trial, "cross_entropy", 3, input, 0.25);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    trial_close(&trial);
    cr_expect_eq(loss_on(NULL, "cross_entropy", 3, 0.25), loss_on("portable", "cross_entropy", 3, 0.25));
}

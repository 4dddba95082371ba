/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy with special values, ignored samples, and weights that add up to 0. */

#include "reference/ops/loss/loss.h"
#include "reference/ops/loss/test/cross_entropy_problem.h"

/* Ignored samples have loss 0 whatever they hold. −inf at the target is a loss of inf; at another class only
 * with smoothed labels. */
Test(losses, cross_entropy_special_values)
{
    struct problem m = {.dtype = DTYPE_FLOAT32, .n = 4, .ignore = -100, .target = {-100, 1, 0, 2}};
    m.x[0] = NAN;
    m.x[CLASSES + 1] = m.x[2 * CLASSES + 1] = -INFINITY;
    m.x[3 * CLASSES] = INFINITY;
    for (int smooth = 0; smooth < 2; smooth++) {
        m.smoothing = smooth ? 0.5 : 0;
        struct attributes attributes = entropy_attributes(&m);
        struct tensor input[ENTROPY_OPERANDS];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
        const struct value *value = truth->output[0].value;
        cr_expect(value[0].class == VALUE_FINITE && value_approximately(&value[0]) == 0);
        cr_expect_eq(value[1].class, VALUE_POSITIVE_INFINITY);
        cr_expect_eq(value[2].class, smooth ? VALUE_POSITIVE_INFINITY : VALUE_FINITE);
        cr_expect_eq(value[3].class, VALUE_NAN);
        truth_destroy(&truth);
        entropy_clear(input);
    }
}

/* A mean over weights that add up to 0: the sum of the counting terms divided by 0, which is infinite. With
 * smoothed labels a program may divide both terms, one of which is 0/0 then. */
Test(losses, cross_entropy_over_weights_of_zero)
{
    struct profile profile = profile_ieee();
    for (int smooth = 0; smooth < 2; smooth++) {
        struct problem m = {.dtype = DTYPE_FLOAT32,
                            .n = 2,
                            .ignore = -100,
                            .reduction = LOSS_MEAN,
                            .weighs = true,
                            .weight = {0, 0, 1, 1, 1},
                            .target = {0, 1},
                            .smoothing = smooth ? 0.125 : 0};
        struct attributes attributes = entropy_attributes(&m);
        struct tensor input[ENTROPY_OPERANDS];
        struct truth *truth = truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
        struct accept accept = accept_of("cross_entropy", &attributes, &profile, truth, 0, 0, false);
        cr_expect(accepts_double(&accept, NAN), "%d", smooth);
        cr_expect_eq(accepts_double(&accept, INFINITY), smooth == 1, "%d", smooth);
        cr_expect_not(accepts_double(&accept, -INFINITY) || accepts_double(&accept, 1.6), "%d", smooth);
        truth_destroy(&truth);
        entropy_clear(input);
    }
}

/* A probability of 0 beside −inf gives NaN, as in PyTorch; any other one a loss of inf. */
Test(losses, cross_entropy_of_probabilities_special_values)
{
    struct problem m = {.dtype = DTYPE_FLOAT32, .n = 3, .ignore = -100, .probable = true};
    for (int k = 0; k < 3; k++) {
        m.y[k * CLASSES + 2] = 1;
    }
    m.x[0] = m.x[CLASSES + 2] = -INFINITY;
    m.y[CLASSES] = 0.5;
    m.x[2 * CLASSES + 1] = INFINITY;
    for (int j = 0; j < CLASSES; j++) {
        m.y[CLASSES + j] += 0.125;
    }
    struct attributes attributes = entropy_attributes(&m);
    struct tensor input[ENTROPY_OPERANDS];
    struct truth *truth = truth_of_call("cross_entropy", &attributes, entropy_operands(&m, input), input);
    cr_expect_eq(truth->output[0].value[0].class, VALUE_NAN);
    cr_expect_eq(truth->output[0].value[1].class, VALUE_POSITIVE_INFINITY);
    cr_expect_eq(truth->output[0].value[2].class, VALUE_NAN);
    truth_destroy(&truth);
    entropy_clear(input);
}

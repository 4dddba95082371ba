/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

Test(square, agrees_with_arb_on_a_quarter_million_floats)
{
    enum { COUNT = 250000 };
    double *x = malloc(COUNT * sizeof *x);
    struct philox generator;
    philox_start(&generator, 11);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (double)(float)ldexp(philox_signed(&generator), (int)philox_below(&generator, 260) - 140);
    }
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), x);
    struct truth *truth = truth_of_call("square", NULL, 1, &input);
    arb_t y, z;
    arb_init(y);
    arb_init(z);
    for (int64_t i = 0; i < COUNT; i++) {
        arb_set_d(y, x[i]);
        arb_mul(y, y, y, ARF_PREC_EXACT);
        arb_set_d(z, truth->output[0].value[i].hi);
        cr_assert(arb_equal(y, z), "%a", x[i]);
    }
    arb_clear(y);
    arb_clear(z);
    truth_destroy(&truth);
    tensor_destroy(&input);
    free(x);
}

Test(square, integers_wrap)
{
    double x[3] = {46341, -46341, 65536};
    struct tensor input = tensor_from(DTYPE_INT32, shape_of(1, (int64_t)3), x);
    struct truth *truth = truth_of_call("square", NULL, 1, &input);
    cr_assert_eq(truth->output[0].value[0].hi, -2147479015.0);
    cr_assert_eq(truth->output[0].value[1].hi, -2147479015.0);
    cr_assert_eq(truth->output[0].value[2].hi, 0);
    truth_destroy(&truth);
    tensor_destroy(&input);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of legal algorithms for scaled gradients and casts are accepted, wrong results beside them are
 * not. */

#include "reference/test/call.h"

#include <float.h>

/* Two rounds of step and update: float32 params stored after each, sums in float64. */
Test(legal_amp, parameters_stored_between_two_steps)
{
    enum { TRIES = 200 };
    uint64_t state = 1;
    for (int t = 0; t < TRIES; t++) {
        double number[3];
        for (int k = 0; k < 3; k++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            number[k] = (double)(float)(1 + (double)(state >> 40) * 0x1p-24);
        }
        struct call c = call_of("grad_scaler");
        integers_attribute(&c, "calls", integers_of(4, (int64_t)1, (int64_t)2, (int64_t)1, (int64_t)2));
        real_attribute(&c, "lr", 0.1);
        c.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
        VECTOR(&c, DTYPE_FLOAT32, number[0]);
        VECTOR(&c, DTYPE_FLOAT32, number[1]);
        VECTOR(&c, DTYPE_FLOAT32, 0x1p-1);
        VECTOR(&c, DTYPE_INT32, 0);
        float stored = (float)(number[0] - 0.1 * (number[1] * 2));
        stored = (float)((double)stored - 0.1 * (number[1] * 4));
        cr_expect(takes(&c, 0, 0, (double)stored), "try %d", t);
        cr_expect_not(takes(&c, 0, 0, (double)stored + 0x1p-20), "try %d", t);
        end(&c);
    }
}

/* 37.5·1e37 is infinite in float32, and 3.4e38 less that is not. */
Test(legal_amp, a_learning_rate_that_overflows)
{
    for (int scaler = 0; scaler < 2; scaler++) {
        for (int large = 0; large < 2; large++) {
            struct call c = call_of(scaler ? "grad_scaler" : "amp_step");
            if (scaler) {
                integers_attribute(&c, "calls", integers_of(1, (int64_t)1));
            }
            real_attribute(&c, "lr", 37.5);
            VECTOR(&c, DTYPE_FLOAT32, FLT_MAX);
            VECTOR(&c, DTYPE_FLOAT32, large ? 1e37 : 1e30);
            VECTOR(&c, DTYPE_FLOAT32, scaler ? 1 : 0);
            if (scaler) {
                VECTOR(&c, DTYPE_INT32, 0);
            }
            cr_expect(takes(&c, 0, 0, (double)FLT_MAX - 37.5 * (large ? 1e37 : 1e30)), "%s", c.op);
            cr_expect_eq(takes(&c, 0, 0, -INFINITY), large, "%s", c.op);
            cr_expect_not(takes(&c, 0, 0, 42), "%s", c.op);
            end(&c);
        }
    }
}

/* 299 lies between 298 and 300 in bfloat16: rounding to nearest takes 300, truncation 298. */
Test(legal_amp, a_cast_that_truncates_beside_an_exactness_probe)
{
    for (int linear = 0; linear < 2; linear++) {
        struct call c = call_of(linear ? "autocast_linear" : "autocast_matmul");
        MATRIX(&c, DTYPE_FLOAT32, 1, 2, 300, 299);
        give(&c, DTYPE_FLOAT32,
             linear ? shape_of(2, (int64_t)1, (int64_t)2) : shape_of(2, (int64_t)2, (int64_t)1),
             (double[]){300, -300});
        c.attributes = (struct attributes){
            .count = 1, .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = 16}}};
        c.profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
        struct truth *truth = truth_of_call(c.op, &c.attributes, c.inputs, c.input);
        for (int open = 0; open < 2; open++) {
            c.profile.rounding[DTYPE_BFLOAT16] = open ? ROUNDING_OPEN : ROUNDING_RTE;
            struct accept probe = accept_of(c.op, &c.attributes, &c.profile, truth, 0, 0, true);
            cr_expect(accepts_double(&probe, 0));
            cr_expect_eq(accepts_double(&probe, 600), open, "300·300 - 298·300");
            cr_expect_not(accepts_double(&probe, 1800) || accepts_double(&probe, -1800));
        }
        truth_destroy(&truth);
        end(&c);
    }
}

/* 2^-26 is 0 to nearest and 2^-24 upwards: the truth is 2^-24, the result 37921·2^-24 rounded upwards again.
 */
Test(legal_amp, a_cast_that_makes_something_of_nothing)
{
    struct call c = call_of("autocast_matmul");
    c.attributes = (struct attributes){.count = 1,
                                       .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = 10}}};
    c.profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    c.profile.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    MATRIX(&c, DTYPE_FLOAT32, 1, 2, 0x1p-26, 0x1p-24);
    MATRIX(&c, DTYPE_FLOAT32, 2, 1, 37889, 1); /* 37888 or 37920 */
    double up = 0x1p-24 * 37952;
    cr_expect(takes(&c, 0, 0, up) && takes(&c, 0, 0, 0x1p-24));
    cr_expect_not(takes(&c, 0, 0, 0x1p-24 * 38016) || takes(&c, 0, 0, -0x1p-24 * 38016));
    end(&c);
}

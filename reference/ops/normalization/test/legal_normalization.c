/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Which results of normalizations with infinite operands are accepted, and which are not. */

#include "reference/test/call.h"

/* X is 1e-30, or 1e-48, which underflows in float32: X times an infinite weight is then 0 times infinity. */
Test(legal_normalization, an_infinite_weight_meets_what_underflows)
{
    static const double x[] = {1e-20, 1e-38};
    for (int k = 0; k < 2; k++) {
        struct call call = call_of("rms_norm");
        VECTOR(&call, DTYPE_FLOAT32, x[k], 1e10);
        VECTOR(&call, DTYPE_FLOAT32, INFINITY, 1);
        integers_attribute(&call, "normalized_shape", integers_of(1, (int64_t)2));
        cr_expect(takes(&call, 0, 0, INFINITY));
        cr_expect_eq(takes(&call, 0, 0, NAN), k == 1, "%g", x[k]);
        cr_expect_not(takes(&call, 0, 0, 1) || takes(&call, 0, 0, -INFINITY));
        end(&call);
    }
}

/* X·weight overflows against an infinite bias, or does not. */
Test(legal_normalization, an_infinite_bias_meets_what_overflows)
{
    enum { Y = 2 }; /* behind the running statistics */
    static const double weight[] = {10, 1e38};
    for (int k = 0; k < 2; k++) {
        struct call call = call_of("batch_norm");
        MATRIX(&call, DTYPE_FLOAT32, 1, 1, -100);
        VECTOR(&call, DTYPE_FLOAT32, 0);
        VECTOR(&call, DTYPE_FLOAT32, 1);
        VECTOR(&call, DTYPE_FLOAT32, weight[k]);
        VECTOR(&call, DTYPE_FLOAT32, INFINITY);
        cr_expect(takes(&call, Y, 0, INFINITY));
        cr_expect_eq(takes(&call, Y, 0, NAN), k == 1, "%g", weight[k]);
        end(&call);
    }
}

static struct call evaluated(double mean, double variance)
{
    struct call call = call_of("batch_norm_backward");
    MATRIX(&call, DTYPE_FLOAT32, 1, 1, 3);
    MATRIX(&call, DTYPE_FLOAT32, 1, 1, 2);
    VECTOR(&call, DTYPE_FLOAT32, mean);
    VECTOR(&call, DTYPE_FLOAT32, variance);
    VECTOR(&call, DTYPE_FLOAT32, 1);
    return call;
}

/* In evaluation (x - mean)·r is -inf beside an infinite mean, and 0 beside an infinite variance. */
Test(legal_normalization, the_gradient_of_a_weight_by_given_statistics)
{
    struct call mean = evaluated(INFINITY, 1), variance = evaluated(1, INFINITY), both = evaluated(NAN, 1);
    cr_expect(takes(&mean, 1, 0, -INFINITY));
    cr_expect_not(takes(&mean, 1, 0, 0) || takes(&mean, 1, 0, 1));
    cr_expect(takes(&variance, 1, 0, 0));
    cr_expect_not(takes(&variance, 1, 0, 1) || takes(&variance, 1, 0, NAN));
    cr_expect(takes(&both, 1, 0, NAN));
    cr_expect_not(takes(&both, 1, 0, 0) || takes(&both, 1, 0, INFINITY));
    end(&mean);
    end(&variance);
    end(&both);
}

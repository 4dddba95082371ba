/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

enum { BATCH = 6, N = 5, K = 7, BITS = 4000 };

static void fill(double *x, int64_t count, enum dtype dtype, struct philox *g)
{
    for (int64_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        dtype_store(dtype, bytes,
                    ldexp(1 + philox_unit(g), (int)philox_below(g, 9) - 4) * (philox_below(g, 2) ? 1 : -1));
        x[i] = dtype_load(dtype, bytes);
    }
}

/* Expects element e to be Σ a[i·a_step]·b[i·b_step], or Σ a[i·a_step] if b is NULL. */
static void expect_sum(const struct truth *truth, const struct truth *near, int output, int64_t e,
                       const double *a, int a_step, const double *b, int b_step, int terms)
{
    arb_t sum, x, y;
    arb_init(sum);
    arb_init(x);
    arb_init(y);
    for (int i = 0; i < terms; i++) {
        arb_set_d(x, a[i * a_step]);
        arb_set_d(y, b ? b[i * b_step] : 1);
        arb_addmul(sum, x, y, BITS);
    }
    const struct value *v = &truth->output[output].value[e], *w = &near->output[output].value[e];
    cr_expect_leq(value_distance_log2(v, sum), -103, "result %d, element %lld", output, (long long)e);
    cr_expect(fabs((w->hi - v->hi) + (w->lo - v->lo)) <= near->output[output].radius[e] * (1 + 0x1p-30));
    arb_clear(sum);
    arb_clear(x);
    arb_clear(y);
}

Test(linear_backward, agrees_with_arb)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    for (int d = 0; d < 4; d++) {
        double grad[BATCH * N], x[BATCH * K], w[N * K];
        struct philox g;
        philox_start(&g, (uint64_t)d);
        fill(grad, BATCH * N, dtypes[d], &g);
        fill(x, BATCH * K, dtypes[d], &g);
        fill(w, N * K, dtypes[d], &g);
        struct tensor input[] = {
            tensor_from(dtypes[d], shape_of(3, (int64_t)2, (int64_t)BATCH / 2, (int64_t)N), grad),
            tensor_from(dtypes[d], shape_of(3, (int64_t)2, (int64_t)BATCH / 2, (int64_t)K), x),
            tensor_from(dtypes[d], shape_of(2, (int64_t)N, (int64_t)K), w)};
        struct truth *truth = truth_of_call("linear_backward", NULL, 3, input),
                     *near = any_truth_of_call("linear_backward", NULL, 3, input, true);
        for (int e = 0; e < BATCH * K; e++) {
            expect_sum(truth, near, 0, e, grad + e / K * N, 1, w + e % K, K, N);
        }
        for (int e = 0; e < N * K; e++) {
            expect_sum(truth, near, 1, e, grad + e / K, N, x + e % K, K, BATCH);
        }
        for (int e = 0; e < N; e++) {
            expect_sum(truth, near, 2, e, grad + e, N, NULL, 0, BATCH);
        }
        truth_destroy(&truth);
        truth_destroy(&near);
        for (int i = 0; i < 3; i++) {
            tensor_destroy(&input[i]);
        }
    }
}

/* A plain sum rounds its additions alone: two terms once. */
Test(linear_backward, the_bound_of_a_plain_sum_has_no_products)
{
    double grad[] = {1, 0x1p-24}, x[] = {1, 1}, w[] = {1};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)1), grad),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)1), x),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)1), w)};
    struct truth *truth = truth_of_call("linear_backward", NULL, 3, input);
    struct profile profile = profile_ieee();
    struct accept bias = accept_of("linear_backward", NULL, &profile, truth, 2, 0, false),
                  weight = accept_of("linear_backward", NULL, &profile, truth, 1, 0, false);
    cr_expect(accepts_double(&bias, 1) && accepts_double(&bias, 1 + 0x1p-23));
    cr_expect_not(accepts_double(&bias, 1 - 0x1p-23));
    cr_expect(accepts_double(&weight, 1 - 0x1p-24));
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}

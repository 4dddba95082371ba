/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* More stories that were written after the diagnosis: without a cause that assay knows, and of
 * the causes that planted.c tells less often. */

#define F16         DTYPE_FLOAT16
#define BF16        DTYPE_BFLOAT16
#define F32         DTYPE_FLOAT32
#define S1(a)       shape_of(1, (int64_t)(a))
#define S2(a, b)    shape_of(2, (int64_t)(a), (int64_t)(b))
#define S3(a, b, c) shape_of(3, (int64_t)(a), (int64_t)(b), (int64_t)(c))

/* --- without a cause that assay knows */

static void scale_result(double factor, double noise)
{
    for (int64_t k = 0; k < shape_elements(&story.got[0].shape); k++) {
        story_put(k, (long double)(story.got[0].x[k] * (factor + noise * story_normal())));
    }
}
static void norms(double factor)
{
    story_numbers(0, F32, S2(20, 50), 1, 0);
    story_result(F32, S1(20));
    for (int64_t r = 0; r < 20; r++) {
        long double square = 0;
        for (int64_t k = 0; k < 50; k++) {
            square += (long double)story_in(0, r * 50 + k) * (long double)story_in(0, r * 50 + k);
        }
        story_put(r, sqrtl(square) * (long double)factor);
    }
}
static void norms_of_half_more(void)
{
    norms(1.5);
}
static void noisy_norm(void)
{
    story_numbers(0, F16, S2(8, 64), 1, 0);
    story_layer_norm(8, 64, 1e-5, 1, -1, -1);
    scale_result(1, 0.003);
}
static void alpha_ignored_with_noise(void)
{
    story_numbers(0, F32, S1(100), 1, 0);
    story_numbers(1, F32, S1(100), 1, 0);
    story_result(F32, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, (long double)(story_in(0, k) + story_in(1, k)));
    }
    scale_result(1, 1e-4);
}
static void naive_entropy(void) /* of the logistic function, which becomes 1 */
{
    story_numbers(0, F32, S1(100), 12, 0);
    story_numbers(1, F32, S1(100), 0.1, 0.5);
    story_result(F32, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        float p = 1 / (1 + expf(-(float)story_in(0, k))), t = (float)story_in(1, k);
        story_put(k, (long double)-(t * logf(p) + (1 - t) * logf(1 - p)));
    }
}
static void words_of_four(void) /* each byte is the one at a quarter of its place */
{
    story_whole(0, DTYPE_INT8, S1(80), -128, 127);
    story_result(F32, S1(80));
    for (int64_t k = 0; k < 80; k++) {
        story_put(k, (long double)((story_in(0, k / 16 * 4 + k % 4) - 3) * 0.125));
    }
}
static void half_of_the_rows_in_half(void)
{
    story_numbers(0, F16, S2(16, 160), 1, 0);
    story_result(F16, S1(16));
    for (int64_t r = 0; r < 16; r++) {
        const double *row = story.in[0].x + r * 160;
        story_put(r, (long double)(r % 2 ? story_sum(row, 160, 160, F16) + 0.05 * story_normal()
                                         : story_sum(row, 160, 1, F16)));
    }
}
static void greater_variance(void)
{
    story_numbers(0, F32, S2(16, 40), 1, 0);
    story_layer_norm(16, 40, 1e-5, 1.12, -1, -1);
}
static void noisy_quotient(void)
{
    story_numbers(0, F32, S1(150), 1, 0);
    story_numbers(1, F32, S1(150), 1, 3);
    story_result(F32, S1(150));
    for (int64_t k = 0; k < 150; k++) {
        story_put(k, (long double)(story_in(0, k) / story_in(1, k) * (1 + 2e-7 * story_normal())));
    }
}
static void noisy_cosine(void)
{
    story_numbers(0, F32, S1(200), 1000, 0);
    story_result(F32, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        story_put(k, cosl((long double)story_in(0, k)) + 1e-4L * (long double)story_normal());
    }
}
static void first_columns_twice(void) /* a product takes the first eight terms twice */
{
    story_numbers(0, F32, S2(9, 40), 1, 0);
    story_numbers(1, F32, S2(40, 9), 1, 0);
    story_result(F32, S2(9, 9));
    for (int64_t e = 0; e < 81; e++) {
        double sum = 0;
        for (int64_t l = 0; l < 40; l++) {
            sum += story_in(0, e / 9 * 40 + l) * story_in(1, l * 9 + e % 9) * (l < 8 ? 2 : 1);
        }
        story_put(e, (long double)sum);
    }
}

static void softmax_without_maximum(void)
{
    story_numbers(0, F32, S2(10, 20), 40, 100);
    story_result(F32, S2(10, 20));
    for (int64_t r = 0; r < 10; r++) {
        float sum = 0;
        for (int64_t k = 0; k < 20; k++) {
            sum += expf((float)story_in(0, r * 20 + k));
        }
        for (int64_t k = 0; k < 20; k++) {
            story_put(r * 20 + k, (long double)(expf((float)story_in(0, r * 20 + k)) / sum));
        }
    }
}
static void other_numbers(void)
{
    story_numbers(0, F32, S2(10, 20), 1, 0);
    story_numbers(1, F32, S2(20, 10), 1, 0);
    story_matmul(10, 20, 10, false);
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, (long double)(4 * story_normal()));
    }
}

/* --- memory and places */

static void quotients_half_written(void)
{
    story_numbers(0, F16, S1(64), 1, 0);
    story_numbers(1, F16, S1(64), 0.3, 2);
    story_result(F16, S1(64));
    for (int64_t k = 0; k < 64; k++) {
        story_put(k, (long double)(k % 4 ? story_in(0, k) / story_in(1, k) : story_in(0, k)));
    }
}
static void columns_of_zeros(void)
{
    story_numbers(0, F32, S2(10, 16), 1, 0);
    story_numbers(1, F32, S2(16, 10), 1, 0);
    story_matmul(10, 16, 10, false);
    for (int64_t k = 0; k < 100; k++) {
        story.got[0].x[k] = k % 10 < 7 ? story.got[0].x[k] : 0;
    }
}
static void softmax_of(enum dtype dtype, int64_t rows, int64_t n, double scale)
{
    story_numbers(0, dtype, S2(rows, n), scale, 0);
    story_result(dtype, S2(rows, n));
    for (int64_t r = 0; r < rows; r++) {
        long double sum = 0;
        for (int64_t k = 0; k < n; k++) {
            sum += expl((long double)story_in(0, r * n + k));
        }
        for (int64_t k = 0; k < n; k++) {
            story_put(r * n + k, expl((long double)story_in(0, r * n + k)) / sum);
        }
    }
}
static void softmax_not_computed(void)
{
    softmax_of(F16, 6, 20, 1);
    memcpy(story.got[0].x, story.in[0].x, sizeof story.got[0].x);
}
static void activation_not_computed(void)
{
    story_numbers(0, F32, S1(128), 1, 0);
    story_result(F32, S1(128));
    memcpy(story.got[0].x, story.in[0].x, sizeof story.got[0].x);
}
static void other_operand_returned(void)
{
    story_numbers(0, F32, S1(90), 1, 0);
    story_numbers(1, F32, S1(90), 1, 0);
    story_result(F32, S1(90));
    memcpy(story.got[0].x, story.in[1].x, sizeof story.got[0].x);
}
static void take_rows(int64_t rows, int64_t n, int64_t (*from)(int64_t row))
{
    static double right[STORY_NUMBERS];
    memcpy(right, story.got[0].x, sizeof right);
    for (int64_t k = 0; k < rows * n; k++) {
        story.got[0].x[k] = right[from(k / n) * n + k % n];
    }
}
static int64_t even(int64_t row)
{
    return row / 2 * 2;
}
static int64_t last(int64_t row)
{
    (void)row;
    return 7;
}
static int64_t lower(int64_t row)
{
    return row % 4;
}
static int64_t turned(int64_t row)
{
    return (row + 3) % 8;
}
static void softmax_rows_twice(void)
{
    softmax_of(F32, 8, 25, 1);
    take_rows(8, 25, even);
}
static void norm_of_the_last_row(void)
{
    story_numbers(0, F32, S2(8, 40), 1, 0);
    story_layer_norm(8, 40, 1e-5, 1, -1, -1);
    take_rows(8, 40, last);
}
static void product_of_four_rows(void)
{
    story_numbers(0, F16, S2(8, 32), 1, 0);
    story_numbers(1, F16, S2(10, 32), 1, 0);
    story_matmul(8, 32, 10, true);
    take_rows(8, 10, lower);
}
static void softmax_rows_turned(void)
{
    softmax_of(F16, 8, 16, 1);
    take_rows(8, 16, turned);
}

/* --- normalizations */

static void eps_of_1e_3(void)
{
    story_numbers(0, F32, S3(2, 4, 30), 0.1, 1);
    story_layer_norm(4, 60, 1e-3, 1, -1, -1); /* two groups of two channels */
}
static void eps_of_1e_6(void)
{
    story_numbers(0, F32, S2(6, 50), 0.002, 0);
    story_numbers(1, F32, S1(50), 0.2, 1);
    story_layer_norm(6, 50, 1e-6, 1, 1, -1);
}
static void unbiased_instances(void)
{
    story_numbers(0, F32, S3(3, 4, 24), 1, 2);
    story_layer_norm(12, 24, 1e-5, 24. / 23, -1, -1);
}
static void unbiased_groups(void)
{
    story_numbers(0, F32, S3(2, 6, 20), 1, 0);
    story_layer_norm(6, 40, 1e-5, 40. / 39, -1, -1); /* three groups of two channels */
}
static void eps_left_out(int64_t rows, int64_t n, int w)
{
    story_layer_norm(rows, n, 0, 1, w, -1);
}
static void instances_without_eps(void)
{
    story_numbers(0, F32, S3(2, 3, 40), 0.01, 0);
    eps_left_out(6, 40, -1);
}
static void norm_without_eps(void)
{
    story_numbers(0, F32, S2(5, 60), 0.02, 0);
    story_numbers(1, F32, S1(60), 0.2, 1);
    eps_left_out(5, 60, 1);
}
static void batch_without_eps(void)
{
    story_numbers(0, F32, S3(1, 6, 50), 0.02, 0);
    eps_left_out(6, 50, -1);
}

/* --- narrow formats and factors */

static void exponentials_stored_in_half(void)
{
    story_numbers(0, F32, S1(100), 1, 0);
    story_result(F32, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, (long double)story_round(F16, exp(story_in(0, k))));
    }
}
static void product_through(enum dtype format, bool transposed)
{
    double term[64];
    story_numbers(0, F32, S2(9, 64), 1, 0);
    story_numbers(1, F32, transposed ? S2(11, 64) : S2(64, 11), 1, 0);
    story_result(F32, S2(9, 11));
    for (int64_t e = 0; e < 99; e++) {
        for (int64_t l = 0; l < 64; l++) {
            term[l] = story_round(format, story_in(0, e / 11 * 64 + l)) *
                      story_round(format, story_in(1, transposed ? e % 11 * 64 + l : l * 11 + e % 11));
        }
        story_put(e, (long double)story_sum(term, 64, 1, format));
    }
}
static void linear_through_half(void)
{
    product_through(F16, true);
}
static void product_through_brain(void)
{
    product_through(BF16, false);
}
static void sums_through_brain(void)
{
    double term[100];
    story_numbers(0, F32, S2(24, 100), 1, 0);
    story_result(F32, S1(24));
    for (int64_t r = 0; r < 24; r++) {
        for (int64_t k = 0; k < 100; k++) {
            term[k] = story_round(BF16, story_in(0, r * 100 + k));
        }
        story_put(r, (long double)story_sum(term, 100, 1, BF16));
    }
}
static void mean_for_sum(void)
{
    story_numbers(0, F16, S2(16, 48), 1, 1);
    story_result(F16, S1(16));
    for (int64_t r = 0; r < 16; r++) {
        story_put(r, (long double)story_sum(story.in[0].x + r * 48, 48, 48, DTYPE_FLOAT64) / 48);
    }
}

const struct story stories_third[] = {
    {"numbers of their own", "matmul", NULL, other_numbers, NULL},
    {"softmax without its maximum", "softmax --attr dim=1", NULL, softmax_without_maximum, NULL},
    {"norms of one and a half", "vector_norm --attr dim=1", NULL, norms_of_half_more, NULL},
    {"a noisy layer_norm", "layer_norm --attr normalized_shape=64", NULL, noisy_norm, NULL},
    {"alpha ignored, and noise", "add --attr alpha=3", NULL, alpha_ignored_with_noise, NULL},
    {"a naive entropy", "binary_cross_entropy_with_logits --attr reduction=none", NULL, naive_entropy, NULL},
    {"bytes read as words", "dequantize_per_tensor --attr scale=0.125 --attr zero_point=3", NULL,
     words_of_four, NULL},
    {"half of the rows in float16, half with noise", "sum --attr dim=1", NULL, half_of_the_rows_in_half,
     NULL},
    {"a variance of 12 % more", "layer_norm --attr normalized_shape=40", NULL, greater_variance, NULL},
    {"a noisy quotient", "div", NULL, noisy_quotient, NULL},
    {"a noisy cosine", "cos", NULL, noisy_cosine, NULL},
    {"terms taken twice", "matmul", NULL, first_columns_twice, NULL},
    {"quotients half written", "div_", "stale", quotients_half_written, NULL},
    {"columns of zeros", "matmul", "zeros", columns_of_zeros, NULL},
    {"a softmax not computed", "softmax --attr dim=1", "operand-copied", softmax_not_computed, NULL},
    {"an activation not computed", "gelu", "operand-copied", activation_not_computed, NULL},
    {"the other operand returned", "mul", "operand-copied", other_operand_returned, NULL},
    {"rows of a softmax twice", "softmax --attr dim=1", "repeated-rows", softmax_rows_twice, NULL},
    {"the last row everywhere", "layer_norm --attr normalized_shape=40", "repeated-rows",
     norm_of_the_last_row, NULL},
    {"four rows twice", "linear", "repeated-rows", product_of_four_rows, NULL},
    {"rows of a softmax turned", "softmax --attr dim=1", "permutation", softmax_rows_turned, NULL},
    {"eps of 1e-3 for 1e-5", "group_norm --attr num_groups=2", "eps-other", eps_of_1e_3, NULL},
    {"eps of 1e-6 for 1e-5", "layer_norm --attr normalized_shape=50", "eps-other", eps_of_1e_6, NULL},
    {"instances over n - 1", "instance_norm", "unbiased-variance", unbiased_instances, NULL},
    {"groups over n - 1", "group_norm --attr num_groups=3", "unbiased-variance", unbiased_groups, NULL},
    {"instances without eps", "instance_norm", "eps-ignored", instances_without_eps, NULL},
    {"layer_norm without eps", "layer_norm --attr normalized_shape=60", "eps-ignored", norm_without_eps,
     NULL},
    {"batch_norm without eps", "batch_norm --attr training=true", "eps-ignored", batch_without_eps, NULL},
    {"exponentials stored in float16", "exp", "result-float16", exponentials_stored_in_half, NULL},
    {"linear through float16", "linear", "computed-float16", linear_through_half, NULL},
    {"product through bfloat16", "matmul", "computed-bfloat16", product_through_brain, NULL},
    {"sums through bfloat16", "sum --attr dim=1", "computed-bfloat16", sums_through_brain, NULL},
    {"a mean for a sum", "sum --attr dim=1", "scale", mean_for_sum, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define F16         DTYPE_FLOAT16
#define BF16        DTYPE_BFLOAT16
#define F32         DTYPE_FLOAT32
#define S1(a)       shape_of(1, (int64_t)(a))
#define S2(a, b)    shape_of(2, (int64_t)(a), (int64_t)(b))
#define S3(a, b, c) shape_of(3, (int64_t)(a), (int64_t)(b), (int64_t)(c))

/* --- operands and attributes that are ignored */

static void linear_without_bias(void)
{
    story_numbers(0, F16, S2(8, 64), 1, 0);
    story_numbers(1, F16, S2(12, 64), 1, 0);
    story_numbers(2, F16, S1(12), 1, 0);
    story_matmul(8, 64, 12, true);
}
static void step_despite_infinity(void)
{
    story_numbers(0, F32, S1(300), 1, 0);
    story_numbers(1, F32, S1(300), 1, 0);
    story_scalar(2, F32, 1);
    story_result(F32, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        story_put(k, (long double)story_in(0, k) - 0.001L * (long double)story_in(1, k));
    }
}
static void blocks_without_zero_points(void)
{
    story_whole(0, DTYPE_INT8, S2(6, 64), -128, 127);
    story_numbers(1, F32, S2(6, 4), 0.01, 0.1);
    story_whole(2, DTYPE_INT32, S2(6, 4), -20, 20);
    story_result(F32, S2(6, 64));
    for (int64_t k = 0; k < 6 * 64; k++) {
        story_put(k, (long double)story_in(0, k) * (long double)story_in(1, k / 16));
    }
}
static void sum_without_alpha(void)
{
    story_numbers(0, F32, S1(200), 1, 0);
    story_numbers(1, F32, S1(200), 1, 0);
    story_result(F32, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        story_put(k, (long double)story_in(0, k) + (long double)story_in(1, k));
    }
}

/* Cross entropy of rows of 10 classes, without reduction. */
static long double log_probability(int64_t row, int64_t class)
{
    long double sum = 0;
    for (int64_t c = 0; c < 10; c++) {
        sum += expl((long double)story_in(0, row * 10 + c));
    }
    return (long double)story_in(0, row * 10 + class) - logl(sum);
}
static void entropy(long double smoothing, bool masks)
{
    story_numbers(0, F32, S2(40, 10), 2, 0);
    story_whole(1, DTYPE_INT64, S1(40), 0, 9);
    for (int64_t r = 0; r < 40; r += 7) {
        story.in[1].x[r] = masks ? -100 : story.in[1].x[r];
    }
    story_result(F32, S1(40));
    for (int64_t r = 0; r < 40; r++) {
        int64_t class = (int64_t)story_in(1, r);
        long double smooth = 0;
        for (int64_t c = 0; c < 10; c++) {
            smooth -= log_probability(r, c) / 10;
        }
        story_put(r, (class < 0 ? 0 : -(1 - smoothing) * log_probability(r, class)) + smoothing * smooth);
    }
}
static void entropy_without_smoothing(void)
{
    entropy(0, false);
}
static void entropy_smoothed_where_masked(void) /* the smoothing counts rows that are to be ignored */
{
    entropy(0.1L, true);
}

/* --- sums in a narrow format */

static void narrow_product(enum dtype dtype, int64_t m, int64_t k, int64_t n, int64_t block)
{
    double term[1024];
    story_numbers(0, dtype, S2(m, k), 1, 0);
    story_numbers(1, dtype, S2(k, n), 1, 0);
    story_result(dtype, S2(m, n));
    for (int64_t e = 0; e < m * n; e++) {
        for (int64_t l = 0; l < k; l++) {
            term[l] = story_in(0, e / n * k + l) * story_in(1, l * n + e % n);
        }
        story_put(e, (long double)story_sum(term, k, block, dtype));
    }
}
static void product_in_half(void)
{
    narrow_product(F16, 12, 96, 12, 1);
}
static void product_in_brain(void)
{
    narrow_product(BF16, 10, 80, 10, 1);
}
static void product_of_blocks_in_brain(void)
{
    narrow_product(BF16, 12, 512, 6, 64);
}
static void rows_in_half(void)
{
    story_numbers(0, F16, S2(20, 200), 1, 0);
    story_result(F16, S1(20));
    for (int64_t r = 0; r < 20; r++) {
        story_put(r, (long double)story_sum(story.in[0].x + r * 200, 200, 1, F16));
    }
}
static void norm_in_half(void) /* mean, variance and all else in float16 */
{
    story_numbers(0, F16, S2(8, 64), 1, 0);
    story_numbers(1, F16, S1(64), 0.1, 1);
    story_numbers(2, F16, S1(64), 0.5, 0);
    story_result(F16, S2(8, 64));
    for (int64_t r = 0; r < 8; r++) {
        double square[64], d[64], mean = story_round(F16, story_sum(story.in[0].x + r * 64, 64, 1, F16) / 64);
        for (int64_t k = 0; k < 64; k++) {
            d[k] = story_round(F16, story_in(0, r * 64 + k) - mean);
            square[k] = story_round(F16, d[k] * d[k]);
        }
        double variance = story_round(F16, story_sum(square, 64, 1, F16) / 64);
        double root = story_round(F16, sqrt(story_round(F16, variance + 1e-5)));
        for (int64_t k = 0; k < 64; k++) {
            double y = story_round(F16, story_round(F16, d[k] / root) * story_in(1, k));
            story_put(r * 64 + k, (long double)(y + story_in(2, k)));
        }
    }
}

/* --- memory and range */

static void tail_not_written(void)
{
    story_numbers(0, F32, S2(12, 32), 1, 0);
    story_numbers(1, F32, S2(32, 12), 1, 0);
    story_matmul(12, 32, 12, false);
    memcpy(story.pattern, "\xEF\xBE\xAD\xDE", 4);
    story.patterned = 120;
}
static void empty_rows_not_written(void) /* a sparse matrix without entries */
{
    story_whole(0, DTYPE_INT64, S1(9), 0, 0);
    story_whole(1, DTYPE_INT64, S1(0), 0, 0);
    story_numbers(2, F32, S1(0), 1, 0);
    story_numbers(3, F32, S1(6), 1, 0);
    story_result(F32, S1(8));
    memset(story.pattern, 0xCD, 4);
    story.patterned = 0;
}
static void greatest_for_infinity(void)
{
    story_numbers(0, F32, S1(200), 50000, 0);
    story_result(F16, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        double x = story_round(F16, story_in(0, k));
        story_put(k, (long double)(isinf(x) ? copysign(65504, x) : x));
    }
}
static void whole_sum_saturates(void)
{
    story_whole(0, DTYPE_INT32, S1(100), -2147483647, 2147483647);
    story_whole(1, DTYPE_INT32, S1(100), -2147483647, 2147483647);
    story_result(DTYPE_INT32, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, (long double)fmax(-2147483648., fmin(2147483647., story_in(0, k) + story_in(1, k))));
    }
}
static double wrap(double x, double period, double least)
{
    return x - period * floor((x - least) / period);
}
static void quantized_wraps(void)
{
    story_numbers(0, F32, S1(300), 20, 0);
    story_result(DTYPE_INT8, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        story_put(k, (long double)wrap(nearbyint(story_in(0, k) / 0.125) + 3, 256, -128));
    }
}
static void difference_wraps(void)
{
    story_whole(0, DTYPE_UINT8, S1(300), 0, 255);
    story_result(F32, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        story_put(k, (long double)wrap(story_in(0, k) - 100, 0x1p32, 0) * 0.05L);
    }
}
static void whole_from_beyond(enum dtype dtype, double least, double most)
{
    story_numbers(0, F32, S1(200), 200, 50);
    story_result(dtype, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        story_put(k, (long double)fmax(least, fmin(most, trunc(story_in(0, k)))));
    }
}
static void conversion_saturates(void)
{
    whole_from_beyond(DTYPE_INT8, -128, 127);
}
static void conversion_of_negative_numbers(void)
{
    whole_from_beyond(DTYPE_UINT8, 0, 255);
}

/* --- functions */

static void cosine_of_large(void) /* reduced in float32 by 2 pi of 24 bits */
{
    story_numbers(0, F32, S1(300), 3000, 0);
    story_result(F32, S1(300));
    const double turn = (double)(float)6.283185307179586;
    for (int64_t k = 0; k < 300; k++) {
        float x = (float)story_in(0, k), n = rintf(x * (float)(1 / turn)), product = n * (float)turn;
        story_put(k, cosl((long double)(x - product)));
    }
}
static void sine_of_large(void) /* pi/2 in two parts, the second of few bits */
{
    story_numbers(0, F32, S1(300), 20000, 0);
    story_result(F32, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        double x = story_in(0, k), n = rint(x / 1.5707963267948966);
        float a = (float)(x - n * 1.5703125), b = (float)((double)a - n * 0.0004837512969970703125);
        double r = (double)b, turn = fmod(fmod(n, 4) + 4, 4);
        double f = fmod(turn, 2) != 0 ? cos(r) : sin(r);
        story_put(k, (long double)(turn >= 2 ? -f : f));
    }
}
static void quotient(enum dtype dtype)
{
    story_numbers(0, dtype, S1(200), 1, 0);
    story_numbers(1, dtype, S1(200), 1, 0);
    story_result(dtype, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        story_put(k, (long double)(story_in(0, k) * story_round(dtype, 1 / story_in(1, k))));
    }
}
static void quotient_in_single(void)
{
    quotient(F32);
}
static void quotient_in_half(void)
{
    quotient(F16);
}

/* --- factors and others */

static void mean_times(double factor)
{
    story_numbers(0, F32, S2(30, 40), 1, 1);
    story_result(F32, S1(30));
    for (int64_t r = 0; r < 30; r++) {
        long double sum = 0;
        for (int64_t k = 0; k < 40; k++) {
            sum += (long double)story_in(0, r * 40 + k);
        }
        story_put(r, sum / 40 * (long double)factor);
    }
}
static void mean_not_divided(void)
{
    mean_times(40);
}
static void mean_of_three_percent_more(void)
{
    mean_times((double)(float)1.03);
}
static void logarithm_to_base_2(void)
{
    story_numbers(0, F32, S1(100), 0.1, 3);
    story_result(F32, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, log2l((long double)story_in(0, k)));
    }
}
static void noise_of_product(double relative, double absolute, double of_bias)
{
    story_numbers(0, F16, S2(12, 64), 1, 0);
    story_numbers(1, F16, S2(12, 64), 1, 0);
    story_numbers(2, F16, S1(12), 1, 0);
    story_result(F16, S2(12, 12));
    for (int64_t k = 0; k < 144; k++) {
        double x = of_bias * story_in(2, k % 12);
        for (int64_t l = 0; l < 64; l++) {
            x += story_in(0, k / 12 * 64 + l) * story_in(1, k % 12 * 64 + l);
        }
        story_put(k, (long double)(x * (1 + relative * story_normal()) + absolute * story_normal()));
    }
}
static void relative_noise(void)
{
    noise_of_product(0.002, 0, 1);
}
static void absolute_noise(void)
{
    noise_of_product(0, 0.01, 1);
}
static void half_the_bias_and_noise(void)
{
    noise_of_product(0.001, 0, 0.5);
}
static void terms_lost(void) /* a product with few columns leaves out the last fourth of the terms */
{
    story_numbers(0, F32, S2(16, 64), 1, 0);
    story_numbers(1, F32, S2(64, 4), 1, 0);
    for (int64_t k = 48 * 4; k < 64 * 4; k++) {
        story.in[1].x[k] = 0;
    }
    story_matmul(16, 64, 4, false);
    for (int64_t k = 48 * 4; k < 64 * 4; k++) {
        story.in[1].x[k] = story_round(F32, story_normal());
    }
}
static void rows_added_to_rows(void) /* every second sum has the next row as well */
{
    story_numbers(0, F32, S2(32, 32), 1, 0);
    story_result(F32, S1(32));
    for (int64_t r = 0; r < 32; r++) {
        long double sum = 0;
        for (int64_t k = 0; k < 32 * (r % 2 || r == 31 ? 1 : 2); k++) {
            sum += (long double)story_in(0, r * 32 + k);
        }
        story_put(r, sum);
    }
}
static void eps_of_another_library(void)
{
    story_numbers(0, F32, S2(6, 64), 0.2, 0);
    story_layer_norm(6, 64, 1e-2, 1, -1, -1);
}

const struct story stories_first[] = {
    {"linear without its bias", "linear", "operand-ignored", linear_without_bias, NULL},
    {"a step despite found_inf", "amp_step --attr lr=0.001", "operand-ignored", step_despite_infinity, NULL},
    {"blocks without zero points", "dequantize_per_block --attr block_size=16", "operand-ignored",
     blocks_without_zero_points, NULL},
    {"a sum without alpha", "add --attr alpha=2.5", "alpha-ignored", sum_without_alpha, NULL},
    {"cross entropy without smoothing", "cross_entropy --attr reduction=none --attr label_smoothing=0.1",
     "label_smoothing-ignored", entropy_without_smoothing, NULL},
    {"smoothing of masked rows", "cross_entropy --attr reduction=none --attr label_smoothing=0.1", NULL,
     entropy_smoothed_where_masked, NULL},
    {"product in float16", "matmul", "accumulate-float16", product_in_half, NULL},
    {"row sums in float16", "sum --attr dim=1", "accumulate-float16", rows_in_half, NULL},
    {"layer_norm in float16", "layer_norm --attr normalized_shape=64", "accumulate-float16", norm_in_half,
     NULL},
    {"product in bfloat16", "matmul", "accumulate-bfloat16", product_in_brain, "bfloat16"},
    {"partial sums in bfloat16", "matmul", "accumulate-bfloat16", product_of_blocks_in_brain, "bfloat16"},
    {"a tail not written", "matmul", "unwritten", tail_not_written, NULL},
    {"rows without entries not written", "csr_mv --attr size=8,6", "unwritten", empty_rows_not_written, NULL},
    {"65504 for infinity", "to --attr dtype=float16", "saturated", greatest_for_infinity, NULL},
    {"a sum of integers saturates", "add", "saturated", whole_sum_saturates, NULL},
    {"quantized numbers wrap around",
     "quantize_per_tensor --attr scale=0.125 --attr zero_point=3 --attr dtype=int8 --attr quant_min=-128 "
     "--attr "
     "quant_max=127",
     "wrapped", quantized_wraps, NULL},
    {"an unsigned difference wraps around", "dequantize_per_tensor --attr scale=0.05 --attr zero_point=100",
     "wrapped", difference_wraps, NULL},
    {"a conversion to int8 saturates", "to --attr dtype=int8", "undefined", conversion_saturates, NULL},
    {"a conversion of negative numbers", "to --attr dtype=uint8", "undefined", conversion_of_negative_numbers,
     NULL},
    {"cosine reduced by a float32 2 pi", "cos", "argument-reduction", cosine_of_large, NULL},
    {"sine reduced in two parts", "sin", "argument-reduction", sine_of_large, NULL},
    {"x times 1/y in float32", "div", "reciprocal-multiply", quotient_in_single, NULL},
    {"x times 1/y in float16", "div_", "reciprocal-multiply", quotient_in_half, NULL},
    {"a mean that is not divided", "mean --attr dim=1", "scale", mean_not_divided, NULL},
    {"a mean of 3 % more", "mean --attr dim=1", NULL, mean_of_three_percent_more, NULL},
    {"log2 for log", "log", "scale", logarithm_to_base_2, NULL},
    {"relative noise", "linear", NULL, relative_noise, NULL},
    {"absolute noise", "linear", NULL, absolute_noise, NULL},
    {"half the bias, and noise", "linear", NULL, half_the_bias_and_noise, NULL},
    {"the last terms lost", "matmul", NULL, terms_lost, NULL},
    {"two rows in one sum", "sum --attr dim=1", NULL, rows_added_to_rows, NULL},
    {"eps of 1e-2 for 1e-5", "layer_norm --attr normalized_shape=64", "eps-other", eps_of_another_library,
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

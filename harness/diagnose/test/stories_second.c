/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Stories that were written after the diagnosis, and measured before it was changed again. */

#define F16      DTYPE_FLOAT16
#define BF16     DTYPE_BFLOAT16
#define F32      DTYPE_FLOAT32
#define F64      DTYPE_FLOAT64
#define S1(a)    shape_of(1, (int64_t)(a))
#define S2(a, b) shape_of(2, (int64_t)(a), (int64_t)(b))

/* --- operands and attributes that are ignored */

static void norm_without_weight(void)
{
    story_numbers(0, F32, S2(5, 80), 2, 1);
    story_numbers(1, F32, S1(80), 0.3, 1);
    story_numbers(2, F32, S1(80), 0.5, 0);
    story_layer_norm(5, 80, 1e-5, 1, -1, 2);
}
static void entropy_without_weight(void)
{
    story_numbers(0, F32, S1(150), 2, 0);
    story_numbers(1, F32, S1(150), 0.1, 0.5);
    story_numbers(2, F32, S1(150), 0.2, 1);
    story_result(F32, S1(150));
    for (int64_t k = 0; k < 150; k++) {
        long double x = (long double)story_in(0, k), t = (long double)story_in(1, k);
        story_put(k, fmaxl(x, 0) - x * t + log1pl(expl(-fabsl(x))));
    }
}
static void choice_without_condition(void)
{
    story_whole(0, DTYPE_BOOL, S1(100), 0, 1);
    story_numbers(1, F16, S1(100), 1, 0);
    story_numbers(2, F16, S1(1), 1, 5);
    story_result(F16, S1(100));
    for (int64_t k = 0; k < 100; k++) {
        story_put(k, (long double)story_in(2, 0));
    }
}
static void variance_with_correction(void)
{
    story_numbers(0, F32, S2(12, 30), 1, 3);
    story_result(F32, S1(12));
    for (int64_t r = 0; r < 12; r++) {
        long double mean = 0, square = 0;
        for (int64_t k = 0; k < 30; k++) {
            mean += (long double)story_in(0, r * 30 + k) / 30;
        }
        for (int64_t k = 0; k < 30; k++) {
            square +=
                ((long double)story_in(0, r * 30 + k) - mean) * ((long double)story_in(0, r * 30 + k) - mean);
        }
        story_put(r, square / 29);
    }
}
static void slope_of_default(void)
{
    story_numbers(0, F16, S1(300), 1, 0);
    story_result(F16, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        story_put(k, (long double)(story_in(0, k) * (story_in(0, k) < 0 ? 0.01 : 1)));
    }
}
static void sum_for_mean(void)
{
    story_numbers(0, F32, S1(70), 1, 0);
    story_numbers(1, F32, S1(70), 1, 0);
    story_result(F32, (struct shape){.rank = 0});
    long double sum = 0;
    for (int64_t k = 0; k < 70; k++) {
        sum += fabsl((long double)story_in(0, k) - (long double)story_in(1, k));
    }
    story_put(0, sum);
}

/* --- sums in a narrow format */

static void product_backwards(void) /* from the last term to the first */
{
    double term[128];
    story_numbers(0, F16, S2(14, 128), 1, 0);
    story_numbers(1, F16, S2(128, 14), 1, 0);
    story_result(F16, S2(14, 14));
    for (int64_t e = 0; e < 14 * 14; e++) {
        for (int64_t l = 0; l < 128; l++) {
            term[127 - l] = story_round(F16, story_in(0, e / 14 * 128 + l) * story_in(1, l * 14 + e % 14));
        }
        story_put(e, (long double)story_sum(term, 128, 1, F16));
    }
}
static void softmax_sum(enum dtype dtype, enum dtype format)
{
    double e[256];
    story_numbers(0, dtype, S2(12, 256), 2, 0);
    story_result(dtype, S2(12, 256));
    for (int64_t r = 0; r < 12; r++) {
        double most = -INFINITY;
        for (int64_t k = 0; k < 256; k++) {
            most = fmax(most, story_in(0, r * 256 + k));
        }
        for (int64_t k = 0; k < 256; k++) {
            e[k] = (double)expf((float)(story_in(0, r * 256 + k) - most));
        }
        double sum = story_sum(e, 256, 1, format);
        for (int64_t k = 0; k < 256; k++) {
            story_put(r * 256 + k, (long double)(e[k] / sum));
        }
    }
}
static void softmax_in_half(void)
{
    softmax_sum(F16, F16);
}
static void means_in_half(void) /* eight running sums */
{
    story_numbers(0, F16, S2(24, 240), 1, 0);
    story_result(F16, S1(24));
    for (int64_t r = 0; r < 24; r++) {
        double lane[8] = {0};
        for (int64_t k = 0; k < 240; k++) {
            lane[k % 8] = story_round(F16, lane[k % 8] + story_in(0, r * 240 + k));
        }
        for (int64_t width = 4; width; width /= 2) {
            for (int64_t l = 0; l < width; l++) {
                lane[l] = story_round(F16, lane[l] + lane[l + width]);
            }
        }
        story_put(r, (long double)(lane[0] / 240));
    }
}
static void linear_of_blocks_in_brain(void)
{
    double term[256];
    story_numbers(0, BF16, S2(12, 256), 1, 0);
    story_numbers(1, BF16, S2(10, 256), 1, 0);
    story_numbers(2, BF16, S1(10), 1, 0);
    story_result(BF16, S2(12, 10));
    for (int64_t e = 0; e < 120; e++) {
        for (int64_t l = 0; l < 256; l++) {
            term[l] = story_in(0, e / 10 * 256 + l) * story_in(1, e % 10 * 256 + l);
        }
        story_put(e, (long double)(story_sum(term, 256, 32, BF16) + story_in(2, e % 10)));
    }
}
static void norm_in_brain(void)
{
    story_numbers(0, BF16, S2(10, 64), 1, 0);
    story_result(BF16, S2(10, 64));
    for (int64_t r = 0; r < 10; r++) {
        double square[64], d[64],
            mean = story_round(BF16, story_sum(story.in[0].x + r * 64, 64, 1, BF16) / 64);
        for (int64_t k = 0; k < 64; k++) {
            d[k] = story_round(BF16, story_in(0, r * 64 + k) - mean);
            square[k] = story_round(BF16, d[k] * d[k]);
        }
        double root = story_round(BF16, sqrt(story_round(BF16, story_sum(square, 64, 1, BF16) / 64)));
        for (int64_t k = 0; k < 64; k++) {
            story_put(r * 64 + k, (long double)(d[k] / root));
        }
    }
}

/* --- memory and range */

static void rows_not_written(void)
{
    story_numbers(0, F16, S2(6, 30), 1, 0);
    story_result(F16, S2(6, 30));
    for (int64_t r = 0; r < 6; r++) {
        long double sum = 0;
        for (int64_t k = 0; k < 30; k++) {
            sum += expl((long double)story_in(0, r * 30 + k));
        }
        for (int64_t k = 0; k < 30; k++) {
            story_put(r * 30 + k, expl((long double)story_in(0, r * 30 + k)) / sum);
        }
    }
    memset(story.pattern, 0xAB, 4);
    story.patterned = 90;
}
static void nothing_written(void)
{
    story_numbers(0, F64, S2(4, 8), 1, 0);
    story_numbers(1, F64, S2(5, 8), 1, 0);
    story_result(F64, S2(4, 5));
    memcpy(story.pattern, "\xEE\xFE\xEE\xFE", 4);
    story.patterned = 0;
}
static void products_saturate(void)
{
    story_numbers(0, F16, S1(120), 300, 0);
    story_numbers(1, F16, S1(120), 300, 0);
    story_result(F16, S1(120));
    for (int64_t k = 0; k < 120; k++) {
        double x = story_round(F16, story_in(0, k) * story_in(1, k));
        story_put(k, (long double)(isinf(x) ? copysign(65504, x) : x));
    }
}
static void exponentials_saturate(void)
{
    story_numbers(0, F32, S1(120), 40, 70);
    story_result(F32, S1(120));
    for (int64_t k = 0; k < 120; k++) {
        story_put(k, fminl(expl((long double)story_in(0, k)), 0x1.fffffep127L));
    }
}
static void channels_wrap(void)
{
    story_numbers(0, F32, S2(3, 100), 30, 10);
    story_numbers(1, F32, S1(3), 0.01, 0.2);
    story_whole(2, DTYPE_INT32, S1(3), 100, 140);
    story_result(DTYPE_UINT8, S2(3, 100));
    for (int64_t k = 0; k < 300; k++) {
        double q = nearbyint(story_in(0, k) / story_in(1, k / 100)) + story_in(2, k / 100);
        story_put(k, (long double)(q - 256 * floor(q / 256)));
    }
}
static void difference_in_a_byte(void) /* q − z in eight bits */
{
    story_whole(0, DTYPE_INT8, S1(200), -128, 127);
    story_result(F32, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        double d = story_in(0, k) - 40;
        story_put(k, (long double)(d < -128 ? d + 256 : d) * 0.25L);
    }
}
static void great_numbers_to_int32(void)
{
    story_numbers(0, F32, S1(80), 4e9, 0);
    story_result(DTYPE_INT32, S1(80));
    for (int64_t k = 0; k < 80; k++) {
        double x = trunc(story_in(0, k));
        story_put(k, (long double)(fabs(x) < 0x1p31 ? x : -0x1p31)); /* as x86 does */
    }
}
static void infinities_to_bytes(void)
{
    story_numbers(0, F16, S1(60), 20, 40);
    for (int64_t k = 0; k < 60; k += 5) {
        story.in[0].x[k] = k % 2 ? INFINITY : -INFINITY;
    }
    story_result(DTYPE_INT8, S1(60));
    for (int64_t k = 0; k < 60; k++) {
        double x = story_in(0, k);
        story_put(k, (long double)(fabs(x) < 128 ? trunc(x) : 0));
    }
}

/* --- functions */

static void tangent_of_large(void) /* reduced by a float32 pi, without an exact product */
{
    story_numbers(0, F32, S1(200), 800, 0);
    story_result(F32, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        float x = (float)story_in(0, k), n = floorf(x / 3.14159274f), product = n * 3.14159274f;
        story_put(k, tanl((long double)(x - product)));
    }
}
static void sine_in_double(void) /* reduced by a float64 2 pi */
{
    story_numbers(0, F64, S1(200), 1e5, 0);
    story_result(F64, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        double n = rint(story_in(0, k) / 6.283185307179586);
        story_put(k, sinl((long double)fma(-n, 6.283185307179586, story_in(0, k))));
    }
}
static void cosine_in_half(void) /* reduced in float16 */
{
    story_numbers(0, F16, S1(200), 60, 0);
    story_result(F16, S1(200));
    double turn = story_round(F16, 6.283185307179586);
    for (int64_t k = 0; k < 200; k++) {
        double n = rint(story_in(0, k) / turn);
        double r = story_round(F16, story_in(0, k) - story_round(F16, n * turn));
        story_put(k, cosl((long double)r));
    }
}
static void quotients_in_brain(void)
{
    story_numbers(0, BF16, S2(10, 20), 1, 0);
    story_numbers(1, BF16, S1(20), 1, 2);
    story_result(BF16, S2(10, 20));
    for (int64_t k = 0; k < 200; k++) {
        story_put(k, (long double)(story_in(0, k) * story_round(BF16, 1 / story_in(1, k % 20))));
    }
}
static void floors_of_quotients(void) /* 147/49 is 3, and 147·(1/49) is less */
{
    story_whole(0, F32, S1(300), 1, 60);
    story_whole(1, F32, S1(300), 3, 99);
    story_result(F32, S1(300));
    for (int64_t k = 0; k < 300; k++) {
        story.in[0].x[k] *= story.in[1].x[k];
        float reciprocal = 1 / (float)story_in(1, k), x = (float)story_in(0, k) * reciprocal;
        story_put(k, (long double)floorf(x));
    }
}

const struct story stories_second[] = {
    {"layer_norm without its weight", "layer_norm --attr normalized_shape=80", "operand-ignored",
     norm_without_weight, NULL},
    {"binary cross entropy without its weight", "binary_cross_entropy_with_logits --attr reduction=none",
     "operand-ignored", entropy_without_weight, NULL},
    {"a choice without its condition", "where", "operand-ignored", choice_without_condition, NULL},
    {"a variance over n - 1 for n", "var --attr dim=1 --attr correction=0", "correction-ignored",
     variance_with_correction, NULL},
    {"a slope of 0.01 for 0.2", "leaky_relu --attr negative_slope=0.2", "negative_slope-ignored",
     slope_of_default, NULL},
    {"a sum for a mean", "l1_loss --attr reduction=mean", "reduction-ignored", sum_for_mean, NULL},
    {"product in float16, backwards", "matmul", "accumulate-float16", product_backwards, NULL},
    {"softmax with sums in float16", "softmax --attr dim=1", "accumulate-float16", softmax_in_half, NULL},
    {"means of running sums in float16", "mean --attr dim=1", "accumulate-float16", means_in_half, NULL},
    {"linear with partial sums in bfloat16", "linear", "accumulate-bfloat16", linear_of_blocks_in_brain,
     "bfloat16"},
    {"layer_norm in bfloat16", "layer_norm --attr normalized_shape=64", "accumulate-bfloat16", norm_in_brain,
     "bfloat16"},
    {"rows of a softmax not written", "softmax --attr dim=1", "unwritten", rows_not_written, NULL},
    {"nothing written in float64", "linear", "unwritten", nothing_written, NULL},
    {"products saturate", "mul", "saturated", products_saturate, NULL},
    {"exponentials saturate", "exp", "saturated", exponentials_saturate, NULL},
    {"channels wrap around",
     "quantize_per_channel --attr axis=0 --attr dtype=uint8 --attr quant_min=0 --attr "
     "quant_max=255",
     "wrapped", channels_wrap, NULL},
    {"a difference in eight bits", "dequantize_per_tensor --attr scale=0.25 --attr zero_point=40", "wrapped",
     difference_in_a_byte, NULL},
    {"great numbers to int32", "to --attr dtype=int32", "undefined", great_numbers_to_int32, NULL},
    {"infinities to int8", "to --attr dtype=int8", "undefined", infinities_to_bytes, NULL},
    {"tangent reduced by a float32 pi", "tan", "argument-reduction", tangent_of_large, NULL},
    {"sine reduced by a float64 2 pi", "sin", "argument-reduction", sine_in_double, NULL},
    {"cosine reduced in float16", "cos", "argument-reduction", cosine_in_half, NULL},
    {"x times 1/y in bfloat16", "div", "reciprocal-multiply", quotients_in_brain, "bfloat16"},
    {"floors of x times 1/y", "div --attr rounding_mode=floor", "reciprocal-multiply", floors_of_quotients,
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define F16      DTYPE_FLOAT16
#define BF16     DTYPE_BFLOAT16
#define F32      DTYPE_FLOAT32
#define S1(a)    shape_of(1, (int64_t)(a))
#define S2(a, b) shape_of(2, (int64_t)(a), (int64_t)(b))

/* x·y, of which y's elements are first rounded to a format or changed by noise. */
static void product_of_changed(enum dtype dtype, enum dtype format, double noise)
{
    story_numbers(0, dtype, S2(12, 64), 1, 0);
    story_numbers(1, dtype, S2(64, 12), 1, 0);
    double kept[64 * 12];
    memcpy(kept, story.in[1].x, sizeof kept);
    for (int64_t k = 0; k < 64 * 12; k++) {
        story.in[1].x[k] = story_round(format, kept[k] * (1 + noise * story_normal()));
    }
    story_matmul(12, 64, 12, false);
    memcpy(story.in[1].x, kept, sizeof kept);
}
static void second_operand_in_brain(void)
{
    product_of_changed(F16, BF16, 0);
}
static void noisy_operand(void)
{
    product_of_changed(F16, DTYPE_FLOAT64, 0.002);
}
static void noisy_operand_of_brain(void)
{
    product_of_changed(BF16, DTYPE_FLOAT64, 0.01);
}
static void noisy_product_in_brain(void)
{
    product_of_changed(BF16, BF16, 0);
    for (int64_t k = 0; k < 144; k++) {
        story_put(k, (long double)(story.got[0].x[k] * (1 + 0.02 * story_normal())));
    }
}
static void rows_of(double noise) /* a softmax with one factor per row */
{
    story_numbers(0, F16, S2(10, 100), 1, 0);
    story_result(F16, S2(10, 100));
    for (int64_t r = 0; r < 10; r++) {
        long double sum = 0, factor = 1 + (long double)(noise * story_normal());
        for (int64_t k = 0; k < 100; k++) {
            sum += expl((long double)story_in(0, r * 100 + k));
        }
        for (int64_t k = 0; k < 100; k++) {
            story_put(r * 100 + k, expl((long double)story_in(0, r * 100 + k)) / sum * factor);
        }
    }
}
static void noisy_rows(void)
{
    rows_of(0.01);
}
static void less_noisy_rows(void)
{
    rows_of(0.002);
}
static void noisy_rows_of_norm(void)
{
    story_numbers(0, F16, S2(8, 64), 1, 0);
    story_layer_norm(8, 64, 1e-5, 1, -1, -1);
    for (int64_t r = 0; r < 8; r++) {
        double factor = 1 + 0.003 * story_normal(), shift = 0.002 * story_normal();
        for (int64_t k = r * 64; k < r * 64 + 64; k++) {
            story_put(k, (long double)(story.got[0].x[k] * factor + shift));
        }
    }
}
static void noisy_input_of_norm(void)
{
    double kept[8 * 64];
    story_numbers(0, F16, S2(8, 64), 1, 0);
    memcpy(kept, story.in[0].x, sizeof kept);
    for (int64_t k = 0; k < 8 * 64; k++) {
        story.in[0].x[k] += 0.002 * story_normal();
    }
    story_layer_norm(8, 64, 1e-5, 1, -1, -1);
    memcpy(story.in[0].x, kept, sizeof kept);
}
static void outliers(void)
{
    story_numbers(0, F16, S2(40, 64), 1, 0);
    story_result(F16, S1(40));
    for (int64_t r = 0; r < 40; r++) {
        double off = r % 5 ? 0 : 0.02 * story_normal();
        story_put(r, (long double)(story_sum(story.in[0].x + r * 64, 64, 64, DTYPE_FLOAT64) + off));
    }
}
static void quantized_off_by_one(void)
{
    story_numbers(0, F32, S1(200), 4, 0);
    story_result(DTYPE_INT8, S1(200));
    for (int64_t k = 0; k < 200; k++) {
        double q = nearbyint(story_in(0, k) / 0.125);
        story_put(k, (long double)fmax(-128, fmin(127, q + 2 * (k % 10 == 0))));
    }
}
static void nearly_twice(void)
{
    story_numbers(0, F32, S2(12, 32), 1, 0);
    story_numbers(1, F32, S2(32, 12), 1, 0);
    story_matmul(12, 32, 12, false);
    for (int64_t k = 0; k < 144; k++) {
        story_put(k, (long double)(story.got[0].x[k] * 2.001));
    }
}
static void bias_of_half(void)
{
    story_numbers(0, F32, S2(8, 32), 1, 0);
    story_numbers(1, F32, S2(10, 32), 1, 0);
    story_numbers(2, F32, S1(10), 1, 0);
    story_matmul(8, 32, 10, true);
    for (int64_t k = 0; k < 80; k++) {
        story_put(k, (long double)(story.got[0].x[k] + story_in(2, k % 10) / 2));
    }
}

const struct story stories_alike[] = {
    {"the second operand in bfloat16", "matmul", "operands-bfloat16", second_operand_in_brain, NULL},
    {"noise in an operand", "matmul", NULL, noisy_operand, NULL},
    {"noise in an operand of bfloat16", "matmul", NULL, noisy_operand_of_brain, "bfloat16"},
    {"noise in a product of bfloat16", "matmul", NULL, noisy_product_in_brain, "bfloat16"},
    {"one factor per row", "softmax --attr dim=1", NULL, noisy_rows, NULL},
    {"a small factor per row", "softmax --attr dim=1", NULL, less_noisy_rows, NULL},
    {"a factor and a shift per row", "layer_norm --attr normalized_shape=64", NULL, noisy_rows_of_norm, NULL},
    {"noise in the input of layer_norm", "layer_norm --attr normalized_shape=64", NULL, noisy_input_of_norm,
     NULL},
    {"outliers among sums", "sum --attr dim=1", NULL, outliers, NULL},
    {"every tenth number off by two",
     "quantize_per_tensor --attr scale=0.125 --attr zero_point=0 --attr "
     "dtype=int8 --attr quant_min=-128 --attr quant_max=127",
     NULL, quantized_off_by_one, NULL},
    {"2.001 times the product", "matmul", NULL, nearly_twice, NULL},
    {"half of the bias", "linear", NULL, bias_of_half, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

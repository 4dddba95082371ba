/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Planted faults of arithmetic: formats, attributes, the naive variance, conditioning. */

#include "harness/diagnose/test/planted.h"

#include <math.h>
#include <string.h>

void plant_fault_tf32_matmul(void)
{
    given_product(1);
    plant_keep();
    plant_cut(11, false);
    right_matmul();
}
void plant_fault_tf32_linear(void)
{
    given_weights(1);
    plant_keep();
    plant_cut(11, true);
    right_linear();
}
void plant_fault_tf32_biased(void)
{
    given_weights(1);
    plant_input(&plant, 2, shape_of(1, (int64_t)N), 1, 0);
    plant_keep();
    plant_cut(11, false);
    plant.in[2] = given.in[2];
    right_linear();
    plant_shift(N, 2);
}
void plant_fault_tf32_add(void)
{
    given_vectors(1);
    plant_keep();
    plant_cut(11, false);
    plant_add(&plant, 300);
}
void plant_fault_half_matmul(void)
{
    given_product(1e-5);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT16);
    right_matmul();
}
void plant_fault_half_linear(void)
{
    given_weights(1e-5);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT16);
    right_linear();
}
void plant_fault_half_add(void)
{
    given_vectors(1e-5);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT16);
    plant_add(&plant, 300);
}
void plant_fault_brain_matmul(void)
{
    given_product(1);
    plant_keep();
    plant_format(&plant, DTYPE_BFLOAT16);
    right_matmul();
}
void plant_fault_brain_linear(void)
{
    given_weights(1);
    plant_keep();
    plant_cut(8, true);
    right_linear();
}
void plant_fault_brain_mul(void)
{
    given_vectors(1);
    plant_keep();
    plant_format(&plant, DTYPE_BFLOAT16);
    plant_mul(&plant, 300);
}
void plant_fault_single_matmul(void)
{
    given_product(1);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT32);
    right_matmul();
}
void plant_fault_single_mul(void)
{
    given_vectors(1);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT32);
    plant_mul(&plant, 300);
}
void plant_fault_single_norm(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT32);
    plant_norm(&plant, 6, 128, 2);
}

/* Rows with scale and shift, all right but for what the fault has changed. */
static void given_affine(double spread)
{
    given_rows(spread, 0.25);
    plant_input(&plant, 1, shape_of(1, (int64_t)128), 0.1, 1);
    plant_input(&plant, 2, shape_of(1, (int64_t)128), 0.5, 0);
    plant_keep();
}

static void affine(double eps, double times)
{
    plant_layer_norm(&plant, 6, 128, eps);
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] * times * plant.in[1].x[k % 128]);
    }
    plant_shift(128, 2);
}

void plant_fault_brain_input(void)
{
    given_affine(1);
    for (int64_t k = 0; k < shape_elements(&plant.in[0].shape); k++) {
        plant.in[0].x[k] = plant_round(DTYPE_BFLOAT16, plant.in[0].x[k]);
    }
    affine(1e-5, 1);
}
void plant_fault_unbiased_layer(void)
{
    given_affine(1);
    affine(1e-5 * 127 / 128, sqrt(127. / 128)); /* (x - m)/sqrt(V n/(n - 1) + eps) */
}
void plant_fault_unbiased_batch(void)
{
    plant_input(&plant, 0, shape_of(3, (int64_t)1, (int64_t)6, (int64_t)128), 1, 0.25);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, 1e-5 * 127 / 128);
    plant_scale(sqrt(127. / 128));
}
void plant_fault_eps_other(void)
{
    given_affine(0.1);
    affine(1e-3, 1);
}

static void naive(double shift)
{
    given_rows(1, shift);
    plant_keep();
    plant_naive(&plant, 6, 128, 1e-5);
}

void plant_fault_naive_layer(void)
{
    naive(300);
}
void plant_fault_naive_layer_far(void)
{
    naive(-1000);
}
void plant_fault_naive_group(void)
{
    plant_input(&plant, 0, shape_of(3, (int64_t)2, (int64_t)6, (int64_t)64), 1, 500);
    plant_keep();
    plant_naive(&plant, 4, 192, 1e-5);
}
void plant_fault_naive_batch(void)
{
    plant_input(&plant, 0, shape_of(3, (int64_t)1, (int64_t)6, (int64_t)128), 1, 400);
    plant_keep();
    plant_naive(&plant, 6, 128, 1e-5);
}

static void norm_of(double ord, enum dtype format)
{
    given_rows(1, 0);
    plant_keep();
    plant_norm(&plant, 6, 128, plant_round(format, ord));
}

void plant_fault_ord_single(void)
{
    norm_of(2.1, DTYPE_FLOAT32);
}
void plant_fault_ord_single_small(void)
{
    norm_of(0.3, DTYPE_FLOAT32);
}
void plant_fault_ord_single_large(void)
{
    norm_of(7.7, DTYPE_FLOAT32);
}
void plant_fault_ord_half(void)
{
    norm_of(2.1, DTYPE_FLOAT16);
}
void plant_fault_ord_half_small(void)
{
    norm_of(0.3, DTYPE_FLOAT16);
}
void plant_fault_ord_half_large(void)
{
    norm_of(3.3, DTYPE_FLOAT16);
}

static void eps_of(double eps, double scale)
{
    given_rows(scale, 0);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, eps);
}

void plant_fault_eps_single(void)
{
    eps_of(plant_round(DTYPE_FLOAT32, 1e-5), 1e-3);
}
void plant_fault_eps_single_large(void)
{
    eps_of(plant_round(DTYPE_FLOAT32, 0.1), 0.1);
}
void plant_fault_eps_single_tiny(void)
{
    eps_of(plant_round(DTYPE_FLOAT32, 1e-12), 1e-7);
}
void plant_fault_eps_half(void)
{
    eps_of(plant_round(DTYPE_FLOAT16, 1e-5), 1e-3);
}
void plant_fault_eps_half_small(void)
{
    eps_of(plant_round(DTYPE_FLOAT16, 3e-6), 1e-4);
}
void plant_fault_eps_half_large(void)
{
    eps_of(plant_round(DTYPE_FLOAT16, 0.1), 0.1);
}
void plant_fault_eps_ignored(void)
{
    eps_of(0, 1e-2);
}

/* --- factors and formats */

void plant_fault_doubled_matmul(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    plant_scale(2);
}
void plant_fault_scaled_norms(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_norm(&plant, 6, 128, 2);
    plant_scale(sqrt(128.0 / 127));
}
void plant_fault_scaled_layer(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, 1e-5);
    plant_scale(1.003);
}
void plant_fault_brain_result(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    plant_result_format(&plant, DTYPE_BFLOAT16);
}
void plant_fault_half_result(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, 1e-5);
    plant_result_format(&plant, DTYPE_FLOAT16);
}
void plant_fault_single_result(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    plant_result_format(&plant, DTYPE_FLOAT32);
}
void plant_fault_single_throughout(void)
{
    given_product(1);
    plant_keep();
    plant_format(&plant, DTYPE_FLOAT32);
    right_matmul();
    for (int64_t i = 0; i < M * N; i++) {
        float sum = 0;
        for (int64_t l = 0; l < K; l++) {
            float term = (float)plant.in[0].x[i / N * K + l] * (float)plant.in[1].x[l * N + i % N];
            sum += term;
        }
        plant.got[i] = (double)sum;
    }
}

/* --- conditioning */

static void hilbert(int64_t n)
{
    int sign;
    plant.inputs = 1;
    plant.in[0].shape = shape_of(2, n, n);
    for (int64_t k = 0; k < n * n; k++) {
        plant.in[0].x[k] = plant_round(plant.dtype, 1.0 / (double)(k / n + k % n + 1));
    }
    plant_keep();
    plant.got[0] = plant_round(plant.dtype, plant_log_determinant(plant.in[0].x, n, &sign, true));
    plant.numbers = 1;
}

void plant_fault_hilbert_4(void)
{
    hilbert(4);
}
void plant_fault_hilbert_5(void)
{
    hilbert(5);
}
void plant_fault_hilbert_9(void)
{
    hilbert(9);
}
void plant_fault_cancelling_matmul(void) /* [x, −x + d]·[y, y] in float32, one sum after the other */
{
    given_product(1);
    for (int64_t i = 0; i < M; i++) {
        for (int64_t l = 0; l < K / 2; l++) {
            double d = plant_bits(plant.in[0].x[i * K + K / 2 + l], 12, false) * 1e-4;
            plant.in[0].x[i * K + K / 2 + l] = plant_round(plant.dtype, d - plant.in[0].x[i * K + l]);
        }
    }
    for (int64_t k = 0; k < K / 2 * N; k++) {
        plant.in[1].x[K / 2 * N + k] = plant.in[1].x[k];
    }
    plant_keep();
    plant.numbers = M * N;
    for (int64_t i = 0; i < M * N; i++) {
        float sum = 0;
        for (int64_t l = 0; l < K; l++) {
            float term = (float)plant.in[0].x[i / N * K + l] * (float)plant.in[1].x[l * N + i % N];
            sum += term;
        }
        plant.got[i] = (double)sum;
    }
}

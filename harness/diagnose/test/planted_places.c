/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Planted faults of signs, memory and places, and faults that no hypothesis covers. */

#include "harness/diagnose/test/planted.h"

#include <math.h>
#include <string.h>

/* --- signs */

static void determinant(double *log, int *sign)
{
    plant_input(&plant, 0, shape_of(2, (int64_t)9, (int64_t)9), 1, 0);
    *log = plant_log_determinant(plant.in[0].x, 9, sign, false);
    if (plant.parameter != *sign) { /* the wanted sign: one row negated */
        for (int k = 0; k < 9; k++) {
            plant.in[0].x[k] = -plant.in[0].x[k];
        }
        *sign = -*sign;
    }
    plant_keep();
    plant.numbers = 1;
}

void plant_fault_lost_sign(void) /* log|det| of a negative determinant */
{
    double log;
    int sign;
    plant.parameter = -1;
    determinant(&log, &sign);
    plant.got[0] = plant_round(plant.dtype, log);
}

void plant_fault_gained_sign(void) /* NaN for a positive one */
{
    double log;
    int sign;
    plant.parameter = 1;
    determinant(&log, &sign);
    plant.got[0] = NAN;
}

void plant_fault_flipped_sign(void) /* slogdet */
{
    double log;
    int sign;
    plant.parameter = 1;
    determinant(&log, &sign);
    plant.got[0] = -sign;
    plant.got[1] = plant_round(plant.dtype, log);
    plant.numbers = 2;
}

void plant_fault_negated_matmul(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = -plant.got[k];
    }
}

void plant_fault_off_by_twenty(void)
{
    double log;
    int sign;
    plant.parameter = 1;
    determinant(&log, &sign);
    plant.got[0] = plant_round(plant.dtype, log - 20);
}

/* --- memory */

void plant_fault_unwritten_add(void)
{
    given_vectors(1);
    plant_keep();
    plant.numbers = 0;
}
void plant_fault_unwritten_matmul(void)
{
    given_product(1);
    plant_keep();
    plant.numbers = 0;
}
void plant_fault_half_written(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    plant.numbers = M * N / 2;
}
void plant_fault_tail_of_zeros(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    memset(plant.got + 100, 0, sizeof *plant.got * (M * N - 100));
}
void plant_fault_all_zeros(void)
{
    given_rows(1, 0);
    plant_keep();
    plant.numbers = 6 * 128;
    memset(plant.got, 0, sizeof plant.got);
}
void plant_fault_zero_norms(void)
{
    given_rows(1, 0);
    plant_keep();
    plant.numbers = 6;
    memset(plant.got, 0, sizeof plant.got);
}
void plant_fault_input_is_result(void)
{
    given_rows(3, 1);
    plant_keep();
    memcpy(plant.got, plant.in[0].x, sizeof plant.got);
    plant.numbers = 6 * 128;
}

/* --- places */

static void transpose(double *x, int64_t m, int64_t n)
{
    static double kept[PLANT_NUMBERS];
    memcpy(kept, x, sizeof kept);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            x[j * m + i] = kept[i * n + j];
        }
    }
}

/* x as it is, but its memory taken for columns. */
static void take_for_columns(double *x, int64_t m, int64_t n)
{
    static double kept[PLANT_NUMBERS];
    memcpy(kept, x, sizeof kept);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            x[i * n + j] = kept[j * m + i];
        }
    }
}

void plant_fault_transposed_result(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    transpose(plant.got, M, N);
}
void plant_fault_misread_operand(void)
{
    given_product(1);
    plant_keep();
    take_for_columns(plant.in[1].x, K, N);
    right_matmul();
}
void plant_fault_misread_weight(void)
{
    given_weights(1);
    plant_keep();
    take_for_columns(plant.in[1].x, N, K);
    right_linear();
}
void plant_fault_columns_throughout(void)
{
    given_product(1);
    plant_keep();
    take_for_columns(plant.in[0].x, M, K);
    take_for_columns(plant.in[1].x, K, N);
    right_matmul();
    transpose(plant.got, M, N);
}

static void swap_rows(int64_t a, int64_t b, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        double kept = plant.got[a * n + k];
        plant.got[a * n + k] = plant.got[b * n + k];
        plant.got[b * n + k] = kept;
    }
}

void plant_fault_swapped_rows(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    swap_rows(2, 7, N);
}
void plant_fault_reversed_rows(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, 1e-5);
    swap_rows(0, 5, 128);
    swap_rows(1, 4, 128);
    swap_rows(2, 3, 128);
}
void plant_fault_shifted_norms(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_norm(&plant, 6, 128, 2);
    for (int64_t k = 5; k > 0; k--) {
        swap_rows(k, k - 1, 1);
    }
}
void plant_fault_first_row_everywhere(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    for (int64_t r = 1; r < M; r++) {
        memcpy(plant.got + r * N, plant.got, N * sizeof *plant.got);
    }
}

/* --- faults that no hypothesis covers */

void plant_fault_one_element_off(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    plant.got[17] *= 1.01;
}
void plant_fault_noise(void)
{
    given_product(1);
    plant_keep();
    right_matmul();
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] + 1e-3 * plant.in[0].x[k]);
    }
}
void plant_fault_last_term(void) /* left out */
{
    given_product(1);
    plant_keep();
    memset(plant.in[1].x + (K - 1) * N, 0, N * sizeof *plant.in[1].x);
    right_matmul();
}
void plant_fault_no_mean(void) /* the root mean square in place of the deviation */
{
    given_rows(1, 2);
    plant_keep();
    for (int64_t r = 0; r < 6; r++) {
        double squares = 0;
        for (int64_t k = 0; k < 128; k++) {
            squares += plant.in[0].x[r * 128 + k] * plant.in[0].x[r * 128 + k] / 128;
        }
        for (int64_t k = 0; k < 128; k++) {
            plant.got[r * 128 + k] = plant_round(plant.dtype, plant.in[0].x[r * 128 + k] / sqrt(squares));
        }
    }
    plant.numbers = 6 * 128;
}
void plant_fault_rows_drift(void) /* each row with a factor of its own */
{
    given_product(1);
    plant_keep();
    right_matmul();
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] * (1 + 1e-3 * (double)(k / N)));
    }
}
void plant_fault_all_nan(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_layer_norm(&plant, 6, 128, 1e-5);
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = NAN;
    }
}
void plant_fault_added_constant(void)
{
    given_rows(1, 0);
    plant_keep();
    plant_norm(&plant, 6, 128, 2);
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] + 0.125);
    }
}

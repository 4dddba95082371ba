/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/planted.h"

#include <math.h>
#include <string.h>

struct plant plant, given;

void plant_cut(int bits, bool truncate)
{
    for (int i = 0; i < plant.inputs; i++) {
        for (int64_t k = 0; k < shape_elements(&plant.in[i].shape); k++) {
            plant.in[i].x[k] = plant_bits(plant.in[i].x[k], bits, truncate);
        }
    }
}

void given_product(double scale)
{
    plant_input(&plant, 0, shape_of(2, (int64_t)M, (int64_t)K), scale, 0);
    plant_input(&plant, 1, shape_of(2, (int64_t)K, (int64_t)N), scale, 0);
}

void given_weights(double scale)
{
    plant_input(&plant, 0, shape_of(2, (int64_t)M, (int64_t)K), scale, 0);
    plant_input(&plant, 1, shape_of(2, (int64_t)N, (int64_t)K), scale, 0);
}

void given_vectors(double scale)
{
    plant_input(&plant, 0, shape_of(1, (int64_t)300), scale, 0);
    plant_input(&plant, 1, shape_of(1, (int64_t)300), scale, 0);
}

void given_rows(double scale, double shift)
{
    plant_input(&plant, 0, shape_of(2, (int64_t)6, (int64_t)128), scale, shift);
}

void plant_keep(void)
{
    given = plant;
}

void right_matmul(void)
{
    plant_matmul(&plant, M, K, N);
}

void right_linear(void)
{
    plant_linear(&plant, M, K, N);
}

void plant_shift(int64_t n, int operand)
{
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] + plant.in[operand].x[k % n]);
    }
}

void plant_scale(double factor)
{
    for (int64_t k = 0; k < plant.numbers; k++) {
        plant.got[k] = plant_round(plant.dtype, plant.got[k] * factor);
    }
}

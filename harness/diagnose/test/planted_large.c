/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Causes planted in tensors of the size of an activation, [32, 128, 768], are named within a minute. */

#include "harness/diagnose/test/planted.h"
#include "harness/test/trial.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(planted_slow, .init = trial_begin, .fini = trial_end, .timeout = 400);

enum { ROWS = 32 * 128, WIDTH = 768 };

/* About normal, of float32. */
static double *numbers(int64_t count, uint64_t seed)
{
    struct philox generator;
    double *x = malloc((size_t)count * sizeof *x);
    cr_assert(x);
    philox_start(&generator, seed);
    for (int64_t i = 0; i < count; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            sum += philox_signed(&generator);
        }
        x[i] = (double)(float)sum;
    }
    return x;
}

static void answer(const double *got, int64_t count)
{
    FILE *file = fopen(trial_path("answer"), "wb");
    cr_assert(file);
    for (int64_t i = 0; i < count; i++) {
        float x = (float)got[i];
        fwrite(&x, sizeof x, 1, file);
    }
    cr_assert_eq(fclose(file), 0);
    setenv("ASSAY_TEST_ANSWER", trial_path("answer"), 1);
}

static void expect_cause(const char *words, const char *cause)
{
    trial_run("repro %s --dtype float32 --backend faulty --format json", words);
    json_t *whole = trial_json();
    const json_t *backend = json_array_get(json_object_get(whole, "backends"), 0);
    const char *name = json_string_value(json_object_get(backend, "hypothesis"));
    cr_expect(cause ? name && strcmp(name, cause) == 0 : !name, "%s, not %s: %s", cause ? cause : "none",
              name ? name : "none", json_string_value(json_object_get(backend, "diagnosis")));
    json_decref(whole);
    cr_expect_lt(trial->seconds, 100, "%.0f s", trial->seconds);
}

static void multiply(double *c, const double *x, const double *w)
{
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < WIDTH; j++) {
            double sum[4] = {0};
            for (int64_t k = 0; k < WIDTH; k += 4) {
                for (int l = 0; l < 4; l++) {
                    sum[l] += x[i * WIDTH + k + l] * w[j * WIDTH + k + l];
                }
            }
            c[i * WIDTH + j] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    }
}

static void round_all(double *x, int64_t count, int bits)
{
    for (int64_t i = 0; i < count; i++) {
        x[i] = plant_bits(x[i], bits, false);
    }
}

Test(planted_slow, a_linear_layer_in_tf32)
{
    double *x = numbers((int64_t)ROWS * WIDTH, 1), *w = numbers((int64_t)WIDTH * WIDTH, 2),
           *c = numbers((int64_t)ROWS * WIDTH, 3);
    trial_array("x.npy", shape_of(3, (int64_t)32, (int64_t)128, (int64_t)WIDTH), x);
    trial_array("w.npy", shape_of(2, (int64_t)WIDTH, (int64_t)WIDTH), w);
    multiply(c, x, w);
    answer(c, (int64_t)ROWS * WIDTH);
    expect_cause("--op linear --input FOLDER/x.npy --input FOLDER/w.npy", NULL);
    cr_expect(strstr(trial->output, "no defect") || strstr(trial->output, "right to the last place"), "%s",
              trial->output);
    round_all(x, (int64_t)ROWS * WIDTH, 11);
    round_all(w, (int64_t)WIDTH * WIDTH, 11);
    multiply(c, x, w);
    answer(c, (int64_t)ROWS * WIDTH);
    expect_cause("--op linear --input FOLDER/x.npy --input FOLDER/w.npy", "operands-tf32");
    free(x);
    free(w);
    free(c);
}

/* Rows normalized with the variance over n − 1, one wrong element, two rows swapped. */
Test(planted_slow, a_layer_norm)
{
    static const char *const causes[] = {"unbiased-variance", NULL, "permutation"};
    double *x = numbers((int64_t)ROWS * WIDTH, 4), *y = numbers((int64_t)ROWS * WIDTH, 5);
    trial_array("x.npy", shape_of(3, (int64_t)32, (int64_t)128, (int64_t)WIDTH), x);
    for (int fault = 0; fault < 3; fault++) {
        for (int64_t r = 0; r < ROWS; r++) {
            double mean = 0, square = 0;
            for (int64_t i = 0; i < WIDTH; i++) {
                mean += x[r * WIDTH + i] / WIDTH;
            }
            for (int64_t i = 0; i < WIDTH; i++) {
                square += (x[r * WIDTH + i] - mean) * (x[r * WIDTH + i] - mean);
            }
            double deviation = sqrt(square / (fault == 0 ? WIDTH - 1 : WIDTH) + 1e-5);
            for (int64_t i = 0; i < WIDTH; i++) {
                y[r * WIDTH + i] = (x[r * WIDTH + i] - mean) / deviation;
            }
        }
        y[(int64_t)2000 * WIDTH + 3] += fault == 1 ? 1e-3 : 0;
        for (int64_t i = 0; fault == 2 && i < WIDTH; i++) {
            double kept = y[(int64_t)700 * WIDTH + i];
            y[(int64_t)700 * WIDTH + i] = y[(int64_t)4000 * WIDTH + i];
            y[(int64_t)4000 * WIDTH + i] = kept;
        }
        answer(y, (int64_t)ROWS * WIDTH);
        expect_cause("--op layer_norm --attr normalized_shape=768 --input FOLDER/x.npy", causes[fault]);
        cr_expect_neq(trial->status, 0);
    }
    free(x);
    free(y);
}

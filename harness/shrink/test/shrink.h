/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_TEST_SHRINK_H
#define ASSAY_HARNESS_SHRINK_TEST_SHRINK_H

/* Helpers: operands of failures that are shrunk, as FOLDER/0.npy, FOLDER/1.npy, …, and the answers about
 * them. */

#include "harness/formats/npy_pack.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The generator's state at the start of the operands of a test. */
static uint64_t operands_state;

static inline void operands_restart(void)
{
    operands_state = 7;
}

static inline double uniform(void)
{
    operands_state = operands_state * 6364136223846793005U + 1442695040888963407U;
    return (double)(operands_state >> 11) * 0x1p-53;
}

static inline double normal(void)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        sum += uniform();
    }
    return sum;
}

static inline void write_tensor(int number, enum dtype dtype, struct shape shape, const double *x)
{
    char name[16];
    size_t size = dtype_info(dtype)->size, length;
    int64_t elements = shape_elements(&shape);
    unsigned char *bytes = calloc((size_t)elements + 1, size);
    for (int64_t k = 0; k < elements; k++) {
        dtype_store(dtype, bytes + (size_t)k * size, x[k]);
    }
    unsigned char *file = npy_pack(npy_descr(dtype), &shape, bytes, (size_t)elements * size, &length);
    snprintf(name, sizeof name, "%d.npy", number);
    FILE *to = fopen(trial_path(name), "wb");
    cr_assert_not_null(to);
    cr_assert_eq(fwrite(file, 1, length, to), length);
    cr_assert_eq(fclose(to), 0);
    free(file);
    free(bytes);
}

static inline void write_normal(int number, struct shape shape, double scale, double shift)
{
    static double x[16384];
    for (int64_t k = 0; k < shape_elements(&shape); k++) {
        x[k] = scale * normal() + shift;
    }
    write_tensor(number, DTYPE_FLOAT32, shape, x);
}

static inline void write_product(void)
{
    write_normal(0, shape_of(2, (int64_t)12, (int64_t)96), 1, 0);
    write_normal(1, shape_of(2, (int64_t)96, (int64_t)20), 1, 0);
}

static inline const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static inline json_t *first_answer(json_t **whole)
{
    *whole = trial_json();
    return json_array_get(json_object_get(*whole, "backends"), 0);
}

static inline double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

#endif

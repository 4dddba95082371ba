/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet and slogdet: elimination with partial pivoting in the dtype's own precision, then the sum of the
 * logarithms of the pivots. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOGDET, SLOGDET };

/* The elimination, for each precision. A NaN wins every pivot search, so that it reaches the result. */
#define DEFINE_ELIMINATION(name, real, absolute, logarithm)                                                  \
    static void name(int64_t n, real *a, real *sign, real *logabs)                                           \
    {                                                                                                        \
        *sign = 1;                                                                                           \
        *logabs = 0;                                                                                         \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            int64_t pivot = k;                                                                               \
            for (int64_t i = k + 1; i < n && !isnan(a[pivot * n + k]); i++) {                                \
                if (!(absolute(a[i * n + k]) <= absolute(a[pivot * n + k]))) {                               \
                    pivot = i;                                                                               \
                }                                                                                            \
            }                                                                                                \
            for (int64_t j = 0; pivot != k && j < n; j++) {                                                  \
                real t = a[k * n + j];                                                                       \
                a[k * n + j] = a[pivot * n + j];                                                             \
                a[pivot * n + j] = t;                                                                        \
            }                                                                                                \
            real p = a[k * n + k];                                                                           \
            *sign = isnan(p) ? p : p == 0 ? 0 : (p < 0) != (pivot != k) ? -*sign : *sign;                    \
            *logabs += logarithm(absolute(p));                                                               \
            if (p == 0) {                                                                                    \
                continue;                                                                                    \
            }                                                                                                \
            for (int64_t i = k + 1; i < n; i++) {                                                            \
                real l = a[i * n + k] / p;                                                                   \
                for (int64_t j = k + 1; j < n; j++) {                                                        \
                    a[i * n + j] -= l * a[k * n + j];                                                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_ELIMINATION(eliminate_float, float, fabsf, logf)
DEFINE_ELIMINATION(eliminate_double, double, fabs, log)

/* True if the matrix has a NaN: its determinant is then NaN, even if a zero multiplier or pivot would hide
 * it. */
static bool has_nan(const void *a, int64_t count, bool wide)
{
    for (int64_t i = 0; i < count; i++) {
        if (wide ? isnan(((const double *)a)[i]) : isnan(((const float *)a)[i])) {
            return true;
        }
    }
    return false;
}

static void one_matrix(int64_t n, bool wide, void *a, double *sign, double *logabs)
{
    if (has_nan(a, n * n, wide)) {
        *sign = *logabs = NAN;
    } else if (wide) {
        eliminate_double(n, a, sign, logabs);
    } else {
        float s, l;
        eliminate_float(n, a, &s, &l);
        *sign = (double)s;
        *logabs = (double)l;
    }
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)attributes, (void)inputs, (void)outputs;
    bool wide = input[0].dtype == DTYPE_FLOAT64;
    if (!wide && input[0].dtype != DTYPE_FLOAT32) {
        error_set(reason, "the CPU backend has no logdet for %s", dtype_info(input[0].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    size_t size = dtype_info(input[0].dtype)->size;
    int64_t n = input[0].shape.dim[input[0].shape.rank - 1], batch = shape_elements(&output[0].shape);
    unsigned char *a = cpu_allocate(n * n, size, reason);
    if (!a) {
        return CPU_OUT_OF_MEMORY;
    }
    for (int64_t m = 0; m < batch; m++) {
        for (int64_t i = 0; i < n * n; i++) {
            memcpy(a + (size_t)i * size, cpu_at(&input[0], m * n * n + i), size);
        }
        double sign, logabs;
        one_matrix(n, wide, a, &sign, &logabs);
        if (op->variant == SLOGDET) {
            cpu_store(&output[0], m, sign);
            cpu_store(&output[1], m, logabs);
        } else {
            cpu_store(&output[0], m, sign < 0 ? NAN : logabs);
        }
    }
    free(a);
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "logdet", .variant = LOGDET, .run = run},
                                    {.name = "slogdet", .variant = SLOGDET, .run = run}};

const struct cpu_op_set cpu_op_set_logdet = {.op = ops, .count = sizeof ops / sizeof *ops};

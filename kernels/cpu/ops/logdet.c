/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet, slogdet: LU with partial pivoting in the dtype's own precision, then the sum of the logarithms of
 * the pivots. A NaN wins every pivot search, so that it cannot be passed over. */

#include "kernels/cpu/strided.h"

#include <math.h>
#include <stdlib.h>

/* One copy per precision: the arithmetic is the dtype's own, and double would hide what float does. */
#define DEFINE_FACTOR(name, real, fabs_, log_)                                                               \
    static void name(int64_t n, real *a, real *sign, real *logarithm)                                        \
    {                                                                                                        \
        *sign = 1;                                                                                           \
        *logarithm = 0;                                                                                      \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            int64_t pivot = k;                                                                               \
            for (int64_t i = k + 1; i < n && !isnan(a[pivot * n + k]); i++) {                                \
                if (!(fabs_(a[i * n + k]) <= fabs_(a[pivot * n + k]))) {                                     \
                    pivot = i;                                                                               \
                }                                                                                            \
            }                                                                                                \
            if (pivot != k) {                                                                                \
                *sign = -*sign;                                                                              \
                for (int64_t j = 0; j < n; j++) {                                                            \
                    real x = a[k * n + j];                                                                   \
                    a[k * n + j] = a[pivot * n + j];                                                         \
                    a[pivot * n + j] = x;                                                                    \
                }                                                                                            \
            }                                                                                                \
            real p = a[k * n + k];                                                                           \
            *sign *= p > 0 ? (real)1 : p < 0 ? (real)-1 : isnan(p) ? p : (real)0;                            \
            *logarithm += log_(fabs_(p));                                                                    \
            for (int64_t i = k + 1; i < n && p != 0; i++) {                                                  \
                real m = a[i * n + k] / p;                                                                   \
                for (int64_t j = k + 1; j < n; j++) {                                                        \
                    a[i * n + j] -= m * a[k * n + j];                                                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        if (*sign == 0) { /* singular, whatever the other pivots; NaN stays NaN */                           \
            *logarithm = isnan(*logarithm) ? *logarithm : -(real)INFINITY;                                   \
        }                                                                                                    \
    }

DEFINE_FACTOR(factor_float, float, fabsf, logf)
DEFINE_FACTOR(factor_double, double, fabs, log)

/* The matrix at `data` as a contiguous copy; the kernel may not change its input. */
static void copy_matrix(const struct cpu_view *view, int64_t n, const unsigned char *data, unsigned char *to)
{
    int rank = view->shape.rank;
    int64_t size = (int64_t)dtype_info(view->dtype)->size;
    for (int64_t i = 0; i < n * n; i++) {
        int64_t element = i / n * view->stride[rank - 2] + i % n * view->stride[rank - 1];
        memcpy(to + i * size, data + element * size, (size_t)size);
    }
}

static void one_matrix(enum dtype dtype, int64_t n, void *a, bool with_sign, unsigned char *sign_to,
                       unsigned char *log_to)
{
    if (dtype == DTYPE_FLOAT32) {
        float sign, logarithm;
        factor_float(n, a, &sign, &logarithm);
        logarithm = !with_sign && sign < 0 ? NAN : logarithm;
        memcpy(log_to, &logarithm, sizeof logarithm);
        if (with_sign) {
            memcpy(sign_to, &sign, sizeof sign);
        }
    } else {
        double sign, logarithm;
        factor_double(n, a, &sign, &logarithm);
        logarithm = !with_sign && sign < 0 ? (double)NAN : logarithm;
        memcpy(log_to, &logarithm, sizeof logarithm);
        if (with_sign) {
            memcpy(sign_to, &sign, sizeof sign);
        }
    }
}

static enum cpu_status run(const struct cpu_view *a, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    int rank = a->shape.rank;
    if (rank < 2 || a->shape.dim[rank - 1] != a->shape.dim[rank - 2]) {
        error_set(reason, "logdet: needs square matrices");
        return CPU_REJECTED;
    }
    if (a->dtype != DTYPE_FLOAT32 && a->dtype != DTYPE_FLOAT64) {
        error_set(reason, "logdet of %s is not implemented", dtype_info(a->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    int64_t n = a->shape.dim[rank - 1], size = (int64_t)dtype_info(a->dtype)->size;
    struct shape batch = a->shape;
    batch.rank = rank - 2;
    void *copy = malloc((size_t)(n * n * size) + 1);
    if (!copy) {
        error_set(reason, "logdet: out of memory");
        return CPU_UNSUPPORTED;
    }
    const struct cpu_view *logarithm = &output[outputs - 1], *sign = &output[0];
    const int64_t *const stride[] = {a->stride, logarithm->stride, sign->stride};
    int64_t offset[3] = {0, 0, 0};
    for (struct cpu_walk walk = cpu_walk_start(&batch); walk.left > 0;
         cpu_walk_next(&walk, 3, stride, offset)) {
        copy_matrix(a, n, a->data + offset[0] * size, copy);
        one_matrix(a->dtype, n, copy, outputs == 2, sign->data + offset[2] * size,
                   logarithm->data + offset[1] * size);
    }
    free(copy);
    return CPU_OK;
}

static enum cpu_status run_any(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                               int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)attributes;
    (void)inputs;
    return run(&input[0], outputs, output, reason);
}

static const struct cpu_op ops[] = {{"logdet", run_any}, {"slogdet", run_any}};

const struct cpu_op_set cpu_op_set_logdet = {.op = ops, .count = sizeof ops / sizeof *ops};

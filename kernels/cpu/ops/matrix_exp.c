/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matrix_exp: scaling and squaring with a diagonal Padé approximant (Higham, "The scaling and
 * squaring method for the matrix exponential revisited", SIMAX 26 (2005)), degree 7 for float32 and 13 for
 * float64, its even and odd parts by Horner in A², and elimination with partial pivoting; all in the dtype's
 * own precision. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coefficients of the Padé numerators; they are divided by the first one, in float64. */
static const double pade7[] = {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1};
static const double pade13[] = {64764752532480000,
                                32382376266240000,
                                7771770303897600,
                                1187353796428800,
                                129060195264000,
                                10559470521600,
                                670442572800,
                                33522128640,
                                1323241920,
                                40840800,
                                960960,
                                16380,
                                182,
                                1};

/* a: n×n, overwritten by e^a. work: 5 n². */
#define DEFINE_EXPONENTIAL(real, absolute, scale_by, degree, coefficient, theta)                             \
    static void multiply_##real(int64_t n, const real *a, const real *b, real *c)                            \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            for (int64_t j = 0; j < n; j++) {                                                                \
                real sum = a[i * n] * b[j];                                                                  \
                for (int64_t k = 1; k < n; k++) {                                                            \
                    sum += a[i * n + k] * b[k * n + j];                                                      \
                }                                                                                            \
                c[i * n + j] = sum;                                                                          \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    /* x ← Σ c[first + 2k]·s^k, s = a²: Horner */                                                       \
    static void even_series_##real(int64_t n, const real *s, int first, real *x, real *spare)                \
    {                                                                                                        \
        for (int k = degree - (degree - first) % 2; k >= first; k -= 2) {                                    \
            real c = (real)(coefficient[k] / coefficient[0]);                                                \
            if (k + 2 > degree) {                                                                            \
                memset(x, 0, (size_t)(n * n) * sizeof *x);                                                   \
            } else {                                                                                         \
                multiply_##real(n, s, x, spare);                                                             \
                memcpy(x, spare, (size_t)(n * n) * sizeof *x);                                               \
            }                                                                                                \
            for (int64_t i = 0; i < n; i++) {                                                                \
                x[i * n + i] += c;                                                                           \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    /* p ← q⁻¹p */                                                                                      \
    static void solve_##real(int64_t n, real *q, real *p)                                                    \
    {                                                                                                        \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            int64_t pivot = k;                                                                               \
            for (int64_t i = k + 1; i < n; i++) {                                                            \
                pivot = absolute(q[i * n + k]) > absolute(q[pivot * n + k]) ? i : pivot;                     \
            }                                                                                                \
            for (int64_t j = 0; pivot != k && j < n; j++) {                                                  \
                real t = q[k * n + j], v = p[k * n + j];                                                     \
                q[k * n + j] = q[pivot * n + j];                                                             \
                p[k * n + j] = p[pivot * n + j];                                                             \
                q[pivot * n + j] = t;                                                                        \
                p[pivot * n + j] = v;                                                                        \
            }                                                                                                \
            for (int64_t i = k + 1; i < n; i++) {                                                            \
                real l = q[i * n + k] / q[k * n + k];                                                        \
                for (int64_t j = 0; j < n; j++) {                                                            \
                    q[i * n + j] -= j > k ? l * q[k * n + j] : 0;                                            \
                    p[i * n + j] -= l * p[k * n + j];                                                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t k = n - 1; k >= 0; k--) {                                                               \
            for (int64_t j = 0; j < n; j++) {                                                                \
                for (int64_t i = k + 1; i < n; i++) {                                                        \
                    p[k * n + j] -= q[k * n + i] * p[i * n + j];                                             \
                }                                                                                            \
                p[k * n + j] /= q[k * n + k];                                                                \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    static void exponentiate_##real(int64_t n, real *a, real *work)                                          \
    {                                                                                                        \
        int64_t count = n * n;                                                                               \
        real *square = work, *odd = work + count, *even = work + 2 * count, *spare = work + 3 * count;       \
        double norm = 0; /* in float64: sums of finite entries / 2^8 cannot overflow */                      \
        for (int64_t j = 0; j < n; j++) {                                                                    \
            double sum = 0;                                                                                  \
            for (int64_t i = 0; i < n; i++) {                                                                \
                sum += fabs((double)a[i * n + j]) / 256;                                                     \
            }                                                                                                \
            norm = sum <= norm ? norm : sum; /* a NaN stays */                                               \
        }                                                                                                    \
        if (!isfinite(norm)) {                                                                               \
            bool scalar = n == 1 && !isnan(norm);                                                            \
            for (int64_t i = 0; i < count; i++) {                                                            \
                a[i] = !scalar ? (real)NAN : a[i] < 0 ? 0 : a[i];                                            \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        int s = 0;                                                                                           \
        while (ldexp(norm, 8 - s) > (theta)) {                                                               \
            s++;                                                                                             \
        }                                                                                                    \
        for (int64_t i = 0; i < count; i++) {                                                                \
            a[i] = scale_by(a[i], -s);                                                                       \
        }                                                                                                    \
        multiply_##real(n, a, a, square);                                                                    \
        even_series_##real(n, square, 1, even, spare);                                                       \
        multiply_##real(n, a, even, odd);                                                                    \
        even_series_##real(n, square, 0, even, spare);                                                       \
        for (int64_t i = 0; i < count; i++) {                                                                \
            a[i] = even[i] + odd[i];                                                                         \
            even[i] -= odd[i];                                                                               \
        }                                                                                                    \
        solve_##real(n, even, a);                                                                            \
        for (; s > 0; s--) {                                                                                 \
            multiply_##real(n, a, a, spare);                                                                 \
            memcpy(a, spare, (size_t)count * sizeof *a);                                                     \
        }                                                                                                    \
    }

DEFINE_EXPONENTIAL(float, fabsf, ldexpf, 7, pade7, 3.92572)
DEFINE_EXPONENTIAL(double, fabs, ldexp, 13, pade13, 5.3719)

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)op, (void)attributes, (void)inputs, (void)outputs;
    bool wide = input[0].dtype == DTYPE_FLOAT64;
    if (!wide && input[0].dtype != DTYPE_FLOAT32) {
        error_set(reason, "the CPU backend has no matrix_exp for %s", dtype_info(input[0].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    size_t size = dtype_info(input[0].dtype)->size;
    int64_t n = input[0].shape.dim[input[0].shape.rank - 1], count = n * n;
    int64_t batch = count ? shape_elements(&input[0].shape) / count : 0;
    unsigned char *a = cpu_allocate(5 * count, size, reason);
    if (!a) {
        return CPU_OUT_OF_MEMORY;
    }
    for (int64_t m = 0; m < batch; m++) {
        for (int64_t i = 0; i < count; i++) {
            memcpy(a + (size_t)i * size, cpu_at(&input[0], m * count + i), size);
        }
        if (wide) {
            exponentiate_double(n, (double *)(void *)a, (double *)(void *)a + count);
        } else {
            exponentiate_float(n, (float *)(void *)a, (float *)(void *)a + count);
        }
        for (int64_t i = 0; i < count; i++) {
            memcpy(cpu_at(&output[0], m * count + i), a + (size_t)i * size, size);
        }
    }
    free(a);
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "matrix_exp", .run = run}};

const struct cpu_op_set cpu_op_set_matrix_exp = {.op = ops, .count = 1};

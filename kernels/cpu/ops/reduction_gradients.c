/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of reductions (kernels/cpu/rows.h). x holds grad_output, repeated n times, and then the row of
 * the input. */

#include "kernels/cpu/rows.h"

#include <math.h>

#define CPU_FLOAT(name)  name##f
#define CPU_DOUBLE(name) name

/* The gradients of a row, with Kahan's sums over the row. */
#define DEFINE_PARTS(REAL, F)                                                                                \
    static REAL mean_##REAL(const REAL *x, int64_t n)                                                        \
    {                                                                                                        \
        REAL sum = 0, rest = 0;                                                                              \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            REAL next = x[k] - rest, total = sum + next;                                                     \
            rest = isfinite(total) ? (total - sum) - next : 0;                                               \
            sum = total;                                                                                     \
        }                                                                                                    \
        return sum / (REAL)n;                                                                                \
    }                                                                                                        \
    static void sum_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                      \
    {                                                                                                        \
        (void)p;                                                                                             \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k];                                                                                     \
        }                                                                                                    \
    }                                                                                                        \
    static void mean_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                     \
    {                                                                                                        \
        (void)p;                                                                                             \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] / (REAL)n;                                                                           \
        }                                                                                                    \
    }                                                                                                        \
    static REAL lead_##REAL(const REAL *x, int64_t n, REAL sign)                                             \
    {                                                                                                        \
        REAL lead = sign * x[0];                                                                             \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            lead = isnan(lead) || isnan(x[k]) ? (REAL)NAN : F(fmax)(lead, sign * x[k]);                      \
        }                                                                                                    \
        return lead;                                                                                         \
    }                                                                                                        \
    static void share_##REAL(const REAL *x, REAL *y, int64_t n, REAL sign)                                   \
    {                                                                                                        \
        int64_t leaders = 0;                                                                                 \
        REAL lead = lead_##REAL(x + n, n, sign);                                                             \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            leaders += sign * x[n + k] == lead;                                                              \
        }                                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] * (REAL)(sign * x[n + k] == lead) / (REAL)leaders;                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void amax_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                     \
    {                                                                                                        \
        (void)p;                                                                                             \
        share_##REAL(x, y, n, 1);                                                                            \
    }                                                                                                        \
    static void amin_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                     \
    {                                                                                                        \
        (void)p;                                                                                             \
        share_##REAL(x, y, n, -1);                                                                           \
    }                                                                                                        \
    static void var_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                      \
    {                                                                                                        \
        REAL m = mean_##REAL(x + n, n), degrees = (REAL)fmax((double)n - p[0], 0);                           \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = 2 / degrees * x[k] * (x[n + k] - m);                                                      \
        }                                                                                                    \
    }                                                                                                        \
    static void std_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                      \
    {                                                                                                        \
        REAL m = mean_##REAL(x + n, n), degrees = (REAL)fmax((double)n - p[0], 0);                           \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = (x[n + k] - m) * (x[n + k] - m);                                                          \
        }                                                                                                    \
        REAL deviation = F(sqrt)(mean_##REAL(y, n) * (REAL)n / degrees);                                     \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = deviation == 0 ? 0 : x[k] / deviation * (x[n + k] - m) / degrees;                         \
        }                                                                                                    \
    }                                                                                                        \
    static void logsumexp_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                \
    {                                                                                                        \
        (void)p;                                                                                             \
        REAL lead = lead_##REAL(x + n, n, 1);                                                                \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = F(exp)(x[n + k] - (isinf(lead) ? 0 : lead));                                              \
        }                                                                                                    \
        REAL sum = mean_##REAL(y, n) * (REAL)n;                                                              \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] * (F(exp)(x[n + k] - lead) / sum);                                                   \
        }                                                                                                    \
    }
DEFINE_PARTS(float, CPU_FLOAT)
DEFINE_PARTS(double, CPU_DOUBLE)

#define GRADIENT(name_, ...)                                                                                 \
    {                                                                                                        \
        .name = #name_, .run = cpu_map_rows, .row = &(const struct cpu_row_function)                         \
        {                                                                                                    \
            .single_map = name_##_float, .wide_map = name_##_double, .gradient = true, __VA_ARGS__           \
        }                                                                                                    \
    }

static const struct cpu_op ops[] = {
    GRADIENT(sum_backward, .none = false),        GRADIENT(mean_backward, .none = false),
    GRADIENT(amax_backward, .needs_terms = true), GRADIENT(amin_backward, .needs_terms = true),
    GRADIENT(var_backward, .none = false),        GRADIENT(std_backward, .none = false),
    GRADIENT(logsumexp_backward, .none = false),
};

const struct cpu_op_set cpu_op_set_reduction_gradients = {.op = ops, .count = sizeof ops / sizeof *ops};

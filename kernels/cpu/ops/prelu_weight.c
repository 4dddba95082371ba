/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of prelu with respect to its weight, in float32 and in float64; the 16-bit types are computed
 * in float32 and then rounded. The terms of a channel are summed pairwise over blocks of 16. */

#include "kernels/cpu/cpu_backend.h"

#include <stdlib.h>

enum { GRAD, INPUT, WEIGHT, RUN = 16 };

#define DEFINE_SUM(REAL)                                                                                     \
    static REAL sum_of_##REAL(const REAL *grad, const REAL *x, int64_t n)                                    \
    {                                                                                                        \
        REAL sum = 0;                                                                                        \
        if (n > RUN) {                                                                                       \
            int64_t half = (n / RUN + 1) / 2 * RUN;                                                          \
            return sum_of_##REAL(grad, x, half) + sum_of_##REAL(grad + half, x + half, n - half);            \
        }                                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            sum += x[k] > 0 ? 0 : grad[k] * x[k];                                                            \
        }                                                                                                    \
        return sum;                                                                                          \
    }
DEFINE_SUM(float)
DEFINE_SUM(double)

static bool fit(const struct cpu_view *input)
{
    const struct shape *x = &input[INPUT].shape, *weight = &input[WEIGHT].shape;
    const int64_t weights = shape_elements(weight);
    return input[GRAD].dtype == input[INPUT].dtype && input[WEIGHT].dtype == input[INPUT].dtype &&
           shape_equal(&input[GRAD].shape, x) && weight->rank <= 1 &&
           (weights == 1 || (x->rank > 0 && weights == (x->rank > 1 ? x->dim[1] : 1)));
}

/* Returns the number of element k of channel c; each sample has `inner` elements of each channel. */
static int64_t place_of(int64_t channels, int64_t inner, int64_t c, int64_t k)
{
    return (k / inner * channels + c) * inner + k % inner;
}

#define DEFINE_CHANNELS(REAL)                                                                                \
    static bool channels_of_##REAL(const struct cpu_view *input, int64_t channels, int64_t inner,            \
                                   int64_t terms, const struct cpu_view *y, struct error *reason)            \
    {                                                                                                        \
        REAL *room = cpu_allocate(2 * terms, sizeof *room, reason), *grad = room;                            \
        for (int64_t c = 0; room && c < channels; c++) {                                                     \
            REAL *x = room + terms;                                                                          \
            for (int64_t k = 0; k < terms; k++) {                                                            \
                const int64_t at = place_of(channels, inner, c, k);                                          \
                grad[k] = (REAL)cpu_load(&input[GRAD], at);                                                  \
                x[k] = (REAL)cpu_load(&input[INPUT], at);                                                    \
            }                                                                                                \
            cpu_store(y, c, (double)sum_of_##REAL(grad, x, terms));                                          \
        }                                                                                                    \
        free(room);                                                                                          \
        return room != NULL;                                                                                 \
    }
DEFINE_CHANNELS(float)
DEFINE_CHANNELS(double)

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)attributes, (void)inputs, (void)outputs;
    const struct shape *x = &input[INPUT].shape;
    const int64_t channels = shape_elements(&input[WEIGHT].shape), elements = shape_elements(x);
    int64_t inner = 1;
    if (!dtype_is_real(input[INPUT].dtype)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, dtype_info(input[INPUT].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!fit(input)) {
        return cpu_reject(reason, "shapes or dtypes do not fit");
    }
    for (int d = channels == 1 ? 0 : 2; d < x->rank; d++) {
        inner *= x->dim[d];
    }
    const int64_t terms = channels > 0 ? elements / channels : 0;
    bool good = input[INPUT].dtype == DTYPE_FLOAT64
                    ? channels_of_double(input, channels, inner, terms, &output[0], reason)
                    : channels_of_float(input, channels, inner, terms, &output[0], reason);
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static const struct cpu_op ops[] = {{.name = "prelu_backward_weight", .run = run}};

const struct cpu_op_set cpu_op_set_prelu_weight = {.op = ops, .count = sizeof ops / sizeof *ops};

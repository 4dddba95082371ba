/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_DOT_H
#define ASSAY_KERNELS_CPU_DOT_H

/* Sums of products for the CPU backend: blocks of 16 products in their order, added pairwise. */

#include <stdint.h>

enum { DOT_BLOCK = 16 };

#define DEFINE_DOT(real)                                                                                     \
    static inline real dot_##real(const real *a, const real *b, int64_t count)                               \
    {                                                                                                        \
        real sum = 0;                                                                                        \
        if (count > DOT_BLOCK) {                                                                             \
            int64_t half = (count / DOT_BLOCK + 1) / 2 * DOT_BLOCK;                                          \
            return dot_##real(a, b, half) + dot_##real(a + half, b + half, count - half);                    \
        }                                                                                                    \
        for (int64_t k = 0; k < count; k++) {                                                                \
            sum += a[k] * b[k];                                                                              \
        }                                                                                                    \
        return sum;                                                                                          \
    }

DEFINE_DOT(float)
DEFINE_DOT(double)

#endif

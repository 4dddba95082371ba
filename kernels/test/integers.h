/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_TEST_INTEGERS_H
#define ASSAY_KERNELS_TEST_INTEGERS_H

/* Two matrices of small integers, whose products are exact in every order of summation. */

#include <stdint.h>

static inline double integer_left(int64_t i, int64_t k)
{
    return (double)((i * 3 + k * 5) % 7) - 3;
}

static inline double integer_right(int64_t k, int64_t j)
{
    return (double)((k * 11 + j) % 5) - 2;
}

#endif

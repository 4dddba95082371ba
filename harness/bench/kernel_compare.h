/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_KERNEL_COMPARE_H
#define ASSAY_HARNESS_BENCH_KERNEL_COMPARE_H

/* Compares the results of two backends in norm, without a truth: cheap enough for tensors of a gibibyte. */

#include "reference/base/dtype.h"

#include <stdint.h>

/* Returns ‖a − b‖ / ‖b‖ (2-norms) over `count` elements; of complex numbers, over both parts. Elements that
 * are NaN in both or the same infinity in both are left out; an element that is NaN or infinite in one alone
 * makes the difference infinite, and so does a difference from b = 0. */
double kernel_difference(enum dtype dtype, int64_t count, const void *a, const void *b);

/* Returns the greatest difference of two right results. docs/performance.md derives the numbers. */
double kernel_difference_limit(enum dtype dtype);

#endif

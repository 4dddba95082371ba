/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_compare.h"

#include <math.h>

/* The sums of squares of a − b and of b. */
struct sums {
    double apart, whole;
};

static void add(struct sums *sums, double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) {
        sums->whole += isfinite(b) ? b * b : 0;
        return;
    }
    sums->apart += isfinite(a) && isfinite(b) ? (a - b) * (a - b) : INFINITY;
    sums->whole += isfinite(b) ? b * b : 0;
}

double kernel_difference(enum dtype dtype, int64_t count, const void *a, const void *b)
{
    const enum dtype component = dtype_info(dtype)->component;
    const size_t size = dtype_info(component)->size;
    const int64_t components = count * dtype_info(dtype)->components;
    const unsigned char *x = a, *y = b;
    struct sums sums = {0, 0};
    if (dtype_is_integer(component)) { /* an int64 may have more digits than a double */
        for (int64_t i = 0; i < components; i++) {
            const int64_t p = dtype_load_integer(component, x + (size_t)i * size),
                          q = dtype_load_integer(component, y + (size_t)i * size);
            const double apart =
                p > q ? (double)((uint64_t)p - (uint64_t)q) : (double)((uint64_t)q - (uint64_t)p);
            sums.apart += apart * apart;
            sums.whole += (double)q * (double)q;
        }
    } else {
        for (int64_t i = 0; i < components; i++) {
            add(&sums, dtype_load(component, x + (size_t)i * size),
                dtype_load(component, y + (size_t)i * size));
        }
    }
    return sums.apart == 0 ? 0 : sqrt(sums.apart / sums.whole);
}

double kernel_difference_limit(enum dtype dtype)
{
    switch (dtype_info(dtype)->component) {
    case DTYPE_FLOAT16:
        return 4e-3;
    case DTYPE_BFLOAT16:
        return 3e-2;
    case DTYPE_FLOAT32:
        return 1e-4;
    case DTYPE_FLOAT64:
        return 1e-10;
    default:
        return 0;
    }
}

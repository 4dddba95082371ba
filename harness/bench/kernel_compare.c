/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_compare.h"

#include "harness/bench/parts.h"

#include <math.h>
#include <stdlib.h>

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

/* The results are compared in parts, by several threads. The sums of the parts are added in their order. */
enum { PART = 1 << 16 };

struct comparison {
    enum dtype dtype; /* of a component */
    int64_t count;
    const unsigned char *a, *b;
    struct sums *sums;
};

static void add_integers(struct sums *sums, int64_t p, int64_t q) /* may have more digits than a double */
{
    const double apart = p > q ? (double)((uint64_t)p - (uint64_t)q) : (double)((uint64_t)q - (uint64_t)p);
    sums->apart += apart * apart;
    sums->whole += (double)q * (double)q;
}

static void compare_part(void *user, int64_t part)
{
    const struct comparison *c = user;
    const size_t size = dtype_info(c->dtype)->size;
    const int64_t first = part * PART, end = first + PART < c->count ? first + PART : c->count;
    struct sums sums = {0, 0};
    for (int64_t i = first; i < end; i++) {
        const unsigned char *x = c->a + (size_t)i * size, *y = c->b + (size_t)i * size;
        if (dtype_is_integer(c->dtype)) {
            add_integers(&sums, dtype_load_integer(c->dtype, x), dtype_load_integer(c->dtype, y));
        } else {
            add(&sums, dtype_load(c->dtype, x), dtype_load(c->dtype, y));
        }
    }
    c->sums[part] = sums;
}

double kernel_difference(enum dtype dtype, int64_t count, const void *a, const void *b)
{
    const int64_t components = count * dtype_info(dtype)->components, parts = (components + PART - 1) / PART;
    struct sums *sums = calloc((size_t)parts + 1, sizeof *sums);
    struct comparison c = {
        .dtype = dtype_info(dtype)->component, .count = components, .a = a, .b = b, .sums = sums};
    double difference = NAN; /* out of memory: the results are not known to agree */
    if (sums) {
        parts_run(parts, compare_part, &c);
        for (int64_t p = 0; p < parts; p++) {
            sums[parts].apart += sums[p].apart;
            sums[parts].whole += sums[p].whole;
        }
        difference = sums[parts].apart == 0 ? 0 : sqrt(sums[parts].apart / sums[parts].whole);
    }
    free(sums);
    return difference;
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

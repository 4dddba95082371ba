/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The greatest elements of windows. */

#include "reference/ops/pooling/max_pool.h"

#include <math.h>

struct pool max_pool_of_call(const struct op_call *call, int input)
{
    struct pool p;
    struct error unused;
    pool_of(call->op, call->attributes, &call->input[input].shape, &p, &unused);
    return p;
}

double max_pool_element(const struct max_pool_window *w, int64_t at)
{
    const unsigned char *from = w->x->data + (size_t)(w->plane + at) * dtype_info(w->x->dtype)->size;
    const double x = dtype_load(w->x->dtype, from);
    return w->flush && dtype_is_subnormal(w->x->dtype, from) ? 0 : x;
}

bool max_pool_exceeds(double a, double b)
{
    return isnan(a) ? !isnan(b) : a > b;
}

int64_t max_pool_first(const struct max_pool_window *w, int64_t *count)
{
    const int64_t taps = pool_taps(w->p);
    int64_t first = -1;
    double best = 0;
    *count = 0;
    for (int64_t t = 0; t < taps; t++) {
        const int64_t at = pool_meets(w->p, w->y, t);
        if (at < 0) {
            continue;
        }
        const double x = max_pool_element(w, at);
        if (first < 0 || max_pool_exceeds(x, best)) {
            first = at;
            best = x;
            *count = 1;
        } else if (!max_pool_exceeds(best, x)) {
            ++*count;
        }
    }
    return first;
}

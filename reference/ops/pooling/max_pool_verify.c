/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/pooling/max_pool.h"

#include <math.h>
#include <stdio.h>

enum { INDICES = 1 };

static bool is_inside(const struct max_pool_window *w, int64_t at)
{
    const int64_t taps = pool_taps(w->p);
    bool inside = false;
    for (int64_t t = 0; t < taps && !inside; t++) {
        inside = pool_meets(w->p, w->y, t) == at;
    }
    return inside && at >= 0;
}

/* Returns whether an infinity or a NaN is in the window. */
static bool has_special(const struct max_pool_window *w)
{
    const int64_t taps = pool_taps(w->p);
    bool special = false;
    for (int64_t t = 0; t < taps && !special; t++) {
        const int64_t at = pool_meets(w->p, w->y, t);
        special = at >= 0 && !isfinite(max_pool_element(w, at));
    }
    return special;
}

static bool is_right(struct max_pool_window w, const struct profile *profile, int64_t got)
{
    const bool flushes = profile_loses_subnormals(profile, w.x->dtype);
    if (!is_inside(&w, got)) {
        return false;
    }
    for (int flush = 0; flush <= (int)flushes; flush++) {
        w.flush = flush != 0;
        int64_t count, first = max_pool_first(&w, &count);
        const double best = max_pool_element(&w, first), element = max_pool_element(&w, got);
        /* Nothing says which of several NaNs a window reports, and backends differ. */
        if (!max_pool_exceeds(best, element) &&
            (profile->ties != TIES_FIRST || got == first || isnan(best))) {
            return true;
        }
    }
    return !profile->special_values[w.x->dtype] && has_special(&w);
}

static void describe(const struct max_pool_window *w, int64_t got, struct verification *found)
{
    int64_t count, first = max_pool_first(w, &count);
    const double best = max_pool_element(w, first);
    snprintf(found->wanted, sizeof found->wanted, "%lld%s, where the element is %.17g", (long long)first,
             count > 1 ? " or another place" : "", best);
    if (!is_inside(w, got)) {
        snprintf(
            found->sentence, sizeof found->sentence,
            "place %lld of the plane is not in the window; its greatest element, %.17g, is at place %lld",
            (long long)got, best, (long long)first);
    } else if (!max_pool_exceeds(best, max_pool_element(w, got))) {
        snprintf(found->sentence, sizeof found->sentence,
                 "of several greatest elements, %.17g, that at place %lld is not the first one, which the "
                 "profile promises: place %lld",
                 best, (long long)got, (long long)first);
    } else {
        snprintf(
            found->sentence, sizeof found->sentence,
            "the element at place %lld is %.17g, not the greatest one of the window: %.17g at place %lld",
            (long long)got, max_pool_element(w, got), best, (long long)first);
    }
}

bool max_pool_verify(const struct verification_query *query, struct verification *found)
{
    const struct pool p = max_pool_of_call(query->call, 0);
    const struct tensor *indices = &query->got[INDICES];
    const int64_t size = pool_y_size(&p), all = shape_elements(&indices->shape);
    for (int64_t i = 0; i < all; i++) {
        const struct max_pool_window window = {&p, &query->call->input[0], i / size * pool_x_size(&p),
                                               i % size, false};
        const int64_t got = dtype_load_integer(DTYPE_INT64, indices->data + (size_t)i * sizeof(int64_t));
        if (!is_right(window, query->profile, got)) {
            if (found->refused++ == 0) {
                found->output = INDICES;
                found->element = i;
                describe(&window, got, found);
            }
        }
    }
    found->accepted = found->refused == 0;
    found->error_over_bound = found->accepted ? 0 : (double)INFINITY;
    found->rule = "place";
    return true;
}

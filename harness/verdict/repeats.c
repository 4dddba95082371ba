/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of two runs of one case, element by element. */

#include "harness/verdict/judge.h"

#include <math.h>
#include <string.h>

/* Whether any byte of a result differs between two runs. */
static bool bytes_differ(const struct judge_request *request, const struct ownership *ownership, int a, int b)
{
    for (int s = 0; s < request->program->storages; s++) {
        const unsigned char *x = request->run[a].images->image[s] + BACKEND_GUARD;
        const unsigned char *y = request->run[b].images->image[s] + BACKEND_GUARD;
        for (size_t at = 0; at < request->program->storage[s].bytes; at++) {
            if (ownership->owner[s][at] && x[at] != y[at]) {
                return true;
            }
        }
    }
    return false;
}

bool same_number(enum dtype dtype, const unsigned char *a, const unsigned char *b)
{
    const struct dtype_info *info = dtype_info(dtype);
    size_t size = dtype_info(info->component)->size;
    for (int c = 0; c < info->components; c++, a += size, b += size) {
        bool nans = dtype_is_floating(dtype) && isnan(dtype_load(info->component, a)) &&
                    isnan(dtype_load(info->component, b));
        if (!nans && memcmp(a, b, size) != 0) {
            return false;
        }
    }
    return true;
}

void find_differences(const struct judge_request *request, const struct ownership *ownership, int a, int b,
                      struct difference *found)
{
    *found = (struct difference){.count = 0};
    if (!bytes_differ(request, ownership, a, b)) {
        return; /* the usual case, and the quick one */
    }
    for (int step = 0; step < request->program->steps; step++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int outputs = request->truth->truth[step] ? step_judged(&request->program->step[step], judged) : 0;
        for (int o = 0; o < outputs; o++) {
            for (int64_t i = 0; i < shape_elements(&judged[o].shape); i++) {
                size_t at = (size_t)view_element(&judged[o], i) * dtype_info(judged[o].dtype)->size;
                const unsigned char *x =
                    request->run[a].images->image[judged[o].storage] + BACKEND_GUARD + at;
                const unsigned char *y =
                    request->run[b].images->image[judged[o].storage] + BACKEND_GUARD + at;
                if (ownership->owner[judged[o].storage][at] != ownership_mark(step, o) ||
                    same_number(judged[o].dtype, x, y)) {
                    continue;
                }
                if (found->count++ == 0) {
                    found->element = i;
                    found->step = step;
                    found->judged = o;
                    explain_bits(judged[o].dtype, x, found->a, sizeof found->a);
                    explain_bits(judged[o].dtype, y, found->b, sizeof found->b);
                }
            }
        }
    }
}

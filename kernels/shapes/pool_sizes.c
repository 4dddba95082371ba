/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/shapes/pool_sizes.h"

/* Reads a list into the last `rank` of three numbers; the others become `otherwise`. `as`: what stands for an
 * omitted list; NULL: `otherwise`. */
static bool read(const struct attributes *attributes, const char *name, int rank, int64_t otherwise,
                 const int64_t *as, int64_t to[3])
{
    const struct integers *list = attributes_integers(attributes, name);
    bool good = !list || list->count == 1 || list->count == rank;
    for (int i = 0; i < 3; i++) {
        const int d = i - (3 - rank);
        to[i] = d < 0 ? otherwise : list ? list->item[list->count > 1 ? d : 0] : as ? as[i] : otherwise;
        good = good && to[i] >= otherwise && to[i] <= INT32_MAX;
    }
    return good;
}

bool pool_sizes_of(int rank, const struct attributes *attributes, const struct shape *input,
                   struct pool_sizes *s)
{
    const bool up = attributes_integer(attributes, "ceil_mode", 0) != 0;
    *s = (struct pool_sizes){.rank = rank, .batched = input->rank - rank - 1};
    if (s->batched < 0 || s->batched > 1 || !attributes_integers(attributes, "kernel_size") ||
        !read(attributes, "kernel_size", rank, 1, NULL, s->kernel) ||
        !read(attributes, "stride", rank, 1, s->kernel, s->stride) ||
        !read(attributes, "padding", rank, 0, NULL, s->before) ||
        !read(attributes, "dilation", rank, 1, NULL, s->dilation)) {
        return false;
    }
    s->samples = s->batched ? input->dim[0] : 1;
    s->channels = input->dim[s->batched];
    s->counts_padding = attributes_integer(attributes, "count_include_pad", 1) != 0;
    s->divisor = attributes_integer(attributes, "divisor_override", 0);
    if (attributes_given(attributes, "divisor_override") && s->divisor == 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const int d = i - (3 - rank);
        s->x[i] = d < 0 ? 1 : input->dim[s->batched + 1 + d];
        const int64_t left = s->x[i] + 2 * s->before[i] - s->dilation[i] * (s->kernel[i] - 1) - 1;
        if (s->x[i] < 1 || 2 * s->before[i] > s->kernel[i] || left < (up ? 1 - s->stride[i] : 0)) {
            return false;
        }
        s->y[i] = (left + (up ? s->stride[i] - 1 : 0)) / s->stride[i] + 1;
        s->y[i] -= up && (s->y[i] - 1) * s->stride[i] - s->before[i] >= s->x[i];
        if (s->y[i] < 1) {
            return false;
        }
    }
    return true;
}

bool pool_sizes_fit(const struct pool_sizes *s, const struct shape *result)
{
    bool fits = result->rank == s->rank + s->batched + 1 && result->dim[s->batched] == s->channels &&
                (!s->batched || result->dim[0] == s->samples);
    for (int d = 0; d < s->rank && fits; d++) {
        fits = result->dim[s->batched + 1 + d] == s->y[3 - s->rank + d];
    }
    return fits;
}

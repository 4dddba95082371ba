/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/shapes/convolution_sizes.h"

#include <string.h>

/* Copies a list of numbers, one for all dimensions or one for each. */
static bool read(const struct attributes *attributes, const char *name, int64_t otherwise, int64_t least,
                 int rank, int64_t *to)
{
    const struct integers *list = attributes_integers(attributes, name);
    for (int i = 0; i < rank; i++) {
        to[i] = list ? list->item[list->count > 1 ? i : 0] : otherwise;
    }
    for (int i = 0; i < rank; i++) {
        if (to[i] < least) {
            return false;
        }
    }
    return !list || list->count == 1 || list->count == rank;
}

static bool read_padding(const struct attributes *attributes, bool transposed, struct convolution_sizes *s)
{
    const struct integers *list = attributes_integers(attributes, "padding");
    bool same = attributes_integer(attributes, "same", 0), pairs = list && list->count == 2 * s->rank;
    if (same) {
        for (int i = 0; i < s->rank; i++) {
            if (list || s->stride[i] != 1) {
                return false;
            }
            int64_t both = s->dilation[i] * (s->kernel[i] - 1);
            s->before[i] = both / 2;
            s->behind[i] = both - both / 2;
        }
        return true;
    }
    if (pairs && !transposed) {
        for (int i = 0; i < s->rank; i++) {
            s->before[i] = list->item[2 * i];
            s->behind[i] = list->item[2 * i + 1];
            if (s->before[i] < 0 || s->behind[i] < 0) {
                return false;
            }
        }
        return true;
    }
    bool good = read(attributes, "padding", 0, 0, s->rank, s->before);
    memcpy(s->behind, s->before, sizeof s->behind);
    return good;
}

bool convolution_sizes_of(int variant, const struct attributes *attributes, const struct shape *input,
                          const struct shape *weight, struct convolution_sizes *s)
{
    const bool transposed = variant & CONVOLUTION_SIZES_TRANSPOSED;
    *s = (struct convolution_sizes){.rank = variant & CONVOLUTION_SIZES_RANK};
    s->batched = input->rank - s->rank - 1;
    s->groups = attributes_integer(attributes, "groups", 1);
    if (s->batched < 0 || s->batched > 1 || weight->rank != s->rank + 2 || s->groups < 1) {
        return false;
    }
    const int64_t channels = input->dim[s->batched], weights = weight->dim[0];
    for (int i = 0; i < s->rank; i++) {
        s->kernel[i] = weight->dim[2 + i];
    }
    if (!read(attributes, "stride", 1, 1, s->rank, s->stride) ||
        !read(attributes, "dilation", 1, 1, s->rank, s->dilation) ||
        !read(attributes, "output_padding", 0, 0, s->rank, s->more) ||
        !read_padding(attributes, transposed, s) || weights < 1 || weights % s->groups ||
        channels != (transposed ? weights : weight->dim[1] * s->groups)) {
        return false;
    }
    s->samples = s->batched ? input->dim[0] : 1;
    s->y_channels = weights / s->groups;
    s->x_channels = weight->dim[1];
    for (int i = 0; i < s->rank; i++) {
        const int64_t size = input->dim[s->batched + 1 + i], reach = s->dilation[i] * (s->kernel[i] - 1) + 1;
        if (size < 1 || s->kernel[i] < 1 || (s->more[i] >= s->stride[i] && s->more[i] >= s->dilation[i])) {
            return false;
        }
        if (transposed) {
            s->y[i] = size;
            s->x[i] = (size - 1) * s->stride[i] - s->before[i] - s->behind[i] + reach + s->more[i];
        } else {
            const int64_t padded = size + s->before[i] + s->behind[i];
            s->x[i] = size;
            s->y[i] = padded < reach ? 0 : (padded - reach) / s->stride[i] + 1;
        }
        if (s->x[i] < 1 || s->y[i] < 1) {
            return false;
        }
    }
    return true;
}

int64_t convolution_channels(const struct convolution_sizes *s, bool transposed)
{
    return s->groups * (transposed ? s->x_channels : s->y_channels);
}

bool convolution_sizes_fit(const struct convolution_sizes *s, const struct shape *result, bool transposed)
{
    bool fits = result->rank == s->rank + s->batched + 1 &&
                result->dim[s->batched] == convolution_channels(s, transposed) &&
                (!s->batched || result->dim[0] == s->samples);
    for (int i = 0; i < s->rank && fits; i++) {
        fits = result->dim[s->batched + 1 + i] == (transposed ? s->x[i] : s->y[i]);
    }
    return fits;
}

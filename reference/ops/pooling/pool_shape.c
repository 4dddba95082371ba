/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/pooling/pool_shape.h"

static int64_t product(const int64_t *factor, int count)
{
    int64_t all = 1;
    for (int i = 0; i < count; i++) {
        all = count_product(all, factor[i]);
    }
    return all;
}

int64_t pool_x_size(const struct pool *p)
{
    return product(p->x, p->rank);
}

int64_t pool_y_size(const struct pool *p)
{
    return product(p->y, p->rank);
}

int64_t pool_taps(const struct pool *p)
{
    return product(p->kernel, p->rank);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Reads a list with one number for all dimensions, or one for each; `least` ≤ each ≤ INT32_MAX. `otherwise`:
 * the numbers of an omitted list; NULL: it is required. */
static bool read_list(const struct op *op, const struct attributes *attributes, const char *name,
                      const int64_t *otherwise, int64_t least, int rank, int64_t *to, struct error *reason)
{
    const struct integers *list = attributes_integers(attributes, name);
    if (!list && !otherwise) {
        return error_set(reason, "%s: %s is missing", op->name, name);
    }
    if (list && list->count != 1 && list->count != rank) {
        return error_set(reason, "%s: %s has %d numbers; expected are 1 or %d, one for each dimension",
                         op->name, name, list->count, rank);
    }
    for (int i = 0; i < rank; i++) {
        to[i] = list ? list->item[list->count == 1 ? 0 : i] : otherwise[i];
        if (to[i] < least || to[i] > INT32_MAX) {
            return error_set(reason, "%s: %s %lld is out of range; the least is %lld", op->name, name,
                             (long long)to[i], (long long)least);
        }
    }
    return true;
}

static bool read_attributes(const struct op *op, const struct attributes *attributes, struct pool *p,
                            struct error *reason)
{
    static const int64_t zeros[POOL_RANK_MAX] = {0}, ones[POOL_RANK_MAX] = {1, 1, 1};
    if (!read_list(op, attributes, "kernel_size", NULL, 1, p->rank, p->kernel, reason) ||
        !read_list(op, attributes, "stride", p->kernel, 1, p->rank, p->stride, reason) ||
        !read_list(op, attributes, "padding", zeros, 0, p->rank, p->padding, reason) ||
        !read_list(op, attributes, "dilation", ones, 1, p->rank, p->dilation, reason)) {
        return false;
    }
    for (int i = 0; i < p->rank; i++) {
        if (p->padding[i] > p->kernel[i] / 2) {
            return error_set(reason, "%s: padding %lld is more than half of kernel_size %lld", op->name,
                             (long long)p->padding[i], (long long)p->kernel[i]);
        }
    }
    p->counts_padding = attributes_integer(attributes, "count_include_pad", 1) != 0;
    p->divisor = attributes_integer(attributes, "divisor_override", 0);
    return !attributes_given(attributes, "divisor_override") || p->divisor != 0 ||
           error_set(reason, "%s: divisor_override is 0", op->name);
}

/* Sets the size of y in dimension i. With ceil_mode a window may reach beyond the padding, but must not begin
 * there. */
static bool size_dimension(const struct op *op, struct pool *p, int i, bool ceil, struct error *reason)
{
    const int64_t reach = p->dilation[i] * (p->kernel[i] - 1) + 1, all = p->x[i] + 2 * p->padding[i] - reach;
    if (p->x[i] < 1 || p->x[i] > INT64_MAX / 4) {
        return error_set(reason, "%s: dimension %d has size %lld", op->name, i, (long long)p->x[i]);
    }
    const int64_t room = all + (ceil ? p->stride[i] - 1 : 0);
    p->y[i] = room < 0 ? 0 : room / p->stride[i] + 1;
    if (ceil && (p->y[i] - 1) * p->stride[i] >= p->x[i] + p->padding[i]) {
        p->y[i]--;
    }
    return p->y[i] >= 1 || error_set(reason,
                                     "%s: the window reaches over %lld, the padded input has %lld in "
                                     "dimension %d",
                                     op->name, (long long)reach, (long long)(p->x[i] + 2 * p->padding[i]), i);
}

bool pool_of(const struct op *op, const struct attributes *attributes, const struct shape *input,
             struct pool *p, struct error *reason)
{
    *p = (struct pool){.rank = op->variant & POOL_RANK, .planes = 1, .output = *input};
    const int first = input->rank - p->rank; /* the first spatial dimension */
    if (first != 1 && first != 2) {
        return error_set(reason, "%s: input must have %d dimensions, or %d without a batch", op->name,
                         p->rank + 2, p->rank + 1);
    }
    if (!read_attributes(op, attributes, p, reason)) {
        return false;
    }
    for (int d = 0; d < first; d++) {
        p->planes = count_product(p->planes, input->dim[d]);
    }
    for (int i = 0; i < p->rank; i++) {
        p->x[i] = input->dim[first + i];
        if (!size_dimension(op, p, i, attributes_integer(attributes, "ceil_mode", 0) != 0, reason)) {
            return false;
        }
        p->output.dim[first + i] = p->y[i];
    }
    return true;
}

int64_t pool_meets(const struct pool *p, int64_t y, int64_t t)
{
    int64_t x = 0, size = 1;
    for (int i = p->rank - 1; i >= 0; i--) {
        const int64_t at = y % p->y[i] * p->stride[i] - p->padding[i] + t % p->kernel[i] * p->dilation[i];
        if (at < 0 || at >= p->x[i]) {
            return -1;
        }
        x += at * size;
        size *= p->x[i];
        y /= p->y[i];
        t /= p->kernel[i];
    }
    return x;
}

int64_t pool_divisor(const struct pool *p, int64_t y)
{
    int64_t count = 1;
    for (int i = p->rank - 1; i >= 0 && p->divisor == 0; i--) {
        const int64_t begin = y % p->y[i] * p->stride[i] - p->padding[i],
                      end = smaller(begin + p->kernel[i], p->x[i] + (p->counts_padding ? p->padding[i] : 0));
        count *= end - (begin < 0 && !p->counts_padding ? 0 : begin);
        y /= p->y[i];
    }
    return p->divisor != 0 ? p->divisor : count;
}

int64_t pool_windows(const struct pool *p)
{
    int64_t all = 1;
    for (int i = 0; i < p->rank; i++) {
        all *= smaller((p->kernel[i] + p->stride[i] - 1) / p->stride[i], p->y[i]);
    }
    return all;
}

int64_t pool_window(const struct pool *p, int64_t x, int64_t k)
{
    int64_t y = 0, size = 1;
    for (int i = p->rank - 1; i >= 0; i--) {
        const int64_t most = smaller((p->kernel[i] + p->stride[i] - 1) / p->stride[i], p->y[i]);
        const int64_t place = x % p->x[i] + p->padding[i], last = smaller(place / p->stride[i], p->y[i] - 1);
        const int64_t at = last - k % most;
        if (at < 0 || place - at * p->stride[i] >= p->kernel[i]) {
            return -1;
        }
        y += at * size;
        size *= p->y[i];
        x /= p->x[i];
        k /= most;
    }
    return y;
}

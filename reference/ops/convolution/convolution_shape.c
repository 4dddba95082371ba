/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/convolution_shape.h"

static int64_t product(const int64_t *factor, int count)
{
    int64_t all = 1;
    for (int i = 0; i < count; i++) {
        all = count_product(all, factor[i]);
    }
    return all;
}

int64_t convolution_x_size(const struct convolution *c)
{
    return product(c->x, c->rank);
}

int64_t convolution_y_size(const struct convolution *c)
{
    return product(c->y, c->rank);
}

int64_t convolution_taps(const struct convolution *c)
{
    return product(c->kernel, c->rank);
}

/* Reads a list with one number for all dimensions, or one for each; `least` ≤ each ≤ INT32_MAX. */
static bool read_list(const struct op *op, const struct attributes *attributes, const char *name,
                      int64_t otherwise, int64_t least, int rank, int64_t *to, struct error *reason)
{
    const struct integers *list = attributes_integers(attributes, name);
    if (list && list->count != 1 && list->count != rank) {
        return error_set(reason, "%s: %s has %d numbers; expected are 1 or %d, one for each dimension",
                         op->name, name, list->count, rank);
    }
    for (int i = 0; i < rank; i++) {
        to[i] = !list ? otherwise : list->item[list->count == 1 ? 0 : i];
        if (to[i] < least || to[i] > INT32_MAX) {
            return error_set(reason, "%s: %s %lld is out of range; the least is %lld", op->name, name,
                             (long long)to[i], (long long)least);
        }
    }
    return true;
}

/* The padding of PyTorch's "same": the result has the size of the input, and an odd rest lies at the end. */
static bool pad_same(const struct op *op, struct convolution *c, struct error *reason)
{
    for (int i = 0; i < c->rank; i++) {
        if (c->stride[i] != 1) {
            return error_set(reason, "%s: same needs stride 1, not %lld", op->name, (long long)c->stride[i]);
        }
        int64_t all = c->dilation[i] * (c->kernel[i] - 1);
        c->begin[i] = all / 2;
        c->end[i] = all - c->begin[i];
    }
    return true;
}

static bool read_padding(const struct op *op, const struct attributes *attributes, struct convolution *c,
                         struct error *reason)
{
    const struct integers *list = attributes_integers(attributes, "padding");
    bool pairs = list && list->count == 2 * c->rank && !(op->variant & CONVOLUTION_TRANSPOSED);
    if (attributes_integer(attributes, "same", 0)) {
        return list ? error_set(reason, "%s: same and padding exclude each other", op->name)
                    : pad_same(op, c, reason);
    }
    if (!pairs) {
        if (!read_list(op, attributes, "padding", 0, 0, c->rank, c->begin, reason)) {
            return false;
        }
        for (int i = 0; i < c->rank; i++) {
            c->end[i] = c->begin[i];
        }
        return true;
    }
    for (int i = 0; i < c->rank; i++) {
        c->begin[i] = list->item[2 * i];
        c->end[i] = list->item[2 * i + 1];
        if (c->begin[i] < 0 || c->end[i] < 0 || c->begin[i] > INT32_MAX || c->end[i] > INT32_MAX) {
            return error_set(reason, "%s: padding %lld, %lld is out of range; the least is 0", op->name,
                             (long long)c->begin[i], (long long)c->end[i]);
        }
    }
    return true;
}

static bool read_attributes(const struct op *op, const struct attributes *attributes, struct convolution *c,
                            struct error *reason)
{
    if (!read_list(op, attributes, "stride", 1, 1, c->rank, c->stride, reason) ||
        !read_list(op, attributes, "dilation", 1, 1, c->rank, c->dilation, reason) ||
        !read_list(op, attributes, "output_padding", 0, 0, c->rank, c->output_padding, reason) ||
        !read_padding(op, attributes, c, reason)) {
        return false;
    }
    for (int i = 0; i < c->rank; i++) {
        int64_t least = c->stride[i] > c->dilation[i] ? c->stride[i] : c->dilation[i];
        if (c->output_padding[i] >= least) {
            return error_set(reason, "%s: output_padding %lld must be less than stride or dilation (%lld)",
                             op->name, (long long)c->output_padding[i], (long long)least);
        }
    }
    return true;
}

static bool read_channels(const struct op *op, const struct attributes *attributes, const struct shape *input,
                          const struct shape *weight, struct convolution *c, struct error *reason)
{
    const bool transposed = op->variant & CONVOLUTION_TRANSPOSED, batched = input->rank == c->rank + 2;
    int64_t channels = input->dim[batched ? 1 : 0], own = weight->dim[0];
    c->groups = attributes_integer(attributes, "groups", 1);
    if (c->groups < 1 || channels % c->groups != 0 || own < 1 || own % c->groups != 0) {
        return error_set(reason, "%s: %lld groups do not divide %lld input channels and %lld weights",
                         op->name, (long long)c->groups, (long long)channels, (long long)own);
    }
    c->batch = batched ? input->dim[0] : 1;
    c->y_channels = own;
    c->x_channels = count_product(weight->dim[1], c->groups);
    if (channels != (transposed ? c->y_channels : c->x_channels)) {
        return error_set(reason, "%s: input has %lld channels; weight and groups expect %lld", op->name,
                         (long long)channels, (long long)(transposed ? c->y_channels : c->x_channels));
    }
    return true;
}

/* Sets the sizes of X and Y in dimension i from that of the input. */
static bool size_dimension(const struct op *op, struct convolution *c, int i, int64_t size,
                           struct error *reason)
{
    int64_t reach = count_product(c->dilation[i], c->kernel[i] - 1) + 1, padding = c->begin[i] + c->end[i];
    if (c->kernel[i] < 1 || size < 1) {
        return error_set(reason, "%s: dimension %d has size %lld and kernel %lld; the least is 1", op->name,
                         i, (long long)size, (long long)c->kernel[i]);
    }
    if (op->variant & CONVOLUTION_TRANSPOSED) {
        c->y[i] = size;
        int64_t grown = count_product(size - 1, c->stride[i]);
        c->x[i] = grown < INT64_MAX / 4 && reach < INT64_MAX / 4
                      ? grown - padding + reach + c->output_padding[i]
                      : INT64_MAX;
        return c->x[i] >= 1 || error_set(reason, "%s: the result would have size %lld in dimension %d",
                                         op->name, (long long)c->x[i], i);
    }
    c->x[i] = size;
    if (reach > size + padding) {
        return error_set(reason,
                         "%s: the kernel reaches over %lld, but the padded input has %lld in dimension %d",
                         op->name, (long long)reach, (long long)(size + padding), i);
    }
    c->y[i] = (size + padding - reach) / c->stride[i] + 1;
    return true;
}

bool convolution_of(const struct op *op, const struct attributes *attributes, const struct shape *input,
                    const struct shape *weight, struct convolution *c, struct error *reason)
{
    *c = (struct convolution){.rank = op->variant & CONVOLUTION_RANK};
    const bool transposed = op->variant & CONVOLUTION_TRANSPOSED;
    const int first = input->rank - c->rank; /* the first spatial dimension of the input */
    if ((first != 1 && first != 2) || weight->rank != c->rank + 2) {
        return error_set(reason, "%s: input must have %d dimensions, or %d without a batch, and weight %d",
                         op->name, c->rank + 2, c->rank + 1, c->rank + 2);
    }
    for (int i = 0; i < c->rank; i++) {
        c->kernel[i] = weight->dim[i + 2];
    }
    if (!read_attributes(op, attributes, c, reason) ||
        !read_channels(op, attributes, input, weight, c, reason)) {
        return false;
    }
    c->output = *input;
    c->output.dim[first - 1] = transposed ? c->x_channels : c->y_channels;
    for (int i = 0; i < c->rank; i++) {
        if (!size_dimension(op, c, i, input->dim[first + i], reason)) {
            return false;
        }
        c->output.dim[first + i] = transposed ? c->x[i] : c->y[i];
    }
    return true;
}

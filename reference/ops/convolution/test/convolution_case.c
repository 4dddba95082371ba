/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/test/convolution_case.h"

static int64_t below(struct philox *g, int64_t n)
{
    return (int64_t)philox_below(g, (uint32_t)n);
}

struct convolution_case convolution_case_any(struct philox *g, int rank, bool transposed)
{
    struct convolution_case p = {.rank = rank > 0 ? rank : 1 + (int)below(g, 3),
                                 .batch = below(g, 4),
                                 .groups = 1 + below(g, 3),
                                 .x_channels = 1 + below(g, 3),
                                 .y_channels = 1 + below(g, 3),
                                 .transposed = transposed};
    for (int i = 0; i < DIMENSIONS; i++) {
        const bool there = i < p.rank;
        p.kernel[i] = there ? 1 + below(g, 4) : 1;
        p.stride[i] = there ? 1 + below(g, 4) : 1;
        p.dilation[i] = there ? 1 + below(g, 3) : 1;
        p.begin[i] = there ? below(g, 3) : 0;
        p.end[i] = !there ? 0 : transposed ? p.begin[i] : below(g, 3);
        const int64_t reach = p.dilation[i] * (p.kernel[i] - 1) + 1;
        int64_t greatest = p.stride[i] > p.dilation[i] ? p.stride[i] : p.dilation[i];
        p.more[i] = there && transposed ? below(g, greatest) : 0;
        if (transposed) {
            p.y[i] = there ? 1 + below(g, 4) : 1;
            while ((p.y[i] - 1) * p.stride[i] - p.begin[i] - p.end[i] + reach + p.more[i] < 1) {
                p.y[i]++;
            }
            p.x[i] = (p.y[i] - 1) * p.stride[i] - p.begin[i] - p.end[i] + reach + p.more[i];
        } else {
            int64_t least = reach - p.begin[i] - p.end[i] > 1 ? reach - p.begin[i] - p.end[i] : 1;
            p.x[i] = there ? least + below(g, 4) : 1;
            p.y[i] = (p.x[i] + p.begin[i] + p.end[i] - reach) / p.stride[i] + 1;
        }
    }
    return p;
}

static struct attribute list(const char *name, const int64_t *numbers, int count)
{
    struct attribute attribute = {.name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = count}};
    memcpy(attribute.integers.item, numbers, (size_t)count * sizeof *numbers);
    return attribute;
}

struct attributes convolution_case_attributes(const struct convolution_case *p)
{
    int64_t pairs[2 * DIMENSIONS];
    for (int i = 0; i < p->rank; i++) {
        pairs[2 * i] = p->begin[i];
        pairs[2 * i + 1] = p->end[i];
    }
    struct attributes a = {.count = 4};
    a.item[0] = list("stride", p->stride, p->rank);
    a.item[1] = p->transposed ? list("padding", p->begin, p->rank) : list("padding", pairs, 2 * p->rank);
    a.item[2] = list("dilation", p->dilation, p->rank);
    a.item[3] = (struct attribute){.name = "groups", .type = ATTRIBUTE_INTEGER, .integer = p->groups};
    if (p->transposed) {
        a.item[a.count++] = list("output_padding", p->more, p->rank);
    }
    return a;
}

struct shape convolution_case_shape(const struct convolution_case *p, enum side side)
{
    struct shape shape = {.rank = p->rank + 2};
    shape.dim[0] = side == SIDE_WEIGHT ? p->groups * p->y_channels : p->batch;
    shape.dim[1] =
        side == SIDE_WEIGHT ? p->x_channels : p->groups * (side == SIDE_X ? p->x_channels : p->y_channels);
    for (int i = 0; i < p->rank; i++) {
        shape.dim[i + 2] = side == SIDE_X ? p->x[i] : side == SIDE_Y ? p->y[i] : p->kernel[i];
    }
    return shape;
}

static int64_t flat(const int64_t *at, const int64_t *size)
{
    return (at[0] * size[1] + at[1]) * size[2] + at[2];
}

int64_t convolution_case_volume(const int64_t *size)
{
    return size[0] * size[1] * size[2];
}

int64_t convolution_case_triples(const struct convolution_case *p)
{
    return p->batch * p->groups * p->y_channels * p->x_channels * convolution_case_volume(p->y) *
           convolution_case_volume(p->kernel);
}

void convolution_case_each(const struct convolution_case *p,
                           void (*meet)(void *user, const struct convolution_triple *triple), void *user)
{
    const int64_t positions = convolution_case_volume(p->y), taps = convolution_case_volume(p->kernel),
                  all = convolution_case_triples(p);
    for (int64_t i = 0; i < all; i++) {
        int64_t rest = i, t[DIMENSIONS], y[DIMENSIONS], x[DIMENSIONS];
        struct convolution_triple triple;
        triple.tap = rest % taps;
        triple.position = (rest /= taps) % positions;
        triple.x_channel = (rest /= positions) % p->x_channels;
        triple.y_channel = (rest /= p->x_channels) % p->y_channels;
        int64_t group = (rest /= p->y_channels) % p->groups;
        triple.sample = rest / p->groups;
        bool inside = true;
        for (int d = DIMENSIONS - 1, tr = (int)triple.tap, yr = (int)triple.position; d >= 0; d--) {
            t[d] = tr % p->kernel[d];
            tr /= (int)p->kernel[d];
            y[d] = yr % p->y[d];
            yr /= (int)p->y[d];
            x[d] = y[d] * p->stride[d] - p->begin[d] + t[d] * p->dilation[d];
            inside = inside && x[d] >= 0 && x[d] < p->x[d];
        }
        if (!inside) {
            continue;
        }
        int64_t gx = triple.sample * p->groups * p->x_channels + group * p->x_channels + triple.x_channel;
        int64_t cy = group * p->y_channels + triple.y_channel;
        triple.element[SIDE_X] = gx * convolution_case_volume(p->x) + flat(x, p->x);
        triple.element[SIDE_Y] =
            (triple.sample * p->groups * p->y_channels + cy) * positions + triple.position;
        triple.element[SIDE_WEIGHT] = (cy * p->x_channels + triple.x_channel) * taps + triple.tap;
        meet(user, &triple);
    }
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/windows.h"

enum { DIMENSIONS = CONVOLUTION_SIZES_MOST };

/* A tensor of the convolution as kernels read it: strides of batch (or first channel), channel, and spatial
 * dimensions. */
struct side {
    uint64_t address;
    uint32_t offset, first, channel, space[DIMENSIONS];
};

static struct side side_of(struct vk_plan *plan, const struct view *view, const struct convolution_sizes *s,
                           bool batched)
{
    const struct vk_view_argument v = vk_plan_view(plan, view);
    struct side side = {.address = v.address, .offset = v.offset};
    const int rank = view->shape.rank, pad = VK_RANK_MAX - rank;
    side.first = batched ? v.stride[pad] : 0;
    side.channel = v.stride[pad + batched];
    for (int i = 0; i < s->rank; i++) {
        side.space[i] = v.stride[pad + batched + 1 + i];
    }
    return side;
}

/* Sets the spatial digits of columns and terms, from the last dimension on; others have extent 1. */
static void set_space(uint32_t digits[4], const int64_t *size, int rank)
{
    for (int i = 0; i < DIMENSIONS; i++) {
        digits[1 + i] = i < rank ? (uint32_t)size[i] : 1;
    }
}

static uint32_t product_of(const uint32_t digits[4])
{
    return digits[0] * digits[1] * digits[2] * digits[3];
}

static void copy_strides(uint32_t to[4], uint32_t first, const uint32_t *space, int rank)
{
    to[0] = first;
    for (int i = 0; i < rank; i++) {
        to[1 + i] = space[i];
    }
}

/* y from x: rows are channels of y, columns samples and positions of y, terms channels of x and taps. */
static struct windows to_y(const struct convolution_sizes *s, const struct side *x, const struct side *y,
                           const struct side *w)
{
    struct windows v = {.a = w->address,
                        .a_offset = w->offset,
                        .a_row = w->first,
                        .a_group = w->first * (uint32_t)s->y_channels,
                        .b = x->address,
                        .b_offset = x->offset,
                        .b_first = x->first,
                        .b_term = x->channel,
                        .b_group = x->channel * (uint32_t)s->x_channels,
                        .result = y->address,
                        .c_offset = y->offset,
                        .c_row = y->channel,
                        .c_group = y->channel * (uint32_t)s->y_channels,
                        .rows = (uint32_t)s->y_channels};
    v.column[0] = (uint32_t)s->samples;
    v.term[0] = (uint32_t)s->x_channels;
    set_space(v.column, s->y, s->rank);
    set_space(v.term, s->kernel, s->rank);
    copy_strides(v.a_term, w->channel, w->space, s->rank);
    copy_strides(v.c_column, y->first, y->space, s->rank);
    for (int i = 0; i < s->rank; i++) {
        v.j_step[i] = (uint32_t)s->stride[i];
        v.k_step[i] = (uint32_t)s->dilation[i];
        v.pad[i] = (uint32_t)s->before[i];
        v.size[i] = (uint32_t)s->x[i];
        v.axis[i] = x->space[i];
    }
    return v;
}

/* The positions of x whose remainder by the stride is `number`, in one dimension: first + j·stride for j <
 * count, and the taps that meet them: tap + m·step for m < taps. */
struct positions {
    int64_t count, taps, tap, step;
};

static struct positions positions_of(const struct convolution_sizes *s, int i, int64_t number)
{
    struct positions p = {.count = (s->x[i] - number + s->stride[i] - 1) / s->stride[i], .step = 1};
    for (int64_t t = 0; t < s->kernel[i]; t++) {
        if ((number + s->before[i] - t * s->dilation[i]) % s->stride[i] == 0) {
            p.step = p.taps == 1 ? t - p.tap : p.step;
            p.tap = p.taps == 0 ? t : p.tap;
            p.taps++;
        }
    }
    return p;
}

/* x from y at the positions of one class: rows are channels of x, terms channels of y and taps. */
static struct windows to_x(const struct convolution_sizes *s, const struct side *x, const struct side *y,
                           const struct side *w, const int64_t number[DIMENSIONS])
{
    struct windows v = {.a = w->address,
                        .a_offset = w->offset,
                        .a_row = w->channel,
                        .a_group = w->first * (uint32_t)s->y_channels,
                        .b = y->address,
                        .b_offset = y->offset,
                        .b_first = y->first,
                        .b_term = y->channel,
                        .b_group = y->channel * (uint32_t)s->y_channels,
                        .result = x->address,
                        .c_offset = x->offset,
                        .c_row = x->channel,
                        .c_group = x->channel * (uint32_t)s->x_channels,
                        .rows = (uint32_t)s->x_channels};
    int64_t columns[DIMENSIONS], taps[DIMENSIONS];
    v.column[0] = (uint32_t)s->samples;
    v.term[0] = (uint32_t)s->y_channels;
    v.a_term[0] = w->first;
    v.c_column[0] = x->first;
    for (int i = 0; i < s->rank; i++) {
        const struct positions p = positions_of(s, i, number[i]);
        columns[i] = p.count;
        taps[i] = p.taps;
        v.a_offset += (uint32_t)p.tap * w->space[i];
        v.a_term[1 + i] = (uint32_t)p.step * w->space[i];
        v.c_offset += (uint32_t)number[i] * x->space[i];
        v.c_column[1 + i] = (uint32_t)s->stride[i] * x->space[i];
        /* y = (number + j·stride + before − (tap + m·step)·dilation) / stride, which divides without rest */
        v.j_step[i] = 1;
        v.k_step[i] = p.taps > 1 ? (uint32_t)(-(p.step * s->dilation[i] / s->stride[i])) : 0;
        v.pad[i] = p.taps > 0
                       ? (uint32_t)(-((number[i] + s->before[i] - p.tap * s->dilation[i]) / s->stride[i]))
                       : 0;
        v.size[i] = (uint32_t)s->y[i];
        v.axis[i] = y->space[i];
    }
    set_space(v.column, columns, s->rank);
    set_space(v.term, taps, s->rank);
    return v;
}

/* The gradient of the weights: rows are channels of y, columns channels of x and taps, terms samples and
 * positions of y. */
static struct windows to_weight(const struct convolution_sizes *s, const struct side *x, const struct side *y,
                                const struct side *w)
{
    struct windows v = to_y(s, x, y, w);
    v.a = y->address;
    v.a_offset = y->offset;
    v.a_row = y->channel;
    v.a_group = y->channel * (uint32_t)s->y_channels;
    v.b_first = x->channel;
    v.b_term = x->first;
    v.result = w->address;
    v.c_offset = w->offset;
    v.c_row = w->first;
    v.c_group = w->first * (uint32_t)s->y_channels;
    v.column[0] = (uint32_t)s->x_channels;
    v.term[0] = (uint32_t)s->samples;
    set_space(v.column, s->kernel, s->rank);
    set_space(v.term, s->y, s->rank);
    copy_strides(v.a_term, y->first, y->space, s->rank);
    copy_strides(v.c_column, w->channel, w->space, s->rank);
    for (int i = 0; i < s->rank; i++) {
        v.j_step[i] = (uint32_t)s->dilation[i];
        v.k_step[i] = (uint32_t)s->stride[i];
    }
    return v;
}

/* The sums of the channels of the result's gradient. */
static struct windows to_bias(const struct convolution_sizes *s, const struct side *gradient, bool of_x,
                              const struct vk_view_argument *bias)
{
    const int64_t channels = of_x ? s->x_channels : s->y_channels, *size = of_x ? s->x : s->y;
    struct windows v = {.ones = 1,
                        .b = gradient->address,
                        .b_offset = gradient->offset,
                        .b_first = gradient->channel,
                        .b_term = gradient->first,
                        .result = bias->address,
                        .c_offset = bias->offset,
                        .rows = 1};
    v.column[0] = (uint32_t)(s->groups * channels);
    v.column[1] = v.column[2] = v.column[3] = 1;
    v.term[0] = (uint32_t)s->samples;
    v.c_column[0] = bias->stride[VK_RANK_MAX - 1];
    set_space(v.term, size, s->rank);
    for (int i = 0; i < s->rank; i++) {
        v.k_step[i] = 1;
        v.size[i] = (uint32_t)size[i];
        v.axis[i] = gradient->space[i];
    }
    return v;
}

static void check(struct vk_plan *plan, const struct step *step, struct convolution_sizes *s)
{
    const int variant = vk_plan_variant(plan);
    const bool gradient = variant & WINDOWS_GRADIENT, transposed = variant & CONVOLUTION_SIZES_TRANSPOSED;
    const struct view *input = step->input;
    const bool biased = !gradient && step->inputs > 2 && input[2].storage >= 0;
    for (int i = 0; i < (gradient || biased ? 3 : 2); i++) {
        if (!dtype_is_real(input[i].dtype) || input[i].dtype != input[0].dtype) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: the dtypes of the operands do not fit", step->op->name);
            return;
        }
    }
    if (!convolution_sizes_of(variant & ~WINDOWS_GRADIENT, &step->attributes, &input[gradient].shape,
                              &input[gradient + 1].shape, s)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes and attributes do not fit", step->op->name);
    } else if (gradient && !convolution_sizes_fit(s, &input[0].shape, transposed)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: grad_output must have the shape of the result",
                     step->op->name);
    } else if (biased &&
               (input[2].shape.rank != 1 || input[2].shape.dim[0] != convolution_channels(s, transposed))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: bias must have one element for each channel",
                     step->op->name);
    }
}

/* Everything that the products of a step have in common. */
struct planning {
    struct vk_plan *plan;
    struct convolution_sizes s;
    struct side x, y, weight;
    const struct view *bias; /* NULL: none */
    enum dtype dtype;
};

/* Adds a product. With grouped convolutions it is one for each group. */
static void add(struct planning *p, struct windows v, uint32_t groups, uint32_t fixed)
{
    v.groups = groups;
    if (p->bias && !v.ones) {
        const struct vk_view_argument bias = vk_plan_view(p->plan, p->bias);
        v.biased = 1;
        v.bias = bias.address;
        v.bias_offset = bias.offset;
        v.bias_row = bias.stride[VK_RANK_MAX - 1];
        v.bias_group = v.bias_row * v.rows;
    }
    vk_windows_add(p->plan, p->dtype, v, fixed);
}

static void add_to_x(struct planning *p)
{
    const struct convolution_sizes *s = &p->s;
    int64_t number[DIMENSIONS] = {0}, classes[DIMENSIONS] = {1, 1, 1};
    for (int i = 0; i < s->rank; i++) {
        classes[i] = s->stride[i] < s->x[i] ? s->stride[i] : s->x[i];
    }
    for (number[0] = 0; number[0] < classes[0]; number[0]++) {
        for (number[1] = 0; number[1] < classes[1]; number[1]++) {
            for (number[2] = 0; number[2] < classes[2] && vk_plan_is_good(p->plan); number[2]++) {
                add(p, to_x(s, &p->x, &p->y, &p->weight, number), (uint32_t)s->groups, 0);
            }
        }
    }
}

void vk_windows_plan(struct vk_plan *plan, const struct step *step)
{
    const int variant = vk_plan_variant(plan);
    const bool gradient = variant & WINDOWS_GRADIENT, transposed = variant & CONVOLUTION_SIZES_TRANSPOSED;
    struct planning p = {.plan = plan, .dtype = step->input[0].dtype};
    check(plan, step, &p.s);
    if (!vk_plan_is_good(plan) || step->outputs == 0) {
        return;
    }
    const struct view *from = &step->input[gradient], *to = gradient ? &step->input[0] : &step->output[0];
    const bool batched = p.s.batched;
    const struct side inner = side_of(plan, from, &p.s, batched), outer = side_of(plan, to, &p.s, batched);
    p.weight = side_of(plan, &step->input[gradient + 1], &p.s, true);
    p.bias = !gradient && step->inputs > 2 && step->input[2].storage >= 0 ? &step->input[2] : NULL;
    p.x = transposed ? outer : inner;
    p.y = transposed ? inner : outer;
    if (!gradient) {
        if (transposed) {
            add_to_x(&p);
        } else {
            add(&p, to_y(&p.s, &p.x, &p.y, &p.weight), (uint32_t)p.s.groups, 0);
        }
        return;
    }
    struct planning input = p;
    *(transposed ? &input.y : &input.x) = side_of(plan, &step->output[0], &p.s, batched);
    if (transposed) {
        add(&input, to_y(&p.s, &input.x, &input.y, &p.weight), (uint32_t)p.s.groups, 0);
    } else {
        add_to_x(&input);
    }
    const struct side weight = side_of(plan, &step->output[1], &p.s, true);
    struct windows of_weight = to_weight(&p.s, &p.x, &p.y, &weight);
    add(&p, of_weight, (uint32_t)p.s.groups, product_of(of_weight.column));
    const struct vk_view_argument bias = vk_plan_view(plan, &step->output[2]);
    add(&p, to_bias(&p.s, &outer, transposed, &bias), 1, 1);
}

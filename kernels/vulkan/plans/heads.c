/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/heads.h"

static int64_t from_end(const struct shape *shape, int d)
{
    return d < shape->rank ? shape->dim[shape->rank - 1 - d] : 1;
}

/* The sizes of the up to three dimensions of the heads: those of the greater group, of the smaller one within
 * it, and its members. */
static void split(const struct attention_sizes *s, int64_t part[3])
{
    const int64_t heads = from_end(&s->all, 0);
    const int64_t g1 = s->key_group > s->value_group ? s->key_group : s->value_group,
                  g2 = s->key_group > s->value_group ? s->value_group : s->key_group;
    part[0] = g1 > 0 ? heads / g1 : heads;
    part[1] = g2 > 0 ? g1 / g2 : 1;
    part[2] = g2;
}

void vk_heads(struct vk_plan *plan, const struct attention_sizes *s, struct heads *h)
{
    int64_t part[3];
    const int64_t g1 = s->key_group > s->value_group ? s->key_group : s->value_group,
                  g2 = s->key_group > s->value_group ? s->value_group : s->key_group;
    split(s, part);
    *h = (struct heads){.key_group = s->key_group, .value_group = s->value_group};
    int64_t dim[RANK_MAX + 2];
    int count = 0;
    for (int d = 0; d + 1 < s->all.rank; d++) {
        dim[count++] = s->all.dim[d];
    }
    for (int p = 0; p < 3; p++) {
        dim[count++] = part[p];
    }
    int at = HEADS_LEADING;
    for (int d = count - 1; d >= 0; d--) {
        if (dim[d] != 1 && at > 0) {
            h->leading[--at] = (uint32_t)dim[d];
        } else if (dim[d] != 1) {
            vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                         "attention: more than four dimensions of batches and heads");
        }
    }
    while (at > 0) {
        h->leading[--at] = 1;
    }
    if (g2 > 0 && g1 % g2 != 0) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "attention: groups of keys and values that cut each other");
    }
}

/* Sets extents and elements of a view whose strides are known. */
static void finish(const struct heads *h, int64_t rows, int64_t columns, struct vk_view_argument *v)
{
    uint64_t elements = 1;
    for (int d = 0; d < HEADS_LEADING; d++) {
        v->dim[d] = h->leading[d];
    }
    v->dim[HEADS_LEADING] = (uint32_t)rows;
    v->dim[HEADS_LEADING + 1] = (uint32_t)columns;
    v->outermost = VK_RANK_MAX - 1;
    for (int d = VK_RANK_MAX - 1; d >= 0; d--) {
        elements *= v->dim[d];
        v->outermost = v->dim[d] != 1 ? (uint32_t)d : v->outermost;
    }
    v->elements = (uint32_t)elements;
    v->step = v->stride[v->outermost];
}

struct vk_view_argument vk_heads_view(struct vk_plan *plan, const struct heads *h,
                                      const struct attention_sizes *s, const struct view *view, int64_t group)
{
    if (view->shape.rank > VK_RANK_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "attention: an operand of more than six dimensions");
        return (struct vk_view_argument){.elements = 0};
    }
    const struct vk_view_argument own = vk_plan_view(plan, view);
    struct vk_view_argument v = {.address = own.address, .offset = own.offset};
    int64_t part[3], inner = 1; /* inner: query heads in one step of the dimension */
    uint32_t stride[RANK_MAX + 2];
    int count = 0;
    split(s, part);
    for (int d = s->all.rank - 1; d >= 1; d--) { /* dimension d from the end of the leading ones */
        const bool there = d + 2 < view->shape.rank && from_end(&view->shape, d + 2) != 1;
        stride[count++] = there ? own.stride[VK_RANK_MAX - 3 - d] : 0;
    }
    const bool heads = view->shape.rank > 2 && (from_end(&view->shape, 2) != 1 || group > 1);
    const uint32_t step = heads ? own.stride[VK_RANK_MAX - 3] : 0;
    uint32_t of_part[3];
    for (int p = 2; p >= 0; p--) {
        of_part[p] = inner >= group ? step * (uint32_t)(inner / (group > 0 ? group : 1)) : 0;
        inner *= part[p];
    }
    for (int p = 0; p < 3; p++) {
        stride[count++] = of_part[p];
    }
    /* the dimensions of extent 1 are left out, as in vk_heads */
    int at = HEADS_LEADING, d = count - 1;
    for (int p = 2; p >= 0; p--, d--) {
        if (part[p] != 1 && at > 0) {
            v.stride[--at] = stride[d];
        }
    }
    for (int k = 1; k < s->all.rank; k++, d--) {
        if (from_end(&s->all, k) != 1 && at > 0) {
            v.stride[--at] = stride[d];
        }
    }
    v.stride[HEADS_LEADING] = from_end(&view->shape, 1) == 1 ? 0 : own.stride[HEADS_LEADING];
    v.stride[HEADS_LEADING + 1] = from_end(&view->shape, 0) == 1 ? 0 : own.stride[HEADS_LEADING + 1];
    finish(h, from_end(&view->shape, 1), from_end(&view->shape, 0), &v);
    return v;
}

struct vk_view_argument vk_heads_scratch(const struct heads *h, uint64_t address, int64_t rows,
                                         int64_t columns)
{
    struct vk_view_argument v = {.address = address};
    uint32_t stride = (uint32_t)(rows * columns);
    for (int d = HEADS_LEADING - 1; d >= 0; d--) {
        v.stride[d] = stride;
        stride *= h->leading[d];
    }
    v.stride[HEADS_LEADING] = (uint32_t)columns;
    v.stride[HEADS_LEADING + 1] = 1;
    finish(h, rows, columns, &v);
    return v;
}

struct vk_view_argument vk_heads_transposed(const struct vk_view_argument *view)
{
    struct vk_view_argument v = *view;
    v.dim[HEADS_LEADING] = view->dim[HEADS_LEADING + 1];
    v.dim[HEADS_LEADING + 1] = view->dim[HEADS_LEADING];
    v.stride[HEADS_LEADING] = view->stride[HEADS_LEADING + 1];
    v.stride[HEADS_LEADING + 1] = view->stride[HEADS_LEADING];
    return v;
}

bool vk_heads_share(const struct heads *h, const struct vk_view_argument *view)
{
    for (int d = 0; d < HEADS_LEADING; d++) {
        if (h->leading[d] > 1 && view->stride[d] == 0) {
            return true;
        }
    }
    return false;
}

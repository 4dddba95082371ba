/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/tensor.h"
#include "reference/numeric/simd/multiversion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view view_broadcast(const struct view *view, const struct shape *to)
{
    struct view wide = {.storage = view->storage, .dtype = view->dtype, .shape = *to, .offset = view->offset};
    int skip = to->rank - view->shape.rank;
    for (int d = skip; d < to->rank; d++) {
        wide.stride[d] = view->shape.dim[d - skip] == 1 ? 0 : view->stride[d - skip];
    }
    return wide;
}

struct view view_contiguous(int storage, enum dtype dtype, const struct shape *shape)
{
    struct view view = {.storage = storage, .dtype = dtype, .shape = *shape};
    int64_t stride = 1;
    for (int d = shape->rank - 1; d >= 0; d--) {
        view.stride[d] = stride;
        stride = count_product(stride, shape->dim[d] > 0 ? shape->dim[d] : 1);
    }
    return view;
}

int64_t view_element(const struct view *view, int64_t i)
{
    int64_t element = view->offset, rest, run = 1;
    int d = view->shape.rank - 1;
    /* Divisions take most of the time; the trailing dimensions that lie contiguous need none. */
    for (; d >= 0 && view->stride[d] == run; d--) {
        run *= view->shape.dim[d];
    }
    if (d < 0) {
        return view->shape.rank > 0 ? element + i : element;
    }
    if (run > 1) {
        i = shape_divide(i, run, &rest);
        element += rest;
    }
    for (; d > 0; d--) {
        i = shape_divide(i, view->shape.dim[d], &rest);
        element += rest * view->stride[d];
    }
    return element + i * view->stride[0];
}

/* Returns whether one stride walks through dimensions `before` and d together. */
static bool joins(const struct view *view, int before, int d)
{
    int64_t first = view->shape.dim[before], second = view->shape.dim[d];
    return first <= 1 || second <= 1 || view->stride[before] == second * view->stride[d];
}

void views_collapse(int count, struct view *const view[], unsigned apart, int place[RANK_MAX])
{
    int rank = 0;
    for (int d = 0; count > 0 && d < view[0]->shape.rank; d++) {
        bool joined = rank > 0 && !(apart >> d & 1);
        for (int v = 0; v < count && joined; v++) {
            joined = joins(view[v], rank - 1, d);
        }
        for (int v = 0; v < count; v++) {
            int64_t *dim = view[v]->shape.dim, *stride = view[v]->stride;
            if (!joined) {
                dim[rank] = dim[d];
                stride[rank] = stride[d];
            } else if (dim[d] != 1) {
                dim[rank - 1] = count_product(dim[rank - 1], dim[d]);
                stride[rank - 1] = stride[d];
            }
        }
        rank += !joined;
        if (place) {
            place[d] = rank - 1;
        }
    }
    for (int v = 0; v < count; v++) {
        view[v]->shape.rank = rank;
    }
}

/* Least and greatest element index of a non-empty view. */
static void view_extent(const struct view *view, int64_t *least, int64_t *greatest)
{
    *least = *greatest = view->offset;
    for (int d = 0; d < view->shape.rank; d++) {
        int64_t reach = (view->shape.dim[d] - 1) * view->stride[d];
        if (reach < 0) {
            *least += reach;
        } else {
            *greatest += reach;
        }
    }
}

bool view_in_bounds(const struct view *view, size_t bytes)
{
    if (shape_elements(&view->shape) == 0) {
        return true;
    }
    int64_t least, greatest;
    view_extent(view, &least, &greatest);
    int64_t size = (int64_t)dtype_info(view->dtype)->size;
    return least >= 0 && (greatest + 1) * size <= (int64_t)bytes;
}

bool view_is_contiguous(const struct view *view)
{
    int64_t stride = 1;
    for (int d = view->shape.rank - 1; d >= 0; d--) {
        if (view->shape.dim[d] != 1 && view->stride[d] != stride) {
            return shape_elements(&view->shape) == 0;
        }
        stride = count_product(stride, view->shape.dim[d]);
    }
    return true;
}

static int compare_int64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns every element index of the view, sorted; NULL when empty or out of memory. */
static int64_t *sorted_elements(const struct view *view, int64_t *count)
{
    *count = shape_elements(&view->shape);
    int64_t *elements = *count ? malloc((size_t)count_product(*count, sizeof *elements)) : NULL;
    for (int64_t i = 0; elements && i < *count; i++) {
        elements[i] = view_element(view, i);
    }
    if (elements) {
        qsort(elements, (size_t)*count, sizeof *elements, compare_int64);
    }
    return elements;
}

bool view_overlaps_itself(const struct view *view)
{
    int64_t count;
    int64_t *elements = sorted_elements(view, &count);
    bool overlaps = false;
    for (int64_t i = 1; elements && i < count && !overlaps; i++) {
        overlaps = elements[i] == elements[i - 1];
    }
    free(elements);
    return overlaps;
}

enum view_sharing view_sharing(const struct view *a, const struct view *b)
{
    if (a->storage != b->storage || a->storage < 0) {
        return VIEWS_DISJOINT;
    }
    int64_t na = shape_elements(&a->shape), nb = shape_elements(&b->shape);
    if (na == 0 || nb == 0) {
        return VIEWS_DISJOINT;
    }
    if (a->dtype == b->dtype && shape_equal(&a->shape, &b->shape) && a->offset == b->offset) {
        bool identical = true;
        for (int d = 0; d < a->shape.rank && identical; d++) {
            identical = a->shape.dim[d] == 1 || a->stride[d] == b->stride[d];
        }
        if (identical) {
            return VIEWS_IDENTICAL;
        }
    }
    /* Merge the two sorted lists of byte ranges. */
    int64_t sa = (int64_t)dtype_info(a->dtype)->size, sb = (int64_t)dtype_info(b->dtype)->size;
    int64_t *ea = sorted_elements(a, &na), *eb = sorted_elements(b, &nb);
    enum view_sharing sharing = VIEWS_DISJOINT;
    for (int64_t i = 0, j = 0; ea && eb && i < na && j < nb && sharing == VIEWS_DISJOINT;) {
        if (ea[i] * sa + sa <= eb[j] * sb) {
            i++;
        } else if (eb[j] * sb + sb <= ea[i] * sa) {
            j++;
        } else {
            sharing = VIEWS_OVERLAP;
        }
    }
    free(ea);
    free(eb);
    return sharing;
}

bool tensor_create(struct tensor *tensor, enum dtype dtype, const struct shape *shape)
{
    *tensor = (struct tensor){.dtype = dtype, .shape = *shape};
    size_t bytes = tensor_bytes(tensor);
    tensor->data = bytes ? calloc(1, bytes) : NULL;
    return tensor->data || bytes == 0;
}

void tensor_destroy(struct tensor *tensor)
{
    if (!tensor->zero_copy) {
        free(tensor->data);
    }
    *tensor = (struct tensor){.data = NULL};
}

bool tensor_gather(struct tensor *tensor, const struct view *view, const unsigned char *storage)
{
    if (!tensor_create(tensor, view->dtype, &view->shape)) {
        return false;
    }
    size_t size = dtype_info(view->dtype)->size;
    int64_t count = shape_elements(&view->shape);
    if (count && view_is_contiguous(view)) {
        memcpy(tensor->data, storage + (size_t)view->offset * size, (size_t)count * size);
        return true;
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(tensor->data + (size_t)i * size, storage + (size_t)view_element(view, i) * size, size);
    }
    return true;
}

bool tensor_borrow(struct tensor *tensor, const struct view *view, unsigned char *storage)
{
    if (shape_elements(&view->shape) == 0 || !view_is_contiguous(view)) {
        return tensor_gather(tensor, view, storage);
    }
    *tensor = (struct tensor){.dtype = view->dtype,
                              .shape = view->shape,
                              .data = storage + (size_t)view->offset * dtype_info(view->dtype)->size,
                              .zero_copy = true};
    return true;
}

void tensor_scatter(const struct tensor *tensor, const struct view *view, unsigned char *storage)
{
    size_t size = dtype_info(view->dtype)->size;
    int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        memcpy(storage + (size_t)view_element(view, i) * size, tensor->data + (size_t)i * size, size);
    }
}

double tensor_component(const struct tensor *tensor, int64_t k)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    size_t size = dtype_info(info->component)->size;
    return dtype_load(info->component, tensor->data + (size_t)k * size);
}

MULTIVERSION void tensor_floats(const unsigned char *from, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++) {
        float x;
        memcpy(&x, from + (size_t)i * sizeof x, sizeof x);
        to[i] = (double)x;
    }
}

void tensor_components(const struct tensor *tensor, int64_t first, int64_t count, double *to)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    if (count > 0 && info->component == DTYPE_FLOAT32) { /* a tensor without elements may have no data */
        tensor_floats(tensor->data + (size_t)first * sizeof(float), count, to);
    }
    for (int64_t i = 0; i < count && info->component != DTYPE_FLOAT32; i++) {
        to[i] = tensor_component(tensor, first + i);
    }
}

bool tensor_copy(struct tensor *to, const struct tensor *from)
{
    *to = (struct tensor){.dtype = from->dtype, .shape = from->shape};
    if (tensor_absent(from)) {
        return true;
    }
    if (!tensor_create(to, from->dtype, &from->shape)) {
        return false;
    }
    if (from->data) {
        memcpy(to->data, from->data, tensor_bytes(from));
    }
    return true;
}

/* --- scans of all components by their exponent fields */

#define SCAN(type)                                                                                           \
    MULTIVERSION static void scan_##type(const unsigned char *data, int64_t count, type exponent,            \
                                         bool *special, bool *subnormal)                                     \
    {                                                                                                        \
        const type sign = (type)((type)1 << (8 * sizeof(type) - 1));                                         \
        type top = 0, bottom = 0;                                                                            \
        for (int64_t k = 0; k < count; k++) {                                                                \
            type bits;                                                                                       \
            memcpy(&bits, data + (size_t)k * sizeof bits, sizeof bits);                                      \
            type field = bits & exponent;                                                                    \
            top |= field == exponent;                                                                        \
            bottom |= (field == 0) & ((bits & (type)~sign) != 0);                                            \
        }                                                                                                    \
        *special = top;                                                                                      \
        *subnormal = bottom;                                                                                 \
    }
SCAN(uint16_t)
SCAN(uint32_t)
SCAN(uint64_t)

static void scan(const struct tensor *tensor, bool *special, bool *subnormal)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    int64_t count = shape_elements(&tensor->shape) * info->components;
    *special = *subnormal = false;
    if (!tensor->data || !dtype_is_floating(tensor->dtype)) {
        return;
    }
    switch (info->component) {
    case DTYPE_FLOAT16:
        scan_uint16_t(tensor->data, count, 0x7C00, special, subnormal);
        return;
    case DTYPE_BFLOAT16:
        scan_uint16_t(tensor->data, count, 0x7F80, special, subnormal);
        return;
    case DTYPE_FLOAT32:
        scan_uint32_t(tensor->data, count, 0x7F800000, special, subnormal);
        return;
    default:
        scan_uint64_t(tensor->data, count, 0x7FF0000000000000, special, subnormal);
    }
}

bool tensor_holds_special(const struct tensor *tensor)
{
    bool special, subnormal;
    scan(tensor, &special, &subnormal);
    return special;
}

bool tensor_holds_subnormal(const struct tensor *tensor)
{
    bool special, subnormal;
    scan(tensor, &special, &subnormal);
    return subnormal;
}

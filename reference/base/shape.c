/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/tensor.h"

#include <stdarg.h>
#include <stdio.h>

struct shape shape_of(int rank, ...)
{
    struct shape shape = {.rank = rank};
    va_list dims;
    va_start(dims, rank);
    for (int d = 0; d < rank; d++) {
        shape.dim[d] = va_arg(dims, int64_t);
    }
    va_end(dims);
    return shape;
}

int64_t shape_elements(const struct shape *shape)
{
    int64_t n = 1;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dim[d] == 0) {
            return 0;
        }
        n = count_product(n, shape->dim[d]);
    }
    return n;
}

int64_t shape_bytes(const struct shape *shape, enum dtype dtype)
{
    return count_product(shape_elements(shape), (int64_t)dtype_info(dtype)->size);
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    if (a->rank != b->rank) {
        return false;
    }
    for (int d = 0; d < a->rank; d++) {
        if (a->dim[d] != b->dim[d]) {
            return false;
        }
    }
    return true;
}

void numbers_print(const int64_t *number, int count, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (int k = 0; k < count && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, k ? ", %lld" : "%lld", (long long)number[k]);
    }
    if (used < size) {
        snprintf(text + used, size - used, "]");
    }
}

void shape_print(const struct shape *shape, char *text, size_t size)
{
    numbers_print(shape->dim, shape->rank, text, size);
}

bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *both)
{
    const struct shape *less = a->rank > b->rank ? b : a;
    struct shape wide = a->rank > b->rank ? *a : *b;
    for (int d = 1; d <= less->rank; d++) {
        int64_t *to = &wide.dim[wide.rank - d], from = less->dim[less->rank - d];
        if (*to != from && *to != 1 && from != 1) {
            return false;
        }
        *to = *to == 1 ? from : *to;
    }
    *both = wide;
    return true;
}

bool shape_broadcasts(const struct shape *from, const struct shape *to)
{
    int skip = to->rank - from->rank;
    for (int d = 0; skip >= 0 && d < from->rank; d++) {
        if (from->dim[d] != 1 && from->dim[d] != to->dim[d + skip]) {
            return false;
        }
    }
    return skip >= 0;
}

int64_t shape_broadcast_element(const struct shape *from, const struct shape *to, int64_t i)
{
    int skip = to->rank - from->rank;
    int64_t element = 0, stride = 1, rest;
    if (shape_equal(from, to)) { /* saves the divisions */
        return i;
    }
    for (int d = to->rank - 1; d >= skip; d--) {
        i = shape_divide(i, to->dim[d], &rest);
        element += from->dim[d - skip] != 1 ? rest * stride : 0;
        stride *= from->dim[d - skip];
    }
    return element;
}

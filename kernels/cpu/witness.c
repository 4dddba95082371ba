/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/half.h"

#include <stdlib.h>
#include <string.h>

extern const struct cpu_op_set *const cpu_op_sets[]; /* generated: one per file in ops/, NULL at the end */

const struct cpu_op *cpu_op_find(const char *name)
{
    for (int s = 0; cpu_op_sets[s]; s++) {
        for (int i = 0; i < cpu_op_sets[s]->count; i++) {
            if (strcmp(cpu_op_sets[s]->op[i].name, name) == 0) {
                return &cpu_op_sets[s]->op[i];
            }
        }
    }
    return NULL;
}

void *cpu_allocate(int64_t count, size_t size, struct error *reason)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) {
        error_set(reason, "the CPU backend has no memory for %lld elements of %zu bytes to work in",
                  (long long)count, size);
    }
    return memory;
}

struct cpu_view cpu_restricted(const struct cpu_view *x, unsigned mask)
{
    struct cpu_view part = {.data = x->data, .dtype = x->dtype};
    for (int d = 0; d < x->shape.rank; d++) {
        if (mask >> d & 1) {
            part.stride[part.shape.rank] = x->stride[d];
            part.shape.dim[part.shape.rank++] = x->shape.dim[d];
        }
    }
    return part;
}

unsigned char *cpu_at(const struct cpu_view *view, int64_t i)
{
    int64_t element = 0;
    for (int d = view->shape.rank - 1; d >= 0; d--) {
        element += i % view->shape.dim[d] * view->stride[d];
        i /= view->shape.dim[d];
    }
    return view->data + element * (int64_t)dtype_info(view->dtype)->size;
}

bool cpu_is_real(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT16 || dtype == DTYPE_BFLOAT16 || dtype == DTYPE_FLOAT32 ||
           dtype == DTYPE_FLOAT64;
}

double cpu_load(const struct cpu_view *view, int64_t i)
{
    const unsigned char *from = cpu_at(view, i);
    double twice;
    float single;
    uint16_t half;
    switch (dtype_info(view->dtype)->size) {
    case sizeof twice:
        memcpy(&twice, from, sizeof twice);
        return twice;
    case sizeof single:
        memcpy(&single, from, sizeof single);
        return (double)single;
    default:
        memcpy(&half, from, sizeof half);
        return (double)(view->dtype == DTYPE_FLOAT16 ? float16_to_float(half) : bfloat16_to_float(half));
    }
}

int64_t cpu_load_integer(const struct cpu_view *view, int64_t i)
{
    int32_t narrow;
    int64_t wide;
    if (view->dtype == DTYPE_INT32) {
        memcpy(&narrow, cpu_at(view, i), sizeof narrow);
        return narrow;
    }
    memcpy(&wide, cpu_at(view, i), sizeof wide);
    return wide;
}

void cpu_store(const struct cpu_view *view, int64_t i, double x)
{
    float single = (float)x;
    uint16_t half = view->dtype == DTYPE_FLOAT16 ? float16_from_float(single) : bfloat16_from_float(single);
    const void *from = view->dtype == DTYPE_FLOAT64   ? (const void *)&x
                       : view->dtype == DTYPE_FLOAT32 ? (const void *)&single
                                                      : &half;
    memcpy(cpu_at(view, i), from, dtype_info(view->dtype)->size);
}

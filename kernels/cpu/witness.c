/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/witness.h"

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

unsigned char *cpu_at(const struct cpu_view *view, int64_t i)
{
    int64_t element = 0;
    for (int d = view->shape.rank - 1; d >= 0; d--) {
        element += i % view->shape.dim[d] * view->stride[d];
        i /= view->shape.dim[d];
    }
    return view->data + element * (int64_t)dtype_info(view->dtype)->size;
}

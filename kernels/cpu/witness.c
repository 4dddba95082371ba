/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/witness.h"

#include <string.h>

extern const struct cpu_op_set
    *const cpu_op_sets[]; /* generated: one per file kernels/cpu/ops/STEM.c, NULL at the end */

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

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_SPARSE_H
#define ASSAY_KERNELS_CPU_SPARSE_H

/* Sparse operands of the CPU backend: reads COO and CSR indices, and checks the other operands. */

#include "kernels/cpu/cpu_backend.h"

struct cpu_places {
    int64_t rows, columns, entries;
    int64_t *row, *column; /* of each entry; owned */
};

/* Reads the rows and columns of the entries from COO indices (one tensor at `input`) or CSR indices (two).
 * Returns CPU_REJECTED with the reason if they do not describe a matrix whose size is the attribute `size`,
 * or CPU_OUT_OF_MEMORY. The caller clears *places in every case. */
enum cpu_status cpu_places_read(struct cpu_places *places, const struct attributes *attributes,
                                const struct cpu_view *input, bool csr, struct error *reason);
void cpu_places_clear(struct cpu_places *places);

/* Returns CPU_OK if the view has that shape and dtype, else CPU_REJECTED with the reason. */
enum cpu_status cpu_expect(const struct cpu_view *view, const struct shape *shape, enum dtype dtype,
                           struct error *reason);

/* Stores `index` in element i of an int32 or int64 view. */
void cpu_store_index(const struct cpu_view *view, int64_t i, int64_t index);

#endif

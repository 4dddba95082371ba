/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_SPARSE_H
#define ASSAY_KERNELS_CPU_SPARSE_H

/* Sparse operands as the CPU backend reads them: places of the entries, and values of every format. */

#include "kernels/cpu/cpu_backend.h"

struct cpu_places {
    int64_t rows, columns, entries;
    int64_t *row, *column; /* owned, by entry */
};

/* Entries of COO indices (one tensor at `input`) or CSR indices (two). CPU_REJECTED with the reason where
 * they are no matrix of the attribute `size`. The caller clears it in every case. */
enum cpu_status cpu_places_read(struct cpu_places *places, const struct attributes *attributes,
                                const struct cpu_view *input, bool csr, struct error *reason);
void cpu_places_clear(struct cpu_places *places);

/* CPU_REJECTED unless the view has that shape and dtype. */
enum cpu_status cpu_expect(const struct cpu_view *view, const struct shape *shape, enum dtype dtype,
                           struct error *reason);

void cpu_store_index(const struct cpu_view *view, int64_t i, int64_t index);

#endif

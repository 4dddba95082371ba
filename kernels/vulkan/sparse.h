/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_SPARSE_H
#define ASSAY_KERNELS_VULKAN_SPARSE_H

/* What the sparse operators' plans share: what they must refuse, and the entries of a COO matrix in order. */

#include "kernels/vulkan/kernel.h"

struct vk_sparse {
    int64_t rows, columns, entries;
    int64_t longest; /* entries in one row at most (in one column, transposed); `entries` where unknown */
    bool wide;       /* int64 indices */
};

/* Reads `size` and the indices at `input` (crow_indices and col_indices where csr). Fails the plan with
 * REJECTED where they are no matrix of that size. Their values are looked at where the program defines them;
 * the kernels pass over what an earlier step put out of range. */
struct vk_sparse vk_sparse_plan(struct vk_plan *plan, const struct step *step, int input, bool csr,
                                bool transposed);

/* Entries in one place at most, where the host sees the indices, else sparse->longest. */
int64_t vk_sparse_most_duplicates(struct vk_plan *plan, const struct step *step, const struct view *indices,
                                  const struct vk_sparse *sparse);

/* Rejects unless the view has that shape and the dtype of the step's input `leading`. */
void vk_sparse_expect(struct vk_plan *plan, const struct step *step, int input, const struct shape *shape,
                      int leading);

/* Nothing to write: the operands were accepted where there is no output to hold their result. */
bool vk_sparse_is_ready(struct vk_plan *plan, const struct step *step);

/* A vector as a matrix of one column; a matrix as it is. */
struct view vk_sparse_matrix(const struct view *view);

struct vk_sparse_order {  /* device addresses of 32-bit words, one per entry */
    uint64_t row, column; /* by entry; all ones where out of range */
    uint64_t order;       /* numbers of the entries in order */
    uint64_t scan;        /* room for one word per entry, and the total of a scan behind them */
};

/* Dispatches that put the entries of `indices` in order of row, then (by_column) column, then position.
 * transposed: rows and columns change places. */
struct vk_sparse_order vk_sparse_sort(struct vk_plan *plan, const struct vk_sparse *sparse,
                                      const struct view *indices, bool transposed, bool by_column);

/* One dispatch: `counts` words at `table` become the sums of those before them, `total` that of all. */
void vk_sparse_scan(struct vk_plan *plan, uint64_t table, uint64_t counts, uint64_t total);

/* Whether all int64 or int32 elements of an input that the program defines are in [0, limit) or `but`;
 * REJECTED where they are not. */
bool vk_indices_fit(struct vk_plan *plan, const struct step *step, const struct view *indices, int64_t limit,
                    int64_t but);

#endif

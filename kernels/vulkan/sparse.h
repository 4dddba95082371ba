/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_SPARSE_H
#define ASSAY_KERNELS_VULKAN_SPARSE_H

/* Shared by the plans of the sparse operators: checks of the operands, and sorting of the entries of a COO
 * matrix. Indices that an earlier step of the program computes are unknown to the host; the kernels skip the
 * entries whose indices are then out of range. */

#include "kernels/vulkan/kernel.h"

struct vk_sparse {
    int64_t rows, columns, entries;
    int64_t longest; /* greatest number of entries in a row (transposed: a column); `entries` if unknown */
    bool wide;       /* int64 indices */
};

/* Reads the attribute `size` and the indices: COO indices at input `input`, or, if `csr`, crow_indices there
 * and col_indices behind. Fails the plan as REJECTED if they do not describe a matrix of that size; the
 * values of the indices are checked unless an earlier step computes them. */
struct vk_sparse vk_sparse_plan(struct vk_plan *plan, const struct step *step, int input, bool csr,
                                bool transposed);

/* Returns the greatest number of entries with the same row and column; sparse->longest if the host does not
 * know the indices. */
int64_t vk_sparse_most_duplicates(struct vk_plan *plan, const struct step *step, const struct view *indices,
                                  const struct vk_sparse *sparse);

/* Fails the plan as REJECTED unless input `input` has that shape and the dtype of input `leading`. */
void vk_sparse_expect(struct vk_plan *plan, const struct step *step, int input, const struct shape *shape,
                      int leading);

/* True if the plan is good and there is an output to write. A step whose operands must be refused has no
 * output, even if they are accepted. */
bool vk_sparse_is_ready(struct vk_plan *plan, const struct step *step);

/* Returns a vector as a matrix of one column, and a matrix unchanged. */
struct view vk_sparse_matrix(const struct view *view);

struct vk_sparse_order {  /* device addresses of arrays of 32-bit words, one word per entry */
    uint64_t row, column; /* of each entry; all ones if an index is out of range */
    uint64_t order;       /* the entries' numbers in sorted order */
    uint64_t scan; /* unused words for the caller, one per entry, and two more for the total of a scan */
};

/* Adds dispatches that sort the entries of `indices` by row, then, if by_column, by column, then by position.
 * If `transposed`, rows and columns are exchanged first. */
struct vk_sparse_order vk_sparse_sort(struct vk_plan *plan, const struct vk_sparse *sparse,
                                      const struct view *indices, bool transposed, bool by_column);

/* Adds a dispatch that replaces each of `counts` 32-bit words at address `table` by the sum of the words
 * before it (exclusive scan), and writes the sum of all to address `total`. */
void vk_sparse_scan(struct vk_plan *plan, uint64_t table, uint64_t counts, uint64_t total);

/* Returns true if the plan is good and every int64 or int32 element of the input `indices` is in [0, limit)
 * or equal to `but`; else fails the plan as REJECTED. Elements computed by an earlier step are unchecked. */
bool vk_indices_fit(struct vk_plan *plan, const struct step *step, const struct view *indices, int64_t limit,
                    int64_t but);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_SUM_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_SUM_H

/* The class of operators whose results are sums of products of two operands, with or without a bias: matmul,
 * linear, convolutions and their gradients. An operator of the class declares an *index map*: which pairs of
 * operand elements are multiplied for each element of a result. The class supplies truth, enclosure,
 * certification, error bound, envelope, and the rules for zeros and special values.
 *
 * The elements of a result are divided into *blocks*. A block is a matrix: element (row, column) is
 *
 *     Σ_k left[l(row, k)] · right[r(column, k)]  (+ bias)      0 ≤ k < terms
 *
 * where l and r are indices into the contiguous operands. An index of −1 is an *absent* term, as in the
 * padding of a convolution: an implementation may leave it out or multiply by an exact zero. */

#include "reference/operator/op.h"

struct product_sum_block {
    int64_t number; /* 0 ≤ number < product_sum.blocks */
    int64_t rows, columns, terms;
    /* Terms of an implementation that adds exact zeros between those of the block, as a convolution with
     * stride may: they round nothing, but lie in the tree of a declared order of summation. ≥ terms */
    int64_t padded;
    int64_t alike;      /* normwise bounds (fast products) hold for groups of so many rows; 0: all rows */
    int64_t bias_first; /* the bias of row or column i is element bias_first + i of the operand */
};

/* The sums of one judged tensor of a call. */
struct product_sum {
    const struct product_sum_map *map;
    int left, right;   /* the operands that are multiplied; left < 0: a plain sum of elements of `right` */
    int bias;          /* < 0: none */
    bool bias_of_rows; /* the bias belongs to rows, not to columns */
    int64_t blocks;
    void *geometry; /* of the operator; released with free() */
};

struct product_sum_map {
    bool fast; /* a profile may declare Strassen's or Winograd's product of the whole matrices */
    /* Fills all members but `map`. Every element of the judged tensor is in exactly one block. Returns false
     * when out of memory. */
    bool (*open)(const struct op_call *call, int output, struct product_sum *sum);
    void (*block)(const struct product_sum *sum, int64_t number, struct product_sum_block *block);
    /* Fill the indices of the `terms` left operand elements of a row, and of the right ones of a column. */
    void (*left)(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                 int64_t *index);
    void (*right)(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                  int64_t *index);
    /* The index in the judged tensor of an element of a block, and the reverse. */
    int64_t (*element)(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                       int64_t column);
    void (*place)(const struct product_sum *sum, int64_t element, struct product_sum_block *block,
                  int64_t *row, int64_t *column);
};

/* The callbacks of struct op for operators of the class (reference/operator/op.h). Operands are cast to the
 * dtype of the judged tensor first. */
bool product_sum_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool product_sum_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool product_sum_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int product_sum_sensitivities(const struct op_call *call, int output);

/* Members of struct op that all operators of the class share. */
#define PRODUCT_SUM(map_)                                                                                    \
    .product_sum = (map_), .costly = true, .plain = true, .truth = product_sum_truth,                        \
    .enclose = product_sum_enclose, .certify = product_sum_certify,                                          \
    .sensitivities = product_sum_sensitivities, .bound = product_sum_bound,                                  \
    .primitive_error = product_sum_primitive_error, .may_overflow = product_sum_may_overflow,                \
    .accept = product_sum_accept, .bounded = true

#endif

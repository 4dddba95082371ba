/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_H

/* The geometry of scaled_dot_product_attention and its gradient: which rows of query, key, value and mask
 * belong together. docs/explanation/families/attention.md has the definitions.
 *
 * A *batch* is one head of one sample: a matrix of queries, one of keys and one of values. The leading
 * dimensions of the operands broadcast; with enable_gqa the last leading dimension, the heads, does not
 * broadcast: consecutive query heads share a head of the keys and of the values. */

#include "reference/operator/op.h"

struct attention {
    int64_t queries, keys, width, value_width; /* L, M, D, Dv */
    int64_t batches;                           /* product of the dimensions of `all` */
    struct shape all;                          /* leading dimensions of the result */
    struct shape query, key, value;            /* leading dimensions of the operands */
    int64_t key_group, value_group;  /* query heads for each head of the keys and of the values; 1 */
    bool masked, boolean, causal;    /* a mask is given; it holds conditions; is_causal */
    struct shape mask;               /* leading dimensions of the mask */
    int64_t mask_rows, mask_columns; /* its last two dimensions: L or 1, M or 1 */
    bool scaled;                     /* the call gives the scale; else it is 1/√D */
    double scale;                    /* the scale rounded to double; 1 where D is 0 */
};

/* Positions of the operands of a call: those of the gradient begin with grad_output. */
struct attention_operands {
    int query, key, value, mask;
};
static const struct attention_operands attention_forward_operands = {0, 1, 2, 3};
static const struct attention_operands attention_backward_operands = {1, 2, 3, 4};

/* Fills `a` from the shapes of the operands, where `mask` is NULL if there is none. Returns false with the
 * reason if they must be rejected. */
bool attention_of_shapes(const char *name, const struct attributes *attributes, const struct shape *query,
                         const struct shape *key, const struct shape *value, const struct shape *mask,
                         enum dtype mask_dtype, struct attention *a, struct error *reason);

/* Fills `a` for a call that op_signature has accepted; of a slice, for the whole call. */
void attention_of_call(const struct op_call *call, const struct attention_operands *at, struct attention *a);

/* Checks dtypes and shapes of the operands of a call, and fills `a`. */
bool attention_of_operands(const struct op *op, const struct op_operands *operands,
                           const struct attention_operands *at, struct attention *a, struct error *reason);

/* Return which matrix of an operand belongs to a batch. */
int64_t attention_query_matrix(const struct attention *a, int64_t batch);
int64_t attention_key_matrix(const struct attention *a, int64_t batch);
int64_t attention_value_matrix(const struct attention *a, int64_t batch);

/* Returns the element of the mask for a query and a key of a batch. */
int64_t attention_mask_element(const struct attention *a, int64_t batch, int64_t query, int64_t key);

#endif

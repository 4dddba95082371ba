/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_TEST_ATTENTION_CASE_H
#define ASSAY_REFERENCE_OPS_ATTENTION_TEST_ATTENTION_CASE_H

/* Random problems of attention for tests, with an index arithmetic of their own: [batch, heads, rows, width]
 * for all operands, and a mask [batch or 1, heads or 1, queries or 1, keys]. */

#include "reference/test/call.h"

enum case_mask { MASK_NONE, MASK_BOOL, MASK_FINITE, MASK_INFINITE, MASK_CAUSAL, MASK_KINDS };

struct attention_case {
    enum dtype dtype;
    int batch, heads, key_heads, queries, keys, width, value_width;
    enum case_mask mask;
    int mask_batch, mask_heads, mask_queries; /* the dimension, or 1 */
    bool scaled;
    double scale; /* 1/√width unless `scaled` */
    /* elements as doubles that the dtype holds */
    double *query, *key, *value, *grad, *bias; /* bias: the mask, −INFINITY where a key takes no part */
    struct attributes attributes;
    struct tensor input[5]; /* grad_output, query, key, value, attn_mask */
    int inputs;             /* with grad_output */
};

/* Fills a problem with N(0, 1)-like numbers: queries times `peak`. The caller has set all sizes and kinds. */
void attention_case_fill(struct attention_case *p, uint64_t seed, double peak);
void attention_case_clear(struct attention_case *p);

/* Returns whether key j takes part for query i of a head, and what the mask adds. */
bool attention_case_takes(const struct attention_case *p, int b, int h, int i, int j, double *bias);

/* Returns the element of the mask for a score. */
int64_t attention_case_mask(const struct attention_case *p, int b, int h, int i, int j);

const double *attention_case_query(const struct attention_case *p, int b, int h, int i);
const double *attention_case_key(const struct attention_case *p, int b, int h, int j);
const double *attention_case_value(const struct attention_case *p, int b, int h, int j);
const double *attention_case_grad(const struct attention_case *p, int b, int h, int i);

/* Returns a random problem with sizes up to `most`. */
struct attention_case attention_case_any(enum dtype dtype, uint64_t seed, int most);

#endif

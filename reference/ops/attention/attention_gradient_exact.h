/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_GRADIENT_EXACT_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_GRADIENT_EXACT_H

/* Gradients of attention as intervals of MPFR numbers: probabilities P and gradients dS of the scores of a
 * row at any precision, and sums of them that are certified at doubling precision. */

#include "reference/ops/attention/attention_exact.h"

struct attention_gradient_exact {
    const struct attention *a;
    const struct op_call *call;
    struct attention_scores s; /* of one row */
    struct attention_exact row;
    /* The rows of the batches that are in the cache, each M intervals of P and of dS. */
    int64_t rooms;          /* rows that the cache holds */
    int64_t *batch, *query; /* of each room; < 0: empty */
    mpfr_prec_t *precision;
    mpfi_t *p, *ds; /* rooms × M */
    bool *takes;
};

/* Returns false when out of memory; must be cleared in either case. */
bool attention_gradient_exact_create(struct attention_gradient_exact *e, const struct op_call *call,
                                     const struct attention *a, int64_t rooms);
void attention_gradient_exact_clear(struct attention_gradient_exact *e);

/* One term of a sum: P or dS of a score, times a number. */
struct attention_term {
    int64_t batch, query, key;
    double factor;
};

/* A sum of `count` terms, which `term` fills; of dS, or of P if `of_p`; times the scale if `scaled`. */
struct attention_exact_sum {
    int64_t count;
    bool of_p, scaled;
    struct attention_term (*term)(const void *user, int64_t n);
    const void *user;
};

/* Certifies the sum. Terms whose key takes no part do not count. */
bool attention_gradient_certify(struct attention_gradient_exact *e, const struct attention_exact_sum *sum,
                                struct value *value, int *bits, struct error *error);

#endif

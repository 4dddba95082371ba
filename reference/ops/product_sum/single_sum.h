/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_SINGLE_SUM_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_SINGLE_SUM_H

/* One sum of products, computed exactly, with all of its sensitivities and its envelope; for product_sum.c.
 */

#include "reference/operator/op.h"
#include "reference/ops/product_sum/product_factors.h"

#include <mpfr.h>

struct single_sum {
    bool wide;  /* the operands are float64 */
    bool plain; /* the left factors are 1: nothing is multiplied */
    mpfr_t exact, term;
    double *x; /* the terms as doubles, the bias last */
    bool made; /* exact and term are initialised */
};

/* Makes room for sums of `terms` products and a bias. Returns false when out of memory; clear it in either
 * case. A sum of zeros may be cleared as well. */
bool single_sum_create(struct single_sum *sum, bool wide, bool plain, int64_t terms);
void single_sum_clear(struct single_sum *sum);

/* The operands of one sum: products left->x[l[k]]·right->x[r[k]], and the element `bias_at` of the bias,
 * which is NULL if there is none. */
struct single_terms {
    const struct factor *left, *right, *bias;
    const int64_t *l, *r;
    int64_t terms, bias_at;
};

/* Computes value and sensitivities of element e (those that depend on its terms alone), and its envelope if
 * `envelope`. Lowers *bits to the certified relative bits. */
void single_sum_of(struct single_sum *sum, const struct single_terms *terms, struct truth_output *out,
                   int64_t e, bool envelope, int *bits);

/* The sensitivities that only casts and subnormal factors have: CAST_INFINITE, CAST_OTHER, ONE_SIGN, and
 * SUBNORMAL. */
void single_sum_casts(const struct single_terms *terms, double *sensitivity);
double single_sum_subnormal(const struct single_terms *terms);

/* Stores the envelope of element e whose sum has these statistics. */
void single_sum_surround(const struct envelope_sum *sum, bool plain, struct truth_output *out, int64_t e);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_TEST_ATTENTION_FORMS_H
#define ASSAY_REFERENCE_OPS_ATTENTION_TEST_ATTENTION_FORMS_H

/* Attention as legal programs compute it: in float32, or in float64 for operands of that dtype. */

#include "reference/ops/attention/test/attention_case.h"

enum form_scale { SCALE_SCORES, SCALE_QUERY, SCALE_KEY, SCALE_BOTH, SCALE_KINDS };

struct attention_form {
    bool naive;   /* probabilities are divided before they multiply values; no blocks */
    int block;    /* keys at a time, with rescaling */
    int splits;   /* parts of the keys that are joined at the end */
    bool halves;  /* sums over elements by two running sums */
    bool powers;  /* weights are powers of two */
    bool inverse; /* multiplies by the reciprocal of the sum */
    enum form_scale scale;
    enum dtype low;  /* probabilities (or weights) are rounded to this dtype before they multiply */
    bool by_result;  /* gradient: D = Σ dO·O, from the rounded result; else Σ P·dP */
    bool logarithm;  /* gradient: probabilities are e^(s - l), l the logarithm of the sum of e^s */
    struct philox g; /* picks which neighbour an exponential gives */
};

struct attention_form attention_form_any(const struct attention_case *p, uint64_t seed, bool low);

/* Computes the results [batch, heads, queries, value_width], rounded to the dtype. */
void attention_form_forward(const struct attention_case *p, struct attention_form *form, double *result);

/* Computes the probabilities of one query; 0 for all keys where none takes part. */
void attention_form_row(const struct attention_case *p, struct attention_form *form, int b, int h, int i,
                        double *probability, double *result);

/* Computes the gradients of query, key, value and mask (NULL: none), rounded to the dtype; count: elements.
 */
void attention_form_backward(const struct attention_case *p, struct attention_form *form,
                             double *const got[4], const int64_t count[4]);

/* Returns x rounded to the dtype, and to the type in which operators on it compute. */
double attention_held(enum dtype dtype, double x);
double attention_near(const struct attention_case *p, double x);
/* Returns Σ a·b over n elements. */
double attention_form_dot(const struct attention_case *p, const struct attention_form *form, const double *a,
                          const double *b, int n);

#endif

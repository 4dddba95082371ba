/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_SUMS_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_SUMS_H

/* The last sums of the gradient of attention: Σ dS·K, Σ dS·Q and Σ P·dO over the keys or queries of all
 * batches of a group that share a matrix, with their radii, sensitivities and envelopes. */

#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/ops/attention/attention_bound.h"
#include "reference/ops/attention/attention_gradient_exact.h"
#include "reference/ops/attention/attention_group.h"

/* What one term brings: its number with a radius, and what GROUP_… says of it. */
enum {
    TERM_SCORE,
    TERM_DISTANCE,
    TERM_WEIGHT,
    TERM_VALUE,
    TERM_LOST,
    TERM_MAGNITUDE,
    TERM_RADIUS,
    TERM_DRIFT,                                   /* for each width */
    TERM_VARIANCE = TERM_DRIFT + ENVELOPE_WIDTHS, /* from here on times the square of the other factor */
    TERM_EXPONENTIAL,
    TERM_ARGUMENT,
    TERM_LOW,
    TERM_LOGARITHM, /* an error that the terms share: times the factor with its sign */
    TERM_SHARED,    /* square root of a variance that the terms share: times the factor with its sign */
    TERMS
};

enum attention_gradient { GRADIENT_QUERY, GRADIENT_KEY, GRADIENT_VALUE, GRADIENT_MASK };

/* Fills what the score at `at` of the group brings to a sum. */
void attention_term(const struct attention_group *g, enum attention_gradient which, int64_t at,
                    double term[TERMS]);

/* Fills the sensitivities of an element from sums of terms that are multiplied by the scale. `terms`: their
 * number. */
void attention_gradient_fill(const struct attention_group *g, const double sum[TERMS], double terms,
                             int flags, double *sensitivity);

/* Fills the envelope but for its group. `order` and `squares` are those of the last sum. */
void attention_gradient_surround(const double sum[TERMS], double order, double squares, double value,
                                 bool scaled, struct envelope *envelope);

struct attention_sums {
    struct attention_group *g;
    struct attention_gradient_exact *exact;
    struct truth *truth;
    bool certain;              /* certify every element */
    int64_t *member;           /* positions in the group of the batches whose matrix is summed */
    double *left, *right;      /* rows × terms, terms × columns */
    double *term, *sum;        /* TERMS × terms of a row, TERMS × columns */
    struct dot_enclosure *dot; /* columns */
};

/* Returns false when out of memory; must be cleared in either case. */
bool attention_sums_create(struct attention_sums *s, struct attention_group *g,
                           struct attention_gradient_exact *exact, struct truth *truth, bool certain);
void attention_sums_clear(struct attention_sums *s);

/* Fills all matrices of one output that belong to the group, which is computed. */
bool attention_sums_fill(struct attention_sums *s, enum attention_gradient which, struct error *error);

/* Certifies one element of an output. `first` is what attention_group_find gives. */
bool attention_sums_certify(struct attention_gradient_exact *exact, struct truth *truth,
                            enum attention_gradient which, int64_t element, struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_COLUMNS_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_COLUMNS_H

/* Sums over the keys of one query, for every column of the values at once: what the sensitivities and the
 * envelope of attention consist of. All sums are added in the order of the keys, by + and × of doubles. */

#include "reference/ops/attention/attention_scores.h"

/* Numbers of the keys of one query. */
enum {
    WEIGHT_TAKES,           /* 1 where the key takes part */
    WEIGHT_PROBABILITY,     /* P */
    WEIGHT_SCORE,           /* P·T */
    WEIGHT_DISTANCE,        /* P·X */
    WEIGHT_SECOND,          /* P·τ² */
    WEIGHT_TAU,             /* P²·τ² */
    WEIGHT_SQUARE,          /* P² */
    WEIGHT_DISTANCE_SQUARE, /* P²·X² */
    WEIGHT_DRIFT,           /* P·(drift of the score), for each width */
    WEIGHTS = WEIGHT_DRIFT + ENVELOPE_WIDTHS
};

/* Fills WEIGHTS arrays of M numbers from a described row. τ² is the variance of the relative error of a
 * weight, over u²: roundings of the score's sum and products, two of the score, one of the difference, one of
 * the exponential. */
void attention_weights(const struct attention_scores *s, int64_t row, double *weight);

/* Sums over the keys, for one column each. */
enum {
    SUM_VALUES,          /* Σ |V|, over keys that take part */
    SUM_MAGNITUDE,       /* Σ P|V| */
    SUM_SCORES,          /* Σ P·T·|V − O| */
    SUM_DISTANCE,        /* Σ P·X·|V − O| */
    SUM_SPREAD,          /* Σ P·|V − O| */
    SUM_SECOND,          /* Σ P·τ²·|V − O| */
    SUM_TAU,             /* Σ P²·τ²·(V − O)² */
    SUM_SQUARE,          /* Σ P²·(V − O)² */
    SUM_DISTANCE_SQUARE, /* Σ P²·X²·(V − O)² */
    SUM_DRIFT,           /* Σ P·drift·|V − O|, for each width */
    SUMS = SUM_DRIFT + ENVELOPE_WIDTHS
};

/* Fills SUMS arrays of `columns` numbers. value: keys × stride, of which the first `columns` numbers of a row
 * count; result: O. */
void attention_columns(const double *weight, int64_t keys, const double *value, int64_t stride,
                       int64_t columns, const double *result, double *sum);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_BOUND_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_BOUND_H

/* Sensitivities of attention and of its gradient, and what a profile makes of them. Derived in
 * attention_bound.c and attention_backward_bound.c. */

#include "reference/operator/op.h"

/* What all elements of a result begin with. `Row` is the query of the element; for results of the gradient
 * that several queries make, the greatest over those. */
enum {
    ATTENTION_KEYS,          /* M */
    ATTENTION_WIDTH,         /* D */
    ATTENTION_SCORE_MOST,    /* greatest T of the row over keys that are not far */
    ATTENTION_DISTANCE_MOST, /* greatest X = m − s of the row over keys that are not far */
    ATTENTION_FAR_MOST,      /* greatest T/X of the row over far keys; 0: there is none */
    ATTENTION_MAXIMUM,       /* |m| */
    ATTENTION_OVERFLOW,      /* greatest Σ|q·k| of the row, scaled or not, over all keys */
    ATTENTION_SUBNORMAL,     /* the most that a score changes where subnormal factors are flushed */
    ATTENTION_FLAGS,         /* ATTENTION_IS_EMPTY, ATTENTION_MAY_BE_NAN */
    ATTENTION_COMMON
};
enum {
    ATTENTION_IS_EMPTY = 1,   /* no key takes part in the row */
    ATTENTION_MAY_BE_NAN = 2, /* NaN is right as well */
    ATTENTION_MEETS_EMPTY =
        4 /* of the gradient: a row without keys adds 0, or NaN where rows of it are NaN */
};

/* Of scaled_dot_product_attention, for element d of a row; sums are over the keys that take part. */
enum {
    ATTENTION_SCORES = ATTENTION_COMMON, /* Σ P·T·|V_d − O_d| */
    ATTENTION_DISTANCE,                  /* Σ P·X·|V_d − O_d| */
    ATTENTION_SPREAD,                    /* Σ P·|V_d − O_d| */
    ATTENTION_MAGNITUDE,                 /* Σ P·|V_d| */
    ATTENTION_VALUES,                    /* Σ |V_d| */
    ATTENTION_ENERGY,                    /* √Σ (P·V_d)² */
    ATTENTION_SPREAD_ENERGY,             /* √Σ (P·(V_d − O_d))² */
    ATTENTION_DISTANCE_ENERGY,           /* √Σ (P·X·(V_d − O_d))² */
    ATTENTION_SUBNORMAL_VALUES,          /* Σ P·|V_d| over subnormal V_d */
    ATTENTION_SENSITIVITIES
};

/* Of scaled_dot_product_attention_backward, for one element; sums are over the terms of its last sum, with
 * the other factor's magnitude, times the scale where that applies. The names are those of attention_group.h.
 */
enum {
    ATTENTION_GRADIENT_TERMS = ATTENTION_COMMON, /* the number of terms of the last sum */
    ATTENTION_GRADIENT_VALUE_WIDTH,              /* Dv */
    ATTENTION_GRADIENT_SCORE,
    ATTENTION_GRADIENT_DISTANCE,
    ATTENTION_GRADIENT_WEIGHT,
    ATTENTION_GRADIENT_VALUE,
    ATTENTION_GRADIENT_LOST,
    ATTENTION_GRADIENT_MAGNITUDE, /* Σ |term| */
    ATTENTION_GRADIENT_EXPONENTIAL,
    ATTENTION_GRADIENT_ARGUMENT,
    ATTENTION_GRADIENT_LOW,
    ATTENTION_GRADIENT_FLUSHED, /* times the least normal number: what flushed operands change, but for P */
    ATTENTION_GRADIENT_SENSITIVITIES
};

/* The errors that a profile allows the steps of attention. */
struct attention_errors {
    bool bounded;                 /* false: no bound is known */
    double score;                 /* α: absolute error of a score, over T */
    double distance;              /* γ: relative error of a weight, over X */
    double weight;                /* π: relative error of a weight that depends on neither */
    double flushed;               /* absolute error of a score whose subnormal factors are flushed */
    double growth;                /* e^β, where β is the greatest error of an exponent in the row */
    double slope;                 /* (e^β − 1)/β */
    double keys;                  /* relative error of a sum over M keys, with its rescalings */
    double depth;                 /* the roundings that this sum has */
    double division;              /* relative error of a division */
    double rounded;               /* u of the dtype to which probabilities are rounded */
    double underflow;             /* absolute error of a weight */
    double probability;           /* absolute error of a probability that is rounded */
    double least;                 /* η of sums and products */
    double exponential, argument; /* the errors of e^x, constant and over |x| */
};
struct attention_errors attention_errors_of(const struct bound_query *query);

double attention_bound(const struct bound_query *query);
double attention_gradient_bound(const struct bound_query *query);
double attention_gradient_primitive_error(const struct bound_query *query);
bool attention_gradient_may_overflow(const struct bound_query *query);
double attention_primitive_error(const struct bound_query *query);
bool attention_may_overflow(const struct bound_query *query);

/* Makes the acceptance set: 0 or NaN for a row without keys, NaN beside the number where a program may
 * multiply NaN by a probability of 0, and a zero of either sign. */
void attention_accept(const struct bound_query *query, struct accept *accept);

#endif

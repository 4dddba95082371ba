/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_GROUP_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_GROUP_H

/* Batches of attention that share a matrix of queries, keys or values, and what the gradient needs of each of
 * their scores: probabilities P, gradients dS = P·(dP − D) of scores, where dP = Σ dO·V and D = Σ P·dP, with
 * proved radii; and the coefficients of their error bounds and of their envelope.
 *
 * With T, X as in attention_scores.h, G = Σ|dO|·|V| and H = G + Σ|dO|·|O|, and T' = T + Σ P·T (of the row),
 * X' likewise, a legal program computes P with a relative error of κ·(α·T' + γ·X' + …), dP with G times that
 * of a sum, D, as Σ P·dP or as Σ dO·O, with Σ P·H times any of them, and so dS with the sum of what follows.
 */

#include "reference/ops/attention/attention_scores.h"

/* Numbers of each score (batch, query, key) of a group. */
enum {
    GROUP_P,
    GROUP_DS,
    GROUP_P_RADIUS, /* absolute */
    GROUP_DS_RADIUS,
    GROUP_DS_SCORE,    /* |dS|·T' + P·Σ P·T'·H: times α */
    GROUP_DS_DISTANCE, /* |dS|·X' + P·Σ P·X'·H: times γ */
    GROUP_DS_WEIGHT,   /* |dS| + P·Σ P·H: relative errors of weights and of sums over keys */
    GROUP_DS_VALUE,    /* P·(G + Σ P·H): errors of sums over columns of the values, roundings of O and P */
    GROUP_DS_LOST,     /* G + Σ P·H + P·Σ H + 1: times the underflow of a weight */
    GROUP_P_SCORE,     /* P·T' */
    GROUP_P_DISTANCE,  /* P·X' */
    /* Variances over u²: of P; of dS but for the error of D, which a row shares; of D times P². */
    GROUP_P_VARIANCE,
    GROUP_DS_VARIANCE,
    GROUP_D_VARIANCE,
    /* Squares of the errors of dS if each exponential errs by 1, by X, or if P and O are rounded by 1. */
    GROUP_DS_EXPONENTIAL,
    GROUP_DS_ARGUMENT,
    GROUP_DS_LOW,
    GROUP_P_EXPONENTIAL,
    GROUP_P_ARGUMENT,
    GROUP_DS_LOGARITHM, /* dS·l, where l ≥ |m| + log M bounds the logarithm of the sum of e^s, which a row
                           shares */
    GROUP_DRIFT,        /* of dS, for each width */
    GROUP_NUMBERS = GROUP_DRIFT + ENVELOPE_WIDTHS
};

struct attention_group {
    const struct attention *a;
    const struct op_call *call;
    int64_t count, room;  /* batches of the group; for how many there is memory */
    int64_t *batch;       /* their numbers */
    double *number;       /* GROUP_NUMBERS × room × L × M */
    double *grad, *value; /* L × Dv and M × (Dv + 1) of the batch that is computed */
    struct attention_scores s;
    struct dot_enclosure *product; /* M: dO·V of one query */
    double *result;                /* Dv: O of one query */
    double *weight;                /* WEIGHTS × M */
    /* The greatest of attention_row's members over all rows, and what is special. */
    struct attention_row most;
    double maximum; /* greatest |m| */
    bool has_empty; /* a row has no key */
    bool special;   /* an operand is not finite */
    double flushed; /* ATTENTION_GRADIENT_FLUSHED of a sum of one term; 0: no operand is subnormal */
    bool known;     /* all radii are known */
};

/* Returns false when out of memory; must be cleared in either case. */
bool attention_group_create(struct attention_group *g, const struct op_call *call, const struct attention *a,
                            int64_t room);
void attention_group_clear(struct attention_group *g);

/* Computes all numbers of the batches in g->batch. Returns false when out of memory. */
bool attention_group_compute(struct attention_group *g);

/* Returns the array of one number; score (k, i, j) is at (k·L + i)·M + j for the k-th batch of the group. */
static inline double *attention_group_numbers(const struct attention_group *g, int number)
{
    return g->number + number * g->room * g->a->queries * g->a->keys;
}

/* Fills first[b] with the least batch that is connected with batch b by shared matrices. */
void attention_group_find(const struct attention *a, int64_t *first);

#endif

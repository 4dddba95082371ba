/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_SCORES_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_SCORES_H

/* The scores of some queries of one batch against all of its keys, with proved radii, and the weights e^x and
 * probabilities of one query.
 *
 * The score of a key is s = scale·Σ q·k + mask. Its weight is e^x with x = s − m, where m is the greatest
 * score of the query that takes part; its probability P is the weight over the sum of all weights. */

#include "reference/ops/attention/attention.h"

/* Keys whose scores lie so far below m do not add to a double. Their weights count as 0, and differ from 0 by
 * at most ATTENTION_LOST. */
#define ATTENTION_NEAREST_LOST (-138.0)
#define ATTENTION_LOST         0x1p-199

/* Keys further below m than this are *far*: no legal program computes a weight above 2^-1074 for them if its
 * scores err by less than half of the distance. */
#define ATTENTION_FAR 1500.0

enum attention_key {
    ATTENTION_TAKES_PART,
    ATTENTION_MASKED, /* by a condition, by −infinity in the mask, or because it comes after the query */
    ATTENTION_MINUS_INFINITY /* its score is −infinity because of the operands */
};

/* One score. */
struct attention_score {
    enum attention_key key;
    double score, radius; /* |score − s| ≤ radius; a radius of INFINITY: s is not known as a double */
    double magnitude;     /* T ≥ scale·Σ|q·k| + |mask| */
    double energy; /* scale²·(variance of Σ q·k by independent roundings of its sum and products)/u² */
    double drift[ENVELOPE_WIDTHS];
    double plain;     /* ≥ Σ|q·k|, the greater of it and of scale times it */
    double subnormal; /* ≥ scale·Σ|q·k| over the products with a subnormal factor */
    bool spoils;      /* the key is masked, but its score is NaN or infinite: a program that adds the mask to
                         the score gets NaN */
};

struct attention_row {
    bool empty;    /* no key takes part */
    bool is_nan;   /* a key that takes part has the score NaN or +infinity */
    bool spoilt;   /* NaN is right as well (attention_score.spoils) */
    bool known;    /* x, weight, probability are known: neither of the above, no radius is INFINITY */
    double most;   /* m, as a double; all x are relative to this number */
    double radius; /* relative error of the weights that are not lost */
    /* The greatest T and −x over keys that are not far, the greatest T/−x over far keys; of all keys the
     * greatest `plain`, and of those that are not far the greatest `subnormal`. */
    double score_most, distance_most, far, plain, subnormal;
};

/* Scores of `rows` queries of a batch, row-major, and room for one row. */
struct attention_scores {
    const struct attention *a;
    const struct op_call *call;
    const struct attention_operands *at;
    enum dtype dtype;
    int64_t room; /* rows */
    double u[ENVELOPE_WIDTHS];
    struct attention_score *score;
    double *query, *key; /* the factors: room × D and M × D */
    int64_t matrix;      /* the matrix of keys in `key`; < 0: none */
    int64_t keys_from;   /* internal: offset of that matrix */
    bool subnormal;      /* a factor is subnormal */
    bool key_subnormal;  /* a factor of the keys is subnormal */
    /* Of one row, M numbers each: x, weights, their radii (of elementary_exp), probabilities. */
    double *x, *weight, *error, *probability;
};

/* Returns false when out of memory; the scores must be cleared in either case. */
bool attention_scores_create(struct attention_scores *s, const struct op_call *call,
                             const struct attention_operands *at, const struct attention *a, int64_t room);
void attention_scores_clear(struct attention_scores *s);

/* Computes the scores of `rows` ≤ room queries of a batch from `first` on. `element` is the offset of the
 * first of them in the query tensor. Returns false when out of memory. */
bool attention_scores_compute(struct attention_scores *s, int64_t batch, int64_t first, int64_t rows,
                              int64_t element);

/* Describes row `row` of these scores and fills x, weight and probability of it. Weights are 0 for keys that
 * take no part, and where they are lost. */
void attention_row_describe(struct attention_scores *s, int64_t row, struct attention_row *out);

#endif

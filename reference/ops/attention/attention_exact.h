/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_EXACT_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_EXACT_H

/* The weights of one query of attention as intervals of MPFR numbers at any precision, for results that are
 * certified at doubling precision (reference/operator/ziv.h). */

#include "reference/operator/ziv.h"
#include "reference/ops/attention/attention_scores.h"

/* No dtype has numbers below 2^-1074. A result that an enclosure proves to be smaller than this counts as 0,
 * because an enclosure of an exact 0 never becomes narrow relative to it. */
enum { ATTENTION_ZERO_EXPONENT = -1200 };

struct attention_exact {
    const struct attention *a;
    const struct op_call *call;
    const struct attention_operands *at;
    int64_t batch, query;  /* the row */
    int64_t element;       /* offset of the row in the query tensor */
    double most;           /* the number that is subtracted from all scores */
    bool *takes;           /* M: the key takes part */
    mpfr_prec_t precision; /* of the intervals below; 0: none yet */
    mpfi_t *weight, total; /* M: e^(s − most); defined where the key takes part; and their sum */
};

/* Returns false when out of memory; must be cleared in either case. */
bool attention_exact_create(struct attention_exact *e, const struct op_call *call,
                            const struct attention_operands *at, const struct attention *a);
void attention_exact_clear(struct attention_exact *e);

/* Seeks to row `row` of scores that are computed and described, which is query `query` of a batch. */
void attention_exact_seek(struct attention_exact *e, const struct attention_scores *s, int64_t row,
                          const struct attention_row *described, int64_t batch, int64_t query,
                          int64_t element);

/* Computes the weights of the row and their sum at this precision, unless they are known at it. */
void attention_exact_weights(struct attention_exact *e, mpfr_prec_t precision);

/* Sets an enclosure that proves |x| < 2^ATTENTION_ZERO_EXPONENT to the point 0. */
void attention_exact_zero(mpfi_ptr x);

/* Sums of products of intervals and doubles: sum += x·y, for finite y. `term` is room. */
void attention_exact_add(mpfi_ptr sum, mpfi_srcptr x, double y, mpfi_ptr term);

/* Multiplies by the scale of the call: its attribute, or 1/√D. */
void attention_exact_scale(const struct attention *a, mpfi_ptr x);

#endif

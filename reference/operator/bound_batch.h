/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_BOUND_BATCH_H
#define ASSAY_REFERENCE_OPERATOR_BOUND_BATCH_H

/* Limits of consecutive elements of a judged tensor, as op_accept and op_envelope give them one by one, for
 * those of which little needs to be said: the truth is a number well inside the dtype's normal range, and
 * what is accepted is every finite result within B of it and no other. */

#include "reference/operator/value_batch.h"

struct bound_batch {
    int64_t plain[BATCH_MAX];  /* mask, all ones or 0: of the others the rest means nothing */
    double compute[BATCH_MAX]; /* E_compute */
    double radius[BATCH_MAX];  /* B */
    bool enveloped;            /* else none of these is there: */
    bool known[BATCH_MAX];     /* the envelope says something */
    double spread[BATCH_MAX];  /* S */
    double reach[BATCH_MAX];   /* Q */
    double certain[BATCH_MAX]; /* N */
    double group_u;            /* S_c over what the envelope has of it */
    bool by_default; /* accept_default with E_compute says what is accepted, of every element of the run; and
                        no envelope */
};

/* Whether any element may be so: one real component of a floating dtype, no acceptance set, sign or measure
 * of resolution of the operator's own but within `bounded`. */
bool bound_batch_concerns(const struct bound_query *query);

/* `count` ≤ BATCH_MAX elements from `first` on, whose truths are `values`; the query's own element does not
 * matter. */
void bound_batch_of(const struct bound_query *query, int64_t first, int count, const struct value_batch *values,
                  struct bound_batch *run);

#endif

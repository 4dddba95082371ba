/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_LIMIT_RUN_H
#define ASSAY_REFERENCE_LIMIT_RUN_H

/* Limits of consecutive elements of a judged tensor, as op_accept and op_envelope give them one by one, for
 * those of which little needs to be said: the truth is a number well inside the dtype's normal range, and
 * what is accepted is every finite result within B of it and no other. */

#include "reference/operator/value_run.h"

struct limit_run {
    int64_t plain[LIMIT_RUN];  /* mask, all ones or 0: of the others the rest means nothing */
    double compute[LIMIT_RUN]; /* E_compute */
    double radius[LIMIT_RUN];  /* B */
    bool enveloped;            /* else none of these is there: */
    bool known[LIMIT_RUN];     /* the envelope says something */
    double spread[LIMIT_RUN];  /* S */
    double reach[LIMIT_RUN];   /* Q */
    double certain[LIMIT_RUN]; /* N */
    double group_u;            /* S_c over what the envelope has of it */
    bool by_default; /* accept_default with E_compute says what is accepted, of every element of the run; and
                        no envelope */
};

/* Whether any element may be so: one real component of a floating dtype, no acceptance set, sign or measure
 * of resolution of the operator's own but within `bounded`. */
bool limit_run_concerns(const struct bound_query *query);

/* `count` ≤ LIMIT_RUN elements from `first` on, whose truths are `values`; the query's own element does not
 * matter. */
void limit_run_of(const struct bound_query *query, int64_t first, int count, const struct value_run *values,
                  struct limit_run *run);

#endif

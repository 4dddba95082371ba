/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_BOUND_BATCH_H
#define ASSAY_REFERENCE_OPERATOR_BOUND_BATCH_H

/* The error bounds of a batch of consecutive elements of a judged tensor: the numbers that op_accept and
 * op_envelope give one by one. It covers the plain elements, whose truth is a number well inside the normal
 * range of the dtype and for which exactly the finite results within B of the truth are accepted. Call
 * bound_batch_concerns once for a tensor, then bound_batch_of for each batch. */

#include "reference/operator/value_batch.h"

struct bound_batch {
    int64_t plain[BATCH_MAX];  /* mask: all ones for a plain element. Where it is 0, the other arrays are
                                  undefined, but see by_default */
    double compute[BATCH_MAX]; /* E_compute */
    double radius[BATCH_MAX];  /* B */
    bool enveloped;            /* true: the members from `known` to `group_u` are filled */
    bool known[BATCH_MAX];     /* the element has an envelope */
    double spread[BATCH_MAX];  /* S */
    double reach[BATCH_MAX];   /* Q */
    double certain[BATCH_MAX]; /* N */
    double group_u;            /* S_c over the stored group_spread: the unit roundoff of the accumulator */
    bool by_default; /* accept_default with `compute` gives what is accepted for every element, plain or
                        not; no element has an envelope */
};

/* Returns whether the tensor can have plain elements: its dtype is floating with one real component, and the
 * operator has a bound but no function of its own for acceptance (unless `bounded`), lost signs or resolving
 * power, and no verification of this output. */
bool bound_batch_concerns(const struct bound_query *query);

/* Fills the bounds of `count` ≤ BATCH_MAX elements from `first` on, whose truths are `values`. query->element
 * is ignored. */
void bound_batch_of(const struct bound_query *query, int64_t first, int count,
                    const struct value_batch *values, struct bound_batch *run);

#endif

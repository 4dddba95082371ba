/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_BOUND_MEMO_H
#define ASSAY_REFERENCE_OPERATOR_BOUND_MEMO_H

/* E_compute and primitive errors of judged elements, with a memo that caches what has been computed already.
 * A memo belongs to the queries of one judged tensor; op_bound and its siblings read and fill it. */

#include "reference/operator/op.h"
#include "reference/operator/primitive_errors.h"

/* The most elements of a batch. */
enum { BATCH_MAX = 256 };
enum bound_slot { BOUND_ONE, BOUND_INNER, BOUND_RUN, BOUND_FLUSHED, BOUND_SLOTS };

/* The cache of the queries of one judged tensor, whose truths do not change meanwhile; op_forget_bound drops
 * elements whose truth has changed. All members are zero at the start. */
struct bound_memo {
    /* Where bounds are computed under two profiles, the declared one and one that allows primitives less
     * (queries with `quality`), this is the memo of the other profile: an operator may store its results for
     * both at once. NULL: there is one profile. */
    struct bound_memo *other;
    const struct profile *other_profile;
    /* E_compute and the primitive errors of consecutive elements. The slots hold the latest single element
     * (BOUND_ONE), the same for the operator to which a call is lowered (BOUND_INNER), a batch (BOUND_RUN),
     * and the batch of the truth of flushed operands (BOUND_FLUSHED). */
    struct bound_known {
        const struct op *op;
        const struct truth *truth; /* NULL: the slot is empty */
        const struct profile *profile;
        bool exact, quality;
        int64_t first;
        int count;
        double bound[BATCH_MAX]; /* NaN: unknown */
    } bound[BOUND_SLOTS], primitive_error[BOUND_SLOTS];
    /* Room for an operator's bound to cache what many elements share, in a form of its own; one for plain
     * queries and one for exact ones. */
    struct bound_shared {
        const struct profile *profile; /* NULL: nothing yet */
        double key[8], room[16];
    } shared[2];
    /* The primitive errors of formulas of one element. */
    struct bound_allowed {
        const struct profile *profile; /* NULL: nothing yet */
        enum dtype dtype;
        bool exact;
        struct primitive_errors of;
    } allowed;
    /* The terms of the envelope that all elements of a judged tensor share. */
    struct envelope_terms {
        const struct truth *truth; /* NULL: nothing yet */
        const struct profile *profile;
        int output, width; /* width: an enum envelope_width */
        bool none, may_fail;
        double u, own, wider,
            /* The unit roundoffs of the accumulator (u) and of the result (own), the unit of D in u of its
             * width (wider), and η. */
            underflow;
        double least_normal; /* least normal number of the result's dtype */
    } terms;
};

/* Returns whether an element is real and keeps its truth and its sensitivities where subnormal operands are
 * replaced by zeros. */
bool limit_flushes_alike(const struct bound_query *query, int64_t element);

/* Clears the mask of the elements whose truth or whose bound `compute` changes where subnormal operands are
 * replaced by zeros. The `count` ≤ BATCH_MAX elements start at `first`; the truth must have a flushed one and
 * the operator `bounds`. Operands may differ as long as the bound does not. */
void limits_flush_alike(const struct bound_query *query, int64_t first, int count, const double *compute,
                        int64_t *mask);

/* Returns E_compute of one element; 0 where the operator has no bound. */
double op_bound(const struct bound_query *query);

/* Fills E_compute of `count` ≤ BATCH_MAX elements from `first` on, for an operator that has `bounds`. */
void op_bounds(const struct bound_query *query, int64_t first, int count, double *compute);

/* Copies a cached bound of `query` to `inner`, the query of the operator to which the call is lowered; both
 * have the same bounds. */
void op_hand_on_bound(const struct bound_query *query, const struct bound_query *inner);

/* Cache computed bounds, or primitive errors, of `count` elements from `first` on. They do nothing without a
 * memo. */
void op_cache_bounds(const struct bound_query *query, int64_t first, int count, const double *compute);
void op_cache_primitive_errors(const struct bound_query *query, int64_t first, int count,
                               const double *primitive_error);

/* Sets pair[] to the query under each profile for which bounds are computed and returns their number. With
 * two, the declared profile comes first, and the query itself is pair[query->quality]. */
int op_pair(const struct bound_query *query, struct bound_query pair[2]);

/* Drop the cached values of one element, or of all, because their truth has changed. */
void op_forget_bound(struct bound_memo *memo, int64_t element);
void op_forget_bounds(struct bound_memo *memo);

/* Return the primitive error of the query's element, or fill those of a batch. Where the operator has no
 * `primitive_errors`, an element that is not `plain` gets 0. */
double op_primitive_error(const struct bound_query *query);
void op_primitive_errors(const struct bound_query *query, int64_t first, int count, const bool *plain,
                         double *primitive_error);

#endif

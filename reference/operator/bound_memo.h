/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_BOUND_MEMO_H
#define ASSAY_REFERENCE_OPERATOR_BOUND_MEMO_H

/* E_compute of judged elements, and what has been worked out of it already. */

#include "reference/operator/primitive_errors.h"
#include "reference/operator/op.h"

/* Elements that are asked for together. */
enum { BATCH_MAX = 256 };
enum bound_slot { BOUND_ONE, BOUND_INNER, BOUND_RUN, BOUND_FLUSHED, BOUND_SLOTS };

/* Of the queries of one judged tensor, whose truths do not change meanwhile; all zero at the start. */
struct bound_memo {
    /* Where limits are asked under two profiles, the declared one and one that allows primitives less (the
     * queries with `quality`): the other one's memo, into which an operator may put what comes with its own.
     * NULL: they are not. */
    struct bound_memo *other;
    const struct profile *other_profile;
    /* E_compute, and what `allowance` says, of elements one after the other: of the one last asked for
     * (and by the operator that another one's limits are made of), of a run, and of a run's other truths,
     * which flushed operands make. */
    struct bound_known {
        const struct op *op;
        const struct truth *truth; /* NULL: none yet */
        const struct profile *profile;
        bool exact, quality;
        int64_t first;
        int count;
        double bound[BATCH_MAX]; /* NaN: not known */
    } bound[BOUND_SLOTS], primitive_error[BOUND_SLOTS];
    /* What an operator's bound takes from a few numbers that many elements share, as it likes; one each of
     * plain queries and of exact ones. */
    struct bound_shared {
        const struct profile *profile; /* NULL: nothing yet */
        double key[8], room[16];
    } shared[2];
    /* What formulas of one element are allowed. */
    struct bound_allowed {
        const struct profile *profile; /* NULL: nothing yet */
        enum dtype dtype;
        bool exact;
        struct primitive_errors of;
    } allowed;
    /* Of the envelope, what all elements of a judged tensor share. */
    struct envelope_terms {
        const struct truth *truth; /* NULL: nothing yet */
        const struct profile *profile;
        int output, width; /* width: an envelope_width */
        bool none, may_fail;
        double u, own, wider,
            underflow;       /* of the accumulator, of the result; D's unit in u of its width; η */
        double least_normal; /* of the result */
    } terms;
};

/* Whether an element is real and its truth the same where subnormal operands are taken for zeros. */
bool limit_flushes_alike(const struct bound_query *query, int64_t element);

/* Of the `count` ≤ BATCH_MAX elements of a truth that has a flushed one, from `first` on, the mask is left
 * set of those whose truth is the same then and whose limit is, `compute`: operands themselves may differ. Of
 * an operator that has `bounds`. */
void limits_flush_alike(const struct bound_query *query, int64_t first, int count, const double *compute,
                        int64_t *mask);

/* E_compute of one element, 0 where the operator has no bound. */
double op_bound(const struct bound_query *query);

/* The same of `count` ≤ BATCH_MAX elements from `first` on, of an operator that has `bounds`. */
void op_bounds(const struct bound_query *query, int64_t first, int count, double *compute);

/* `inner` is the query of an operator that stands for the query's own and has its limits: the first is
 * answered by what is known of the second. */
void op_hand_on_bound(const struct bound_query *query, const struct bound_query *inner);

/* Lets those of `bound` and `allowance` answer this query by what is known already; nothing without a memo.
 */
void op_cache_bounds(const struct bound_query *query, int64_t first, int count, const double *compute);
void op_cache_primitive_errors(const struct bound_query *query, int64_t first, int count,
                            const double *primitive_error);

/* The query under each profile that limits are asked under, the declared one first: one or two. The query
 * itself is pair[query->quality] of two, pair[0] of one. */
int op_pair(const struct bound_query *query, struct bound_query pair[2]);

/* Nothing that was remembered of an element holds any more: its truth is another one. */
void op_forget_bound(struct bound_memo *memo, int64_t element);
void op_forget_bounds(struct bound_memo *memo);

/* What `allowance` says of the query's element, and of a run's: of one that is not `plain` anything, where
 * the operator has no `allowances`. */
double op_primitive_error(const struct bound_query *query);
void op_primitive_errors(const struct bound_query *query, int64_t first, int count, const bool *plain,
                   double *primitive_error);

#endif

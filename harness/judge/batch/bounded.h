/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_H
#define ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_H

/* Judges elements with error bounds B and Q in batches. An element qualifies if it lies well within both
 * bounds, its truth is of ordinary size and the radius of the truth leaves nothing open, or if it lies at an
 * end of the range (ends.h). The outcome is that of judging each element alone, to the bit; elements that do
 * not qualify are judged alone.
 *
 * For each batch: bounded_most, bounded_load, then bounded_take_whole, or if that returns false bounded_find
 * and bounded_take. */

#include "harness/judge/judging.h"
#include "reference/operator/bound_batch.h"

enum { BOUNDED_BATCH = BATCH_MAX };

/* How an element is judged: alone; as a number; as the NaN or infinity that it must be; as a zero whose truth
 * lies far below the least subnormal number. */
enum bounded_kind { BOUNDED_ALONE, BOUNDED_NUMBER, BOUNDED_SPECIAL, BOUNDED_VANISHED };

/* A batch, one column for each property of its elements. In an element that is not taken the other columns
 * have no meaning. Masks are all ones or 0. */
struct bounded_batch {
    int count;                          /* ≤ BOUNDED_BATCH */
    unsigned char taken[BOUNDED_BATCH]; /* enum bounded_kind */
    int64_t plain[BOUNDED_BATCH];       /* mask: may be taken as a number, as far as is known */
    struct value_batch truth;
    const double *radius;                              /* of the truth, around hi + lo */
    double truth_radius[BOUNDED_BATCH];                /* the radius before any element was certified */
    double got[BOUNDED_BATCH], rounded[BOUNDED_BATCH]; /* rounded: RN(truth) */
    double error[BOUNDED_BATCH], ulp[BOUNDED_BATCH];   /* error: got − truth */
    double error_over_bound[BOUNDED_BATCH], q[BOUNDED_BATCH], quality[BOUNDED_BATCH];
    double least_bound[BOUNDED_BATCH]; /* the error bound in force, for the resolving power */
    int64_t known[BOUNDED_BATCH], decides[BOUNDED_BATCH]; /* masks: has an envelope; the envelope decides */
    int64_t unresolved[BOUNDED_BATCH],
        skip_bias[BOUNDED_BATCH]; /* masks; aside: excluded from the bias test */
    double error_ulp[BOUNDED_BATCH],
        signed_ulp[BOUNDED_BATCH]; /* in ulp: |error|; sgn(truth)·(got − RN(truth)) */
    double compute_ulp[BOUNDED_BATCH], size[BOUNDED_BATCH]; /* in ulp: E_compute; |truth| */
    struct bound_batch limit, good;                         /* good: those of a good implementation, */
    bool graded;                                            /* if they differ */
    bool uniform;          /* all elements lie at the ends of the range, and all columns are constant */
    bool numbers;          /* all elements may be taken as numbers */
    double furthest, most; /* of the elements taken last: greatest nu, greatest |error| in ulp */
};

/* The size of the next batch; 0: judge the next element alone. While wrong classes of the tensor are not
 * excluded, only elements at the ends of the range are taken in batches, because no class is tried on them;
 * at the beginning of the tensor such a batch is small, for a number or two exclude the classes. */
int bounded_most(const struct traversal *t, const struct evidence *evidence);

/* Loads truths, error bounds and results of `count` elements of the slice, from element `first` of its truth
 * on; the results lie `stride` bytes apart from `got` on. */
void bounded_load(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct bounded_batch *run);

/* Fills `plain`, `error_over_bound` and `q` (0 where the envelope does not decide) of a loaded batch, and
 * judges nothing. Elements that are not plain must be looked at alone. */
void bounded_rank(const struct traversal *t, struct bounded_batch *run);

/* Takes all elements of a loaded batch as numbers, which nearly all batches allow. If it returns false,
 * metrics and evidence are unchanged and bounded_find and bounded_take are needed. */
bool bounded_take_whole(struct judging *j, const struct traversal *t, struct evidence *evidence,
                        struct bounded_batch *run);

/* Finds how each element of a loaded batch is to be taken, in `taken`. */
void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first,
                  struct bounded_batch *run);

/* Adds elements `from` to `to` − 1 of a batch to metrics and evidence; none may be BOUNDED_ALONE. The batch
 * begins at element `first` of the slice's truth. */
void bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                  struct bounded_batch *run, int from, int to);

/* The first element from `from` on with the greatest nu of those taken last, if that exceeds `least`; else
 * −1. */
int bounded_furthest(const struct bounded_batch *run, int from, double least);

#endif

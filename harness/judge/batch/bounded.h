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
#include "reference/operator/limit_run.h"

enum { BOUNDED_RUN = LIMIT_RUN };

/* How an element is judged: alone; as a number; as the NaN or infinity that it must be; as a zero whose truth
 * lies far below the least subnormal number. */
enum bounded_kind { BOUNDED_ALONE, BOUNDED_NUMBER, BOUNDED_SPECIAL, BOUNDED_VANISHED };

/* A batch, one column for each property of its elements. In an element that is not taken the other columns
 * have no meaning. Masks are all ones or 0. */
struct bounded_run {
    int count;                        /* ≤ BOUNDED_RUN */
    unsigned char taken[BOUNDED_RUN]; /* enum bounded_kind */
    int64_t plain[BOUNDED_RUN];       /* mask: may be taken as a number, as far as is known */
    struct value_run truth;
    const double *radius;                          /* of the truth, around hi + lo */
    double wide[BOUNDED_RUN];                      /* the radius before any element was certified */
    double got[BOUNDED_RUN], rounded[BOUNDED_RUN]; /* rounded: RN(truth) */
    double error[BOUNDED_RUN], ulp[BOUNDED_RUN];   /* error: got − truth */
    double nu[BOUNDED_RUN], q[BOUNDED_RUN], quality[BOUNDED_RUN];
    double held[BOUNDED_RUN];                         /* the error bound in force, for the resolving power */
    int64_t known[BOUNDED_RUN], decides[BOUNDED_RUN]; /* masks: has an envelope; the envelope decides */
    int64_t unresolved[BOUNDED_RUN], aside[BOUNDED_RUN]; /* masks; aside: excluded from the bias test */
    double off[BOUNDED_RUN], lean[BOUNDED_RUN];   /* in ulp: |error|; sgn(truth)·(got − RN(truth)) */
    double slack[BOUNDED_RUN], size[BOUNDED_RUN]; /* in ulp: E_compute; |truth| */
    struct limit_run limit, good;                 /* good: those of a good implementation, */
    bool graded;                                  /* if they differ */
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
                  struct bounded_run *run);

/* Takes all elements of a loaded batch as numbers, which nearly all batches allow. If it returns false,
 * metrics and evidence are unchanged and bounded_find and bounded_take are needed. */
bool bounded_take_whole(struct judging *j, const struct traversal *t, struct evidence *evidence,
                        struct bounded_run *run);

/* Finds how each element of a loaded batch is to be taken, in `taken`. */
void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first,
                  struct bounded_run *run);

/* Adds elements `from` to `to` − 1 of a batch to metrics and evidence; none may be BOUNDED_ALONE. The batch
 * begins at element `first` of the slice's truth. */
void bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                  struct bounded_run *run, int from, int to);

/* The first element from `from` on with the greatest nu of those taken last, if that exceeds `least`; else
 * −1. */
int bounded_furthest(const struct bounded_run *run, int from, double least);

#endif

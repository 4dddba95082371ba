/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_H
#define ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_H

/* Elements that are held against B and Q and lie well within both, many at a time: of ordinary size, with a
 * radius of the truth that leaves nothing open; and those at the ends of the range (ends.h). What that makes
 * of an element is what judging it alone does, to the bit; whatever is not so plain is left to that. */

#include "harness/judge/judging.h"
#include "reference/operator/limit_run.h"

enum { BOUNDED_RUN = LIMIT_RUN };

/* How an element is taken: a number; NaN or an infinity, as it must be; zero for what is far below all
 * numbers. */
enum bounded_kind { BOUNDED_ALONE, BOUNDED_NUMBER, BOUNDED_SPECIAL, BOUNDED_VANISHED };

/* Of each element of a run; where it is not taken the rest means nothing. Masks are all ones or 0. */
struct bounded_run {
    int count;                        /* ≤ BOUNDED_RUN */
    unsigned char taken[BOUNDED_RUN]; /* enum bounded_kind */
    int64_t plain[BOUNDED_RUN];       /* mask: a number that may be taken, as far as is known */
    struct value_run truth;
    const double *radius;                          /* of the truth, around hi and lo */
    double wide[BOUNDED_RUN];                      /* the same as it was before any was certified */
    double got[BOUNDED_RUN], rounded[BOUNDED_RUN]; /* rounded: RN(truth) */
    double error[BOUNDED_RUN], ulp[BOUNDED_RUN];   /* got − truth */
    double nu[BOUNDED_RUN], q[BOUNDED_RUN], quality[BOUNDED_RUN];
    double held[BOUNDED_RUN];                            /* the least limit: the resolving power */
    int64_t known[BOUNDED_RUN], decides[BOUNDED_RUN];    /* masks: the envelope is, and says something */
    int64_t unresolved[BOUNDED_RUN], aside[BOUNDED_RUN]; /* masks: aside: no part of the bias (metrics.h) */
    double off[BOUNDED_RUN], lean[BOUNDED_RUN];   /* in ulp: |error|, sgn(truth)·(got − RN(truth)), */
    double slack[BOUNDED_RUN], size[BOUNDED_RUN]; /* E_compute, |truth| */
    struct limit_run limit, good;                 /* good: of a good implementation, */
    bool graded;                                  /* where that has other limits */
    bool uniform; /* all elements at the ends of the range, and alike in everything that stands here */
    bool numbers; /* all elements may be taken as numbers */
    double furthest, most; /* the greatest nu and |error| in ulp of those that were taken last */
};

/* How many elements of the slice in hand to look at next; 0: none may be so. Of a tensor whose wrong classes
 * are not excluded yet only the ends of the range are taken, on which none is tried: few where it begins, for
 * a number or two exclude them. */
int bounded_most(const struct traversal *t, const struct evidence *evidence);

/* Their truths, limits and results: `count` of the slice from element `first` of its truth on, whose results
 * lie `stride` bytes apart from `got` on. */
void bounded_load(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct bounded_run *run);

/* Takes all of a loaded run as numbers, as nearly all runs are; false, and nothing is changed, where it takes
 * the next two to do that. */
bool bounded_take_whole(struct judging *j, const struct traversal *t, struct evidence *evidence,
                        struct bounded_run *run);

/* How the elements of a loaded run are taken. */
void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first,
                  struct bounded_run *run);

/* Takes numbers `from` to `to` − 1 of a run from element `first` on, all of which may be taken. */
void bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                  struct bounded_run *run, int from, int to);

/* The first of those that were taken last, from number `from` on, that came furthest towards its limit, if
 * further than `least`; −1 else. */
int bounded_furthest(const struct bounded_run *run, int from, double least);

#endif

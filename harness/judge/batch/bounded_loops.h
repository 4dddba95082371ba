/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_LOOPS_H
#define ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_LOOPS_H

/* The loops of bounded.h over the elements of a run, each computed alone by + − × ÷ that round as IEEE 754
 * says: the same bits with any width of vectors, on any machine. Of elements that are not plain the numbers
 * mean nothing. */

#include "harness/judge/batch/bounded.h"

/* What is the same for all elements. */
struct bounded_format {
    double unit;         /* 2u: the unit in the last place of 1 */
    double least_normal; /* below twice of that, units are no part of the number's binade */
    bool narrow;         /* than float64: truths are rounded */
};
struct bounded_format bounded_format_of(enum dtype dtype);

/* rounded, error, ulp; plain where the result is a number; the truth is not so near the middle between two
 * numbers that its radius `wide`, or its second part `low`, decides which is nearer; nor is the radius large
 * beside the unit in the last place. */
void bounded_loops_errors(const struct bounded_format *format, int count, struct bounded_run *run);

/* nu, q, held, decides; not plain any more is what lies near a limit, or beyond. */
void bounded_loops_ratios(int count, bool may_fail, struct bounded_run *run);

/* quality, over the limits of a good implementation. */
void bounded_loops_quality(int count, struct bounded_run *run);

/* off, lean, slack, size, aside of numbers `from` to `to` − 1, all of them plain. open: rounding's direction
 * is.
 */
void bounded_loops_measures(const struct bounded_format *format, int from, int to, bool open,
                            struct bounded_run *run);

/* How many of numbers `from` to `to` − 1 are RN(truth); err by less than an ulp; err by 0, by at most a half,
 * 1, 2 and 4 ulp: the first of metrics_bucket's, those before it counted with each. And their greatest
 * |error| in ulp. */
enum { BOUNDED_NEAR = 5 };
struct bounded_counts {
    int64_t exact, faithful, at_most[BOUNDED_NEAR];
    double most;
};
void bounded_loops_count(int from, int to, const struct bounded_run *run, struct bounded_counts *counts);

/* Of numbers, none of them NaN; −infinity of none. */
double bounded_loops_greatest(const double *x, int count);

/* Adds numbers `from` to `to` − 1 as metrics_add does, the first of them to `part`; how many of them are in
 * the bias test. */
int64_t bounded_loops_sums(int from, int to, const struct bounded_run *run, int part,
                           struct metrics_sums *sum);

/* The least |δ| by which evidence_resolve says that these, held to within `held`, are resolved, infinity
 * where there is none below `known`; whether it has more to say of some, which are marked in `unresolved`. */
struct bounded_resolution {
    double least;
    bool more;
};
void bounded_loops_resolve(const struct bounded_format *format, int from, int to, double known,
                           struct bounded_run *run, struct bounded_resolution *found);

/* All of that at once of numbers 0 to `count` − 1, a multiple of METRICS_PARTS, of a type narrower than
 * float64 and without envelopes, where all are plain, which nearly all runs are: nu, off; sums from part 0
 * on; the rest; `more`: whether bounded_loops_resolve has something to say; `fewer`: whether a truth may lie
 * within less than `many` times its radius from 0 (settle.h). False, and nothing holds, where one is not. */
struct bounded_whole {
    struct metrics_sums sum;
    struct bounded_counts counts;
    double nu, quality; /* the greatest */
    int64_t biased;
    double many; /* of the bits that are few */
    bool more, fewer;
};
bool bounded_loops_whole(const struct bounded_format *format, int count, double known, bool open,
                         struct bounded_run *run, struct bounded_whole *whole);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool bounded_loops_force(int machine);

#endif

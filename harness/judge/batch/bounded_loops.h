/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_LOOPS_H
#define ASSAY_HARNESS_JUDGE_BATCH_BOUNDED_LOOPS_H

/* The loops of bounded.h over the elements of a batch. Each element is computed alone, by + − × ÷ that round
 * as IEEE 754 says: the bits are the same with any width of vectors, on any machine. In elements that are not
 * plain the results have no meaning. */

#include "harness/judge/batch/bounded.h"

/* What the dtype fixes for all elements. */
struct bounded_format {
    double unit;         /* 2u: the unit in the last place of 1 */
    double least_normal; /* numbers below twice this may have another ulp than their binade gives */
    bool narrow;         /* narrower than float64: truths must be rounded */
};
struct bounded_format bounded_format_of(enum dtype dtype);

/* Fills rounded, error and ulp. An element stays plain if the result is finite, the radius `wide` is at most
 * 2^-12 ulp, and the truth is not so near a rounding tie that its radius or its low part decides how it
 * rounds. */
void bounded_loops_errors(const struct bounded_format *format, int count, struct bounded_batch *run);

/* Fills nu, held and, if there is an envelope, q and decides. An element near an error bound or beyond it is
 * no longer plain. */
void bounded_loops_ratios(int count, bool may_fail, struct bounded_batch *run);

/* Fills quality, from the error bounds of a good implementation. */
void bounded_loops_quality(int count, struct bounded_batch *run);

/* Fills off, lean, slack, size and aside of elements `from` to `to` − 1, all of them plain. open: the profile
 * leaves the direction of rounding open. */
void bounded_loops_measures(const struct bounded_format *format, int from, int to, bool open,
                            struct bounded_batch *run);

/* Counts over elements `from` to `to` − 1: equal to RN(truth); with errors below one ulp; with errors of 0,
 * of at most 1/2, 1, 2 and 4 ulp (the first buckets of metrics_bucket, cumulative). `most` is the greatest
 * |error| in ulp. */
enum { BOUNDED_NEAR = 5 };
struct bounded_counts {
    int64_t exact, faithful, at_most[BOUNDED_NEAR];
    double most;
};
void bounded_loops_count(int from, int to, const struct bounded_batch *run, struct bounded_counts *counts);

/* The greatest of `count` numbers, none of them NaN; −infinity if there are none. */
double bounded_loops_greatest(const double *x, int count);

/* Adds elements `from` to `to` − 1 to the sums as metrics_add does, the first one to `part`. Returns how many
 * are in the bias test. */
int64_t bounded_loops_sums(int from, int to, const struct bounded_batch *run, int part,
                           struct metrics_sums *sum);

/* Finds the least |δ| that evidence_resolve finds for elements with the error bounds `held`; infinity if none
 * is below `known`. `more`: some elements need evidence_resolve itself, and are marked in `unresolved`. */
struct bounded_resolution {
    double least;
    bool more;
};
void bounded_loops_resolve(const struct bounded_format *format, int from, int to, double known,
                           struct bounded_batch *run, struct bounded_resolution *found);

/* Does all of this in one pass over elements 0 to `count` − 1, if all are plain, as in nearly all batches.
 * `count` is a multiple of METRICS_PARTS, the dtype is narrower than float64 and there is no envelope. Fills
 * nu and off, and adds to the sums from part 0 on. `more`: bounded_loops_resolve is needed; `fewer`: some
 * truth is less than `many` times its radius (refine.h). Returns false, and no result has a meaning, if an
 * element is not plain. */
struct bounded_whole {
    struct metrics_sums sum;
    struct bounded_counts counts;
    double error_over_bound, quality; /* the greatest of each */
    int64_t biased;
    double many; /* given: refine_bits_scale of the bits so far */
    bool more, fewer;
};
bool bounded_loops_whole(const struct bounded_format *format, int count, double known, bool open,
                         struct bounded_batch *run, struct bounded_whole *whole);

/* For tests: selects the loops of one ISA, 0 the generic one; < 0: the best there is, as at the start.
 * Returns false if this machine or build has no such loops. No other thread may be judging. */
bool bounded_loops_force(int isa);

#endif

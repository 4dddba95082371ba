/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_ENDS_H
#define ASSAY_HARNESS_JUDGE_BATCH_ENDS_H

/* Judges elements at the ends of the range in batches (bounded.h): special values, results beyond the
 * greatest number, and zeros of truths far below the least subnormal number. The operator's acceptance sets
 * must be accept_default's, without an envelope. Half of all inputs of exp and of log are such elements. */

#include "harness/judge/batch/bounded.h"

/* Marks the elements of a batch that may be taken, in `taken`. Error bounds and results must have been
 * loaded. */
void ends_find(const struct traversal *t, int64_t first, int count, struct bounded_batch *run);

/* Adds elements `from` to `to` − 1, all of them marked, to metrics and evidence, as judging each alone would.
 */
void ends_take(struct metrics *metrics, struct evidence *evidence, const struct traversal *t,
               const struct bounded_batch *run, int from, int to);

#endif

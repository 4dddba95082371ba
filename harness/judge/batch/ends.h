/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_BATCH_ENDS_H
#define ASSAY_HARNESS_JUDGE_BATCH_ENDS_H

/* Elements at the ends of the range, of a run that is judged together (bounded.h): of operators whose
 * acceptance sets are accept_default's, without an envelope. Half of all inputs of exp and of log are such.
 */

#include "harness/judge/batch/bounded.h"

/* Marks those of a run that may be taken, limits and results of which are there. */
void ends_find(const struct traversal *t, int64_t first, int count, struct bounded_run *run);

/* As judging alone, of numbers `from` to `to` − 1, all of them marked. */
void ends_take(struct metrics *metrics, struct evidence *evidence, const struct traversal *t,
               const struct bounded_run *run, int from, int to);

#endif

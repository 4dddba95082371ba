/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_H
#define ASSAY_HARNESS_BENCH_BENCH_H

/* The subjects of `assay bench`. Each prints to stdout and returns an exit status. */

#include "harness/run/run.h"
#include "harness/selection/plan.h"

/* Truths per second and operator, computed and from the cache; in this process. */
int bench_reference(const struct plan *plan, const struct plan_options *options,
                    const struct selection *selection);

/* Device time and cells per second of each case. */
int bench_kernels(const struct plan *plan, const struct plan_options *options,
                  const struct selection *selection);

/* Tiny cases per second, overhead per case, wall time of the levels cold and warm, their core-seconds by who
 * took them, peak memory. */
int bench_runner(struct plan *plan, const struct plan_options *options, const struct texts *globs);

/* What the limits resolve on random problems: the witness as it comes back and spoiled. Operators by name. */
int bench_resolution(const struct plan_options *options, const struct texts *operators);

/* Which single wrong elements the judge would accept, per operator and dtype (wrong_elements.h). */
int bench_wrong(const struct plan *plan, const struct plan_options *options, struct selection *selection);

/* One digest of all truths and limits for each way to compute them; EXIT_GATE where they are not equal. */
int bench_digest(const struct plan *plan, const struct plan_options *options,
                 const struct selection *selection);

/* Truth, limits and verdict at the sizes of real tensors, beside a peer. Operators by name. */
int bench_sizes(const struct plan_options *options, const struct texts *operators);

/* Elementary functions in double (reference/numeric/elementary/elementary.h) beside the C library's. Functions by name. */
int bench_elementary(const struct plan_options *options, const struct texts *functions);

#endif

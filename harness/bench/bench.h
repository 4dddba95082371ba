/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_H
#define ASSAY_HARNESS_BENCH_BENCH_H

/* The subjects of `assay bench`. Each prints its table to stdout and returns an exit status. */

#include "harness/run/run.h"
#include "harness/selection/plan.h"

/* Measures truths per second of each operator, computed and from the cache, in this process. */
int bench_reference(const struct plan *plan, const struct plan_options *options,
                    const struct selection *selection);

/* Measures the device time and the cells per second of each case. */
int bench_kernels(const struct plan *plan, const struct plan_options *options,
                  const struct selection *selection);

/* Measures calls at real sizes on each backend and compares the backends' results in norm. `globs`: names of
 * rows or operators. Returns EXIT_GATE if results differ or a row could not be compared. */
int bench_kernel_sizes(const struct plan_options *options, const struct texts *globs, int64_t scale);

/* Measures tiny cases per second, the overhead of a case, the wall time of each level with cold and warm
 * caches, the core-seconds by part of the work, and peak memory. */
int bench_runner(struct plan *plan, const struct plan_options *options, const struct texts *globs);

/* Measures what the error bounds resolve on random problems: results of the CPU backend, unchanged and
 * spoiled. `operators`: names. */
int bench_resolution(const struct plan_options *options, const struct texts *operators);

/* Finds single wrong elements that the judge would accept, for each operator and dtype (wrong_elements.h).
 */
int bench_wrong(const struct plan *plan, const struct plan_options *options, struct selection *selection);

/* Computes one digest of all truths and error bounds in each execution configuration. Returns EXIT_GATE if
 * they differ. */
int bench_digest(const struct plan *plan, const struct plan_options *options,
                 const struct selection *selection);

/* Measures truth, error bounds and verdict at realistic tensor sizes, with a matrix product of the BLAS for
 * comparison. `operators`: names. */
int bench_sizes(const struct plan_options *options, const struct texts *operators);

/* Measures the elementary functions in double (reference/numeric/elementary/elementary.h) beside the C
 * library's. `functions`: names. */
int bench_elementary(const struct plan_options *options, const struct texts *functions);

#endif

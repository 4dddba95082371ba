/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_LATER_RUNS_H
#define ASSAY_HARNESS_JUDGE_LATER_RUNS_H

/* Runs of a program with observed steps that differ, as a profile may allow under `nondeterministic`: each
 * has its own operands behind the step in which it differs, and so its own truth. */

#include "harness/judge/judge.h"

/* Judges every run behind the first whose results differ from those of all runs before it, from its own bits.
 * `record` is the verdict on run 0. The first run that fails replaces it, and the reason names the run. Does
 * nothing for other programs, and where run 0 has failed. Returns false with the reason if a run cannot be
 * judged. */
bool judge_later_runs(const struct judge_request *request, const struct truth_source *source,
                      struct record *record, struct error *error);

#endif

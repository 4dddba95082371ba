/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_CASE_H
#define ASSAY_HARNESS_JUDGE_CASE_H

/* The main road: one case from its declaration to its record, inside a worker process.
 *
 * build program → truth (cache) → run on the backend twice or more with different poison → judge → record.
 *
 * Where the same bits came back to the same question before, truth and judgement are remembered. */

#include "reference/program/backend.h"
#include "harness/judge/memory/images.h"
#include "harness/judge/remembered.h"
#include "reports/records/record.h"
#include "suites/suite.h"

/* What the case is doing: the pool puts the time limit on RUN, and names the phase when the worker dies. */
enum case_phase { PHASE_REFERENCE, PHASE_RUN, PHASE_JUDGE };

/* CPU time of a case in its worker, nanoseconds: of the truth, in slices or at once; of the calls of the
 * backend, by whatever threads of this process; of the verdict; of a procedure, all of it. Inputs and images
 * are in none. */
struct case_cost {
    int64_t reference, device, judge, procedure;
};

struct case_options {
    uint64_t seed;
    int repeat;                        /* runs on the backend, ≥ 2; pattern A, pattern B, A, B, … */
    bool unjudged;                     /* run it on the backend and leave it at that: no truth, no verdict */
    int threads;                       /* for the truth and verdict of a large tensor; below 2: one */
    bool whole;                        /* no truth in slices: `inspect` wants all of it */
    bool self_test;                    /* spoil one value on its way back (negative control) */
    const struct truth_source *source; /* truth cache; NULL: compute always */
    /* Where verdicts are remembered; NULL: judge. Not asked of what is spoiled, inspected or not judged. */
    const struct verdict_source *verdicts;
    void (*phase)(void *user, enum case_phase phase); /* may be NULL */
    /* After the verdict, while everything is still there: for commands that show more than a record. May be
     * NULL. */
    void (*inspect)(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile);
    void *user;
    struct case_cost *cost; /* out; may be NULL */
};

/* Fills the record except `backend` and `repro`, which are the caller's to name. Every outcome is a status;
 * false only when the device is lost, so that the worker must be replaced (the record is then status error
 * with the reason). */
bool case_run(const struct suite_case *c, const char *id, const struct backend_class *class,
              struct backend *backend, const struct case_options *options, struct record *record);

#endif

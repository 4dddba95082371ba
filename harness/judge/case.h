/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_CASE_H
#define ASSAY_HARNESS_JUDGE_CASE_H

/* Runs one case from its declaration to its record, inside a worker process: builds the program, finds its
 * truth (from the cache or by computing it), runs it on the backend at least twice with different poison,
 * judges the results and fills the record.
 *
 * If the backend returns the same bits for the same request as in an earlier run, the verdict comes from the
 * verdict cache and no truth is computed (remembered.h). */

#include "harness/judge/memory/images.h"
#include "harness/judge/verdict_query.h"
#include "reference/program/backend.h"
#include "reports/records/record.h"
#include "suites/suite.h"

/* Phases of a case. The pool limits the time of PHASE_RUN to --time-limit, that of the other phases more
 * generously, and names the phase when the worker dies. */
enum case_phase { PHASE_REFERENCE, PHASE_RUN, PHASE_JUDGE };

/* CPU time that a case takes in its worker process, in nanoseconds. `reference`: computing the truth, at once
 * or in slices. `device`: the calls of the backend, summed over all threads of this process. `judge`: the
 * verdict. `procedure`: the whole of a procedure. Building inputs and filling images is not counted. */
struct case_cost {
    int64_t reference, device, judge, procedure;
};

struct case_options {
    uint64_t seed;
    int repeat;     /* runs on the backend, 2 to 1000; poison A, B, A, B, … */
    bool unjudged;  /* only run it on the backend: no truth, no verdict */
    int threads;    /* that judge a large tensor and compute its truth in slices; below 2: one */
    bool whole;     /* compute the truth at once, not in slices: `inspect` needs all of it */
    bool self_test; /* spoil one value before it is judged (negative control) */
    const struct truth_source *source; /* truth cache; NULL: always compute the truth */
    /* The verdict cache; NULL: always judge. It is not used if the case is spoiled, inspected or not judged.
     */
    const struct verdict_source *verdicts;
    void (*phase)(void *user, enum case_phase phase); /* may be NULL */
    void (*progress)(void *user, double done);        /* of PHASE_JUDGE; see judge.h; may be NULL */
    /* Called after the verdict, while program, truth and images still exist; for commands that show more than
     * a record. May be NULL. */
    void (*inspect)(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile);
    void *user;
    struct case_cost *cost; /* out; may be NULL */
};

/* Runs the case and fills the record except `backend` and `repro`, which the caller sets. Every outcome is a
 * status of the record. Returns false only if the device is lost and the worker must be replaced; the record
 * then has status error with the reason. */
bool case_run(const struct suite_case *c, const char *id, const struct backend_class *class,
              struct backend *backend, const struct case_options *options, struct record *record);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RUN_H
#define ASSAY_HARNESS_RUN_RUN_H

/* Runs the selected cases on one backend: takes the records from the worker pool, runs suspects again
 * (rerun.h), applies the baseline, and keeps and writes the records one by one. */

#include "harness/gate/baseline.h"
#include "harness/run/results_file.h"
#include "harness/run/resume.h"
#include "harness/selection/select.h"
#include "harness/workers/pool.h"

struct run_plan {
    const struct suite_list *list;
    const struct selection *selection; /* in the order in which cases are handed out */
    struct worker_setup setup;         /* names the backend */
    const char *name;                  /* the backend's name in records; NULL: as it was selected */
    int jobs;
    bool mixed; /* keep the order of the selection, instead of grouping cases by operator */
    double time_limit;
    const char *program; /* argv[0] */
    const char *command; /* the command line, for the header */
    enum level level;
    struct baseline *baseline; /* may be NULL */
    struct results_file *to; /* each record is written and flushed here as soon as it is final; may be NULL */
    unsigned gate;
    int max_failures; /* the run stops after this many failures; 0: never */
    bool quiet;
    bool keep_suspects;                  /* report a suspect at once instead of running it again */
    const struct resume *resume;         /* the run that goes on here; NULL: a new run */
    const struct record_header *earlier; /* its header, which is among the results already; NULL: none */
    const int *before;                   /* cases to run, unjudged, before the selected one */
    int before_count;
};

struct run_outcome {
    enum pool_end end;
    struct pool_usage usage;
    bool refused; /* the device is not that of the run to go on with, as the error says */
    int reruns;
    double seconds;      /* of the whole run */
    double open_seconds; /* until the first worker had opened the backend */
};

/* Fills the header with what this process knows of the run: everything but the device. The caller clears it.
 */
void run_header(const struct run_plan *plan, struct record_header *header);

/* Runs the plan. Appends a header and one record for every selected case to the results; cases that an
 * interrupt left have status missing. Returns false when no worker could open the backend (the error says
 * why, and nothing is appended), or when the results file or memory failed. */
bool run_backend(const struct run_plan *plan, struct results *results, struct run_outcome *outcome,
                 struct error *error);

/* Appends a header that says that nothing was run, and why: the backend did not open, or the run was refused.
 * The fault in this header fails the gate of every reader. Returns false when the results file or memory
 * failed. */
bool run_not_started(const struct run_plan *plan, const char *why, struct results *results,
                     struct error *error);

#endif

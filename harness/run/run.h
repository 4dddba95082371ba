/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RUN_H
#define ASSAY_HARNESS_RUN_RUN_H

/* One backend through one selection: the pool's records, suspects run again, the baseline applied, results
 * kept and written one by one. */

#include "harness/gate/baseline.h"
#include "harness/selection/select.h"
#include "harness/run/results_file.h"
#include "harness/workers/pool.h"

struct run_plan {
    const struct suite_list *list;
    const struct selection *selection; /* in the order of dispatch */
    struct worker_setup setup;         /* names the backend */
    const char *name;                  /* what records call it; NULL: as it was selected */
    int jobs;
    bool mixed; /* operators too are in the order of the selection, not each in one piece */
    double time_limit;
    const char *program; /* argv[0] */
    const char *command; /* the command line, for the header */
    enum level level;
    struct baseline *baseline; /* may be NULL */
    struct results_file *to;   /* each record is written and flushed here as it comes; may be NULL */
    unsigned gate;
    int max_failures; /* the run stops after so many; 0: never */
    bool quiet;
    bool keep_suspects; /* do not run suspects again */
    const int *before;  /* cases to run, unjudged, before the one that is selected */
    int before_count;
};

struct run_outcome {
    enum pool_end end;
    struct pool_usage usage;
    int reruns;
    double seconds;      /* in all */
    double open_seconds; /* until the first worker had its device */
};

/* Appends a header and one record for every selected case (status missing for those that an interrupt left)
 * to the results. False when no worker could open the backend (the error says why, nothing is appended) or
 * when the results file or memory failed. */
bool run_backend(const struct run_plan *plan, struct results *results, struct run_outcome *outcome,
                 struct error *error);

/* Appends a header that says that nothing was run, and why: for a backend that did not open, or a run that
 * was refused. Its fault fails the gate of whoever reads it. False when the results file or memory failed. */
bool run_not_started(const struct run_plan *plan, const char *why, struct results *results,
                     struct error *error);

#endif

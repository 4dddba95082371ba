/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_WORKER_H
#define ASSAY_HARNESS_WORKERS_WORKER_H

/* The side of a run that touches a device: a worker opens the backend once, then runs case after case in this
 * process. */

#include "harness/cache/cache.h"
#include "harness/judge/case.h"

enum { WORKER_TIME_LIMIT = 60 }; /* seconds on the device, unless --time-limit says otherwise */

struct worker_setup {
    const char *backend;  /* as on the command line */
    const char *cache;    /* directory of the truth cache; NULL: none */
    const char *verdicts; /* directory of the verdict cache; NULL: none */
    uint64_t seed;
    int repeat;
    bool validate;
    double time_limit; /* used only in the replay's command line; 0: the default */
    /* the record of a case that passes also names its worst element and, as `detail`, the error bound there,
     * followed by explain_envelope where an envelope decides; the detail of a case that fails ends in its
     * diagnosis */
    bool explain;
    /* directory where results are saved beside the truth (harness/judge/values.h), with `explain`; NULL: none
     */
    const char *values;
};

struct worker;

/* Opens the backend and the caches. Returns NULL with the reason on failure. `list` and the texts of the
 * setup must outlive the worker. */
struct worker *worker_open(const struct worker_setup *setup, const struct suite_list *list,
                           struct error *error);
void worker_close(struct worker **worker);

/* Fills the device part of a header. */
void worker_describe(const struct worker *worker, struct record_header *header);

/* Sets a function to be called whenever a case enters a phase. */
void worker_on_phase(struct worker *worker, void (*phase)(void *user, enum case_phase phase), void *user);

/* Counts of the truth cache since the worker was opened; zeros without a cache. */
struct cache_statistics worker_cache_statistics(const struct worker *worker);

enum worker_mode {
    WORKER_JUDGED,
    WORKER_SELF_TEST, /* with one value of the result changed before it is judged */
    /* runs on the backend only, for the state that this leaves behind; the record holds id and device */
    WORKER_UNJUDGED
};

/* Runs one case. The record has all members, or status error where memory ran out. Returns false when the
 * device is lost. */
bool worker_run(struct worker *worker, int index, enum worker_mode mode, struct record *record);

/* The CPU time of the latest case. */
struct case_cost worker_cost(const struct worker *worker);

/* Returns "reference", "run" or "judge". */
const char *worker_phase_name(enum case_phase phase);

/* --- replay.c */

/* Returns the command that replays a case alone, or after other cases of the list; owned by the caller. NULL
 * when out of memory. */
char *worker_replay(const struct worker_setup *setup, const char *id);
char *worker_replay_after(const struct worker_setup *setup, const char *id, const struct suite_list *list,
                          const int *before, int count);
/* Returns the source line of a case, such as "suites/linalg/logdet.c:41"; owned by the caller. */
char *worker_source(const struct suite_case *c);

/* --- worker_process.c */

/* The hidden subcommand `assay worker`: speaks the protocol of harness/workers/child.h on descriptors 3 and
 * 4. worker_arguments makes its arguments. */
int worker_main(int argc, char **argv);

/* Builds the command line of a worker process. `processes`: number of workers that share the processors. */
enum { WORKER_ARGUMENTS_MAX = 24 };
struct worker_arguments {
    const char *argv[WORKER_ARGUMENTS_MAX]; /* point into the arrays below and into the setup */
    char seed[24], repeat[16], time_limit[32], processes[16];
};
void worker_arguments(const struct worker_setup *setup, int processes, struct worker_arguments *arguments);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_WORKER_H
#define ASSAY_HARNESS_WORKERS_WORKER_H

/* The side of a run that touches a device: opens the backend once, then runs case after case. */

#include "harness/cache/cache.h"
#include "harness/judge/case.h"

enum { WORKER_TIME_LIMIT = 60 }; /* seconds on the device, where nothing else is asked for */

struct worker_setup {
    const char *backend;  /* as on the command line */
    const char *cache;    /* directory of the truth cache; NULL: none */
    const char *verdicts; /* directory of remembered verdicts; NULL: none */
    uint64_t seed;
    int repeat;
    bool validate;
    double time_limit; /* for the replay's command line only; 0: the default */
    bool explain; /* a case that passes also names its worst element, and as `detail` the bound there; behind
                     it, where an envelope decides, explain_envelope; the detail of one that fails ends in its
                     diagnosis */
    const char *values; /* where results are saved beside the truth (harness/judge/values.h), with explain;
                           NULL: nowhere */
};

struct worker;

/* Opens the backend and the cache. NULL with the reason. `list` and the texts of the setup outlive the
 * worker. */
struct worker *worker_open(const struct worker_setup *setup, const struct suite_list *list,
                           struct error *error);
void worker_close(struct worker **worker);

/* Fills a header's device part. */
void worker_describe(const struct worker *worker, struct record_header *header);

/* Calls `phase` whenever a case enters one. */
void worker_on_phase(struct worker *worker, void (*phase)(void *user, enum case_phase phase), void *user);

/* Of the cache of truths, since the worker was opened; zeros without one. */
struct cache_statistics worker_cache_statistics(const struct worker *worker);

enum worker_mode {
    WORKER_JUDGED,
    WORKER_SELF_TEST, /* with one value spoiled on its way back */
    WORKER_UNJUDGED   /* on the backend only, for what it leaves behind there: id and device are true */
};

/* Runs one case; the record has all members, or its status is error where there was no memory for one. False
 * when the device is lost. */
bool worker_run(struct worker *worker, int index, enum worker_mode mode, struct record *record);

/* What the latest case took. */
struct case_cost worker_cost(const struct worker *worker);

/* "reference", "run", "judge" */
const char *worker_phase_name(enum case_phase phase);

/* --- replay.c */

/* The command that replays a case alone, or after others of the list; owned by the caller. */
char *worker_replay(const struct worker_setup *setup, const char *id);
char *worker_replay_after(const struct worker_setup *setup, const char *id, const struct suite_list *list,
                          const int *before, int count);
/* "suites/linalg/logdet.c:41", owned by the caller. */
char *worker_source(const struct suite_case *c);

/* --- worker_process.c */

/* The hidden subcommand `assay worker`: speaks the protocol of harness/workers/child.h on descriptors 3
 * and 4. The arguments are made by worker_arguments. */
int worker_main(int argc, char **argv);

/* `processes`: so many share the processors. */
enum { WORKER_ARGUMENTS_MAX = 24 };
struct worker_arguments {
    const char *argv[WORKER_ARGUMENTS_MAX]; /* point into text and the setup */
    char seed[24], repeat[16], time_limit[32], processes[16];
};
void worker_arguments(const struct worker_setup *setup, int processes, struct worker_arguments *arguments);

#endif

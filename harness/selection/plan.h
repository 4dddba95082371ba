/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_PLAN_H
#define ASSAY_HARNESS_SELECTION_PLAN_H

/* What all commands that run cases share: their options, the list of cases, the backends. */

#include "harness/options/options.h"
#include "harness/selection/select.h"
#include "harness/workers/worker.h"

#include <limits.h>

/* argv[0] of the program, with which it starts its workers where /proc/self/exe does not exist. Set by main.
 */
extern const char *plan_program;

struct plan_options {
    struct texts backends; /* at least one after plan_open */
    struct texts excludes;
    enum level level;
    uint64_t seed;
    int64_t jobs, repeat;
    double time_limit;
    bool wild; /* inputs of suites/wild.h; plan_open sets this in the seed */
    bool validate, no_cache, no_verdict_cache;
    struct shard shard;
    const struct case_words *among; /* ids of the only cases that are selected; NULL: of all */
    const char *costs; /* a results file with the costs by which shards are balanced; NULL: none */
};

struct plan_options plan_defaults(void);

struct plan {
    struct suite_list *list;
    /* directories of the truth cache and the verdict cache; "": not used */
    char cache[PATH_MAX], verdicts[PATH_MAX];
};

/* Chooses a default backend if none is named, checks that every backend is known, builds the list of cases
 * and finds the caches. Returns false with the reason on a usage error. */
bool plan_open(struct plan *plan, struct plan_options *options, struct error *error);
/* As plan_open, for calls that are no cases: without the list, which takes a fifth of a second. */
bool plan_open_calls(struct plan *plan, struct plan_options *options, struct error *error);
void plan_close(struct plan *plan, struct plan_options *options);

/* The setup of a worker, without a verdict cache: commands that show or measure a verdict need it computed.
 */
struct worker_setup plan_setup(const struct plan *plan, const struct plan_options *options,
                               const char *backend);

/* Selects cases by globs, level, excludes and shard. Prints to stderr how many costs are guessed. */
bool plan_select(const struct plan *plan, const struct plan_options *options, const struct texts *globs,
                 struct selection *selection, struct error *error);

#endif

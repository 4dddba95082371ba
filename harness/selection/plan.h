/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_PLAN_H
#define ASSAY_HARNESS_SELECTION_PLAN_H

/* What the commands that run cases have in common: their options, the case list, the backends. */

#include "harness/options/options.h"
#include "harness/selection/select.h"
#include "harness/workers/worker.h"

#include <limits.h>

/* argv[0] of the program: how it starts its workers where there is no /proc/self/exe. Set by main. */
extern const char *plan_program;

struct plan_options {
    struct texts backends; /* at least one after plan_open */
    struct texts excludes;
    enum level level;
    uint64_t seed;
    int64_t jobs, repeat;
    double time_limit;
    bool wild; /* inputs as suites/wild.h has them; plan_open adds that to the seed */
    bool validate, no_cache, no_verdict_cache;
    struct shard shard;
    const char *costs; /* a results file that shards are balanced by; NULL: none */
};

struct plan_options plan_defaults(void);

struct plan {
    struct suite_list *list;
    char cache[PATH_MAX], verdicts[PATH_MAX]; /* directories of truths and of verdicts; "" without one */
};

/* Names a default backend, checks that each is known, lists the cases, finds the cache. False: usage, with
 * why. */
bool plan_open(struct plan *plan, struct plan_options *options, struct error *error);
void plan_close(struct plan *plan, struct plan_options *options);

/* Without remembered verdicts: who shows or measures a verdict wants it found. */
struct worker_setup plan_setup(const struct plan *plan, const struct plan_options *options,
                               const char *backend);

/* Selects cases by globs, level, excludes and shard; says on stderr where costs are guessed. */
bool plan_select(const struct plan *plan, const struct plan_options *options, const struct texts *globs,
                 struct selection *selection, struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/plan.h"
#include "harness/cache/verdict_cache.h"

#include "harness/backends/backends.h"
#include "harness/cache/cache.h"
#include "harness/cache/store.h"
#include "harness/host/processors.h"
#include "suites/wild.h"

#include <stdio.h>
#include <string.h>

const char *plan_program = "assay";

struct plan_options plan_defaults(void)
{
    const int processors = processors_usable();
    return (struct plan_options){.level = LEVEL_STANDARD,
                                 .seed = 1,
                                 .jobs = processors > 16 ? 16 : processors,
                                 .repeat = 2,
                                 .time_limit = WORKER_TIME_LIMIT};
}

static const char *default_backend(void)
{
    for (int i = 0; backends_at(i); i++) {
        if (strcmp(backends_at(i)->name, "vulkan") == 0) {
            return "vulkan";
        }
    }
    return backends_at(0) ? backends_at(0)->name : NULL;
}

/* Refuses --validate for a backend without a validation layer: without its messages a run would look cleaner
 * than it is. */
static bool can_validate(const char *backend, const struct backend_class *class, struct error *error)
{
    char able[160] = "";
    if (class->validation_messages) {
        return true;
    }
    for (int i = 0; backends_at(i); i++) {
        size_t used = strlen(able);
        if (backends_at(i)->validation_messages && used < sizeof able) {
            snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", backends_at(i)->name);
        }
    }
    return error_set(error,
                     "--validate: --backend %s has no validation layer (there is one for: %s); leave it out, "
                     "or run that backend by itself",
                     backend, *able ? able : "none");
}

static void find_directory(bool unused, const char *name, char path[PATH_MAX])
{
    if (unused || !store_default_directory(name, path, PATH_MAX)) {
        path[0] = 0;
    } else if (!store_is_trusted(path)) {
        fprintf(stderr,
                "assay: the cache %s is not used: it belongs to another user, or others may write to it; "
                "chown it, "
                "and chmod go-w\n",
                path);
        path[0] = 0;
    }
}

bool plan_open_calls(struct plan *plan, struct plan_options *options, struct error *error)
{
    *plan = (struct plan){.list = NULL};
    options->seed |= options->wild ? WILD_SEED : 0;
    if (options->backends.count == 0) {
        const char *name = default_backend();
        if (!name || !texts_add(&options->backends, name)) {
            return error_set(error, "this assay was built without any backend");
        }
    }
    for (int b = 0; b < options->backends.count; b++) {
        const char *selector;
        const struct backend_class *class = backends_find(options->backends.text[b], &selector, error);
        if (!class || (options->validate && !can_validate(options->backends.text[b], class, error))) {
            return false;
        }
        for (int a = 0; a < b; a++) {
            if (strcmp(options->backends.text[a], options->backends.text[b]) == 0) {
                return error_set(error, "--backend %s is given twice", options->backends.text[b]);
            }
        }
    }
    find_directory(options->no_cache, CACHE_FOLDER, plan->cache);
    find_directory(options->no_cache || options->no_verdict_cache, VERDICT_FOLDER, plan->verdicts);
    return true;
}

bool plan_open(struct plan *plan, struct plan_options *options, struct error *error)
{
    if (!plan_open_calls(plan, options, error)) {
        return false;
    }
    plan->list = suite_list_create();
    return plan->list || error_set(error, "out of memory for the list of cases");
}

void plan_close(struct plan *plan, struct plan_options *options)
{
    suite_list_destroy(&plan->list);
    texts_destroy(&options->backends);
    texts_destroy(&options->excludes);
}

struct worker_setup plan_setup(const struct plan *plan, const struct plan_options *options,
                               const char *backend)
{
    return (struct worker_setup){.backend = backend,
                                 .cache = plan->cache[0] ? plan->cache : NULL,
                                 .seed = options->seed,
                                 .repeat = (int)options->repeat,
                                 .validate = options->validate,
                                 .time_limit = options->time_limit};
}

/* Prints how many costs are guessed. Such shards are still disjoint and complete, but may differ in duration.
 */
static void report_guessed(const char *path, const struct selection *selection)
{
    if (selection->guessed) {
        options_fault("--costs %s: %d of %d selected cases have no time in this file and count as the median "
                      "of their operator",
                      path, selection->guessed, selection->whole);
    }
}

bool plan_select(const struct plan *plan, const struct plan_options *options, const struct texts *globs,
                 struct selection *selection, struct error *error)
{
    struct costs costs = {.cost = NULL};
    if (options->costs && !options->shard.count) {
        return error_set(error, "--costs balances shards; give --shard K/N too");
    }
    struct case_words words = {.count = 0}, excludes = {.count = 0};
    bool good = case_words_expand(globs, &words, error) &&
                case_words_expand(&options->excludes, &excludes, error) &&
                (!options->costs || costs_read(options->costs, plan->list, &costs, error));
    struct selection_query query = {.globs = &words,
                                    .excludes = &excludes,
                                    .among = options->among,
                                    .level = options->level,
                                    .shard = options->shard,
                                    .costs = options->costs ? &costs : NULL};
    good = good && select_cases(plan->list, &query, selection, error);
    if (good && options->costs) {
        report_guessed(options->costs, selection);
    }
    case_words_destroy(&words);
    case_words_destroy(&excludes);
    costs_destroy(&costs);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/run.h"
#include "harness/host/clock.h"

#include "harness/host/environment.h"
#include "harness/judge/memory/shortage.h"
#include "harness/run/progress.h"
#include "harness/run/rerun.h"
#include "harness/selection/plan.h"
#include "harness/workers/signals.h"
#include "reference/base/memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct run_plan *plan;
    struct results *results;
    struct run_outcome *outcome;
    struct progress progress;
    int failures, reruns;       /* reruns: suspects that are being run again now */
    struct rerun **rerun;       /* per task; NULL: not a suspect */
    struct known_history known; /* shared by all suspects */
    bool *concluded;
    bool has_header;
    struct record_header header;
    bool broken; /* the results file or memory failed */
    struct error *error;
    double started;
};

static const char *name_of(const struct run_plan *plan)
{
    return plan->name ? plan->name : plan->setup.backend;
}

/* The options that change how a case is run, where they are not the defaults; NULL: none. The caller frees
 * it. */
static char *options_of(const struct run_plan *plan)
{
    char text[96];
    int used = snprintf(text, sizeof text, "%s%s", plan->setup.validate ? " validate" : "",
                        plan->keep_suspects ? " no-rerun" : "");
    if (plan->setup.repeat != plan_defaults().repeat) {
        snprintf(text + used, sizeof text - (size_t)used, " repeat=%d", plan->setup.repeat);
    }
    return *text ? memory_text(text + 1) : NULL;
}

void run_header(const struct run_plan *plan, struct record_header *header)
{
    environment_host(header);
    header->backend = memory_text(name_of(plan));
    header->seed = plan->setup.seed;
    header->level = memory_text(level_name(plan->level));
    header->command = memory_text(plan->command);
    header->expected = plan->selection->count;
    header->selected = plan->selection->whole;
    header->selection = memory_text(plan->selection->digest[0] ? plan->selection->digest : NULL);
    header->options = options_of(plan);
    if (plan->selection->shard.count > 1) {
        char shard[32];
        snprintf(shard, sizeof shard, "%d/%d", plan->selection->shard.index, plan->selection->shard.count);
        header->shard = memory_text(shard);
        header->partition = memory_text(plan->selection->partition[0] ? plan->selection->partition : NULL);
    }
}

/* Takes the worker's description of its device. */
static void opened(void *user, const struct record_header *device)
{
    struct run *run = user;
    const struct run_plan *plan = run->plan;
    struct record_header *header = &run->header;
    run->outcome->open_seconds = clock_seconds() - run->started;
    run_header(plan, header);
    header->device = memory_text(device->device);
    header->driver = memory_text(device->driver);
    header->api = memory_text(device->api);
    header->device_memory_bytes = device->device_memory_bytes;
    header->profile = calloc((size_t)device->profile_count + 1, sizeof *header->profile);
    for (int i = 0; header->profile && i < device->profile_count; i++) {
        header->profile[header->profile_count++] = (struct record_pair){
            .name = memory_text(device->profile[i].name), .value = memory_text(device->profile[i].value)};
    }
    run->has_header = header->backend && header->assay;
    if (!run->has_header) {
        run->broken = !error_set(run->error, "out of memory for the results' header");
        return;
    }
    if (plan->baseline) {
        baseline_device(plan->baseline, header->backend, header->device, header->driver);
    }
    if (plan->resume && plan->earlier) { /* its header stands in the results already */
        run->outcome->refused = !resume_same_device(plan->resume, plan->earlier, header, run->error);
        run->broken = run->outcome->refused;
    } else {
        run->broken = plan->to && !results_file_header(plan->to, header, run->error);
    }
}

bool run_not_started(const struct run_plan *plan, const char *why, struct results *results,
                     struct error *error)
{
    struct record_header header = {.version = 0};
    run_header(plan, &header);
    if (asprintf(&header.fault, "nothing was run: %s", why) < 0) {
        header.fault = NULL;
    }
    bool good = header.fault ? !plan->to || results_file_header(plan->to, &header, error)
                             : error_set(error, "out of memory for the results");
    good =
        good && (results_add_header(results, &header) || error_set(error, "out of memory for the results"));
    record_header_clear(&header);
    return good;
}

static bool is_suspect(const struct run *run, const struct record *record)
{
    return (status_is_failure(record->status) || shortage_is_open(record)) && !run->plan->keep_suspects &&
           !(run->plan->baseline && baseline_excuses(run->plan->baseline, record->id, record->status));
}

/* Returns true if the record has id and backend. They can be missing only when memory ran out; then the run
 * ends, because every list of records is sorted and grouped by these texts. */
static bool has_name(struct run *run, const struct record *record)
{
    bool named = record->id && record->backend;
    if (!named) {
        run->broken = !error_set(run->error, "out of memory for a record");
    }
    return named;
}

/* Finishes a record: applies the baseline, writes and keeps it. Returns true if the gate fails on it. */
static bool conclude(struct run *run, int task, struct record *record)
{
    const struct run_plan *plan = run->plan;
    run->concluded[task] = true;
    if (plan->name) {
        free(record->backend);
        record->backend = memory_text(plan->name);
    }
    if (!has_name(run, record)) {
        return true;
    }
    if (plan->baseline && record->status != STATUS_MISSING) {
        baseline_apply(plan->baseline, record, plan->gate);
    }
    bool failed = gate_fails(record, plan->gate);
    run->failures += failed;
    run->broken = run->broken || (plan->to && !results_file_record(plan->to, record, run->error));
    if (!results_add_record(run->results, record)) {
        run->broken = !error_set(run->error, "out of memory for the results");
    }
    return failed;
}

/* Finishes a suspect: its first record, completed with the cause that was found. */
static bool conclude_rerun(struct run *run, int task)
{
    struct rerun *rerun = run->rerun[task];
    rerun_conclude(rerun, run->plan, run->results, &run->known);
    bool failed = conclude(run, task, &rerun->first);
    rerun_end(&run->rerun[task]);
    run->reruns--;
    return failed;
}

static enum pool_reply done(void *user, struct pool_outcome *outcome)
{
    struct run *run = user;
    int task = outcome->task;
    struct rerun **rerun = &run->rerun[task];
    if (!has_name(run, outcome->record)) {
        return POOL_STOP;
    }
    if (*rerun) {
        rerun_take(*rerun, outcome, &run->known);
    } else if (is_suspect(run, outcome->record) && run->outcome->reruns >= SUSPECTS_MAX) {
        rerun_decline(outcome->record);
    } else if (!outcome->last && is_suspect(run, outcome->record)) {
        *rerun = rerun_begin(outcome, run->plan->setup.repeat, &run->known);
        run->outcome->reruns += *rerun != NULL;
        run->reruns += *rerun != NULL;
    }
    if (*rerun && !outcome->last && rerun_again(*rerun, outcome)) {
        return POOL_AGAIN;
    }
    if (!*rerun && shortage_is_open(outcome->record)) {
        shortage_conclude(outcome->record, NULL);
    }
    bool failed = *rerun ? conclude_rerun(run, task) : conclude(run, task, outcome->record);
    bool enough = failed && run->plan->max_failures && run->failures >= run->plan->max_failures;
    return run->broken || enough ? POOL_STOP : POOL_NEXT;
}

static void tick(void *user, const struct pool_progress *state)
{
    struct run *run = user;
    progress_show(&run->progress, state, &(struct progress_counts){run->failures, run->reruns});
}

/* Makes the records of tasks that were not finished: suspects keep their first record, the others are
 * missing. */
static void conclude_rest(struct run *run)
{
    const struct run_plan *plan = run->plan;
    int number = signals_stop();
    char enough[64] = "stopped by --fail-fast";
    if (plan->max_failures > 1) {
        snprintf(enough, sizeof enough, "stopped by --max-failures %d", plan->max_failures);
    }
    const char *cause = run->outcome->end != POOL_INTERRUPTED ? enough
                        : number == SIGINT                    ? "the run was interrupted (SIGINT)"
                        : number == SIGTERM                   ? "the run was interrupted (SIGTERM)"
                                                              : "the run was interrupted (SIGHUP)";
    char reason[128];
    snprintf(reason, sizeof reason, "not run: %s", cause);
    for (int task = 0; task < plan->selection->count && !run->broken; task++) {
        if (run->concluded[task]) {
            continue;
        }
        struct record missing = {.worst = {.index = -1}};
        if (!run->rerun[task]) {
            int index = plan->selection->index[task];
            missing.id = memory_text(suite_list_id(plan->list, index));
            missing.backend = memory_text(name_of(plan));
            missing.status = STATUS_MISSING;
            missing.reason = memory_text(reason);
            missing.repro = worker_replay(&plan->setup, suite_list_id(plan->list, index));
            missing.source = worker_source(suite_list_at(plan->list, index));
        }
        conclude(run, task, run->rerun[task] ? &run->rerun[task]->first : &missing);
        record_clear(&missing);
    }
}

bool run_backend(const struct run_plan *plan, struct results *results, struct run_outcome *outcome,
                 struct error *error)
{
    int count = plan->selection->count;
    struct run run = {
        .plan = plan, .results = results, .outcome = outcome, .error = error, .started = clock_seconds()};
    *outcome = (struct run_outcome){.end = POOL_NOT_OPENED};
    run.rerun = calloc((size_t)count + 1, sizeof(struct rerun *));
    run.concluded = calloc((size_t)count + 1, sizeof *run.concluded);
    struct pool_task *task = calloc((size_t)count + 1, sizeof *task);
    bool good = run.rerun && run.concluded && task;
    if (!good) {
        error_set(error, "out of memory for the run");
    }
    for (int i = 0; good && i < count; i++) {
        task[i].index = plan->selection->index[i];
    }
    if (good) {
        progress_begin(&run.progress, plan->quiet, name_of(plan));
        struct pool_options options = {.setup = plan->setup,
                                       .list = plan->list,
                                       .jobs = plan->jobs,
                                       .mixed = plan->mixed,
                                       .time_limit = plan->time_limit,
                                       .program = plan->program,
                                       .before = plan->before,
                                       .before_count = plan->before_count,
                                       .opened = opened,
                                       .done = done,
                                       .tick = tick,
                                       .user = &run};
        outcome->end = pool_run(&options, task, count, &outcome->usage, error);
        progress_clear(&run.progress);
        good = outcome->end != POOL_NOT_OPENED;
    }
    if (good && !run.broken && !run.has_header) { /* interrupted before any device was open */
        struct record_header nothing = {.version = RECORD_VERSION};
        opened(&run, &nothing);
    }
    if (good && outcome->end != POOL_COMPLETE) {
        conclude_rest(&run);
    }
    if (run.has_header && good) {
        good = (plan->earlier || results_add_header(results, &run.header)) && !run.broken;
    }
    for (int i = 0; run.rerun && i < count; i++) {
        rerun_end(&run.rerun[i]);
    }
    free(run.known.index);
    record_header_clear(&run.header);
    free(run.rerun);
    free(run.concluded);
    free(task);
    outcome->seconds = clock_seconds() - run.started;
    return good;
}

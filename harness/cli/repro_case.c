/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/repro_case.h"
#include "harness/cli/run.h"
#include "harness/options/options.h"
#include "harness/repro/case_show.h"
#include "reports/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Only what was answered, and is not wrong, holds. */
static bool is_against(const struct record *record)
{
    return gate_fails_status(record->status, 0) || record->status == STATUS_UNSUPPORTED;
}

/* One run of the case here, without a worker: a crash then meets the debugger. */
static bool run_in_process(const struct plan *plan, const struct worker_setup *setup,
                           const struct repro_target *target, struct error *error, bool *failed)
{
    struct record_header header = {.version = RECORD_VERSION};
    struct record record;
    struct worker *worker = worker_open(setup, plan->list, error);
    if (!worker) {
        return false;
    }
    worker_describe(worker, &header);
    for (int i = 0; i < target->before; i++) {
        worker_run(worker, target->index[i], WORKER_UNJUDGED, &record);
        record_clear(&record);
    }
    worker_run(worker, target->index[target->before], WORKER_JUDGED, &record);
    free(record.repro);
    record.repro = worker_replay_after(setup, record.id, plan->list, target->index, target->before);
    repro_case_show(&header, &record);
    *failed = *failed || is_against(&record);
    record_clear(&record);
    record_header_clear(&header);
    worker_close(&worker);
    return true;
}

static bool run_in_worker(const struct plan *plan, const struct plan_options *options,
                          const struct worker_setup *setup, const struct repro_target *target,
                          struct error *error, bool *failed)
{
    struct selection one = {.count = 1, .index = &target->index[target->before]};
    struct results results = {.headers = 0};
    struct run_outcome outcome;
    struct run_plan run = {.list = plan->list,
                           .selection = &one,
                           .setup = *setup,
                           .jobs = 1,
                           .time_limit = options->time_limit,
                           .program = plan_program,
                           .level = suite_list_at(plan->list, *one.index)->level,
                           .before = target->index,
                           .before_count = target->before,
                           .quiet = true,
                           .keep_suspects = true};
    bool good = run_backend(&run, &results, &outcome, error);
    signal(SIGPIPE, SIG_DFL); /* a reader who has seen enough, as head has, ends it silently */
    for (int r = 0; good && r < results.records; r++) {
        repro_case_show(&results.header[0], &results.record[r]);
        *failed = *failed || is_against(&results.record[r]);
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* as the next worker needs it */
    results_destroy(&results);
    return good;
}

bool repro_aim(const struct plan *plan, const char *id, const struct texts *after,
               struct repro_target *target, struct error *error)
{
    target->before = after->count;
    target->index = malloc(((size_t)after->count + 1) * sizeof *target->index);
    if (!target->index) {
        return error_set(error, "out of memory");
    }
    bool good = true;
    for (int i = 0; good && i <= after->count; i++) {
        target->index[i] = select_one(plan->list, i < after->count ? after->text[i] : id, error);
        good = target->index[i] >= 0;
    }
    return good;
}

int repro_case(const struct plan *plan, const struct plan_options *options, const struct repro_target *target,
               bool in_process)
{
    struct error error = {.text = ""};
    bool failed = false, opened = true;
    for (int b = 0; b < options->backends.count; b++) {
        struct worker_setup setup = plan_setup(plan, options, options->backends.text[b]);
        setup.explain = true;
        bool good = in_process ? run_in_process(plan, &setup, target, &error, &failed)
                               : run_in_worker(plan, options, &setup, target, &error, &failed);
        if (!good) {
            options_fault("%s: %s", setup.backend, error.text);
            opened = false;
        }
    }
    return !opened ? EXIT_NOTHING_RUN : failed ? EXIT_GATE : EXIT_HOLDS;
}

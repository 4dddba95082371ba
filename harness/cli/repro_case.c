/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/repro_case.h"
#include "harness/options/options.h"
#include "harness/repro/case_json.h"
#include "harness/repro/case_show.h"
#include "harness/repro/comparison.h"
#include "harness/repro/write.h"
#include "harness/run/run.h"
#include "reports/report.h"
#include "reports/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if the case failed, or the backend does not support it. */
static bool is_against(const struct record *record)
{
    return gate_fails_status(record->status, 0) || record->status == STATUS_UNSUPPORTED;
}

/* What the backends of one call share. */
struct asking {
    const struct plan *plan;
    const struct plan_options *options;
    const struct repro_target *target;
    const struct repro_files *files;
    const struct suite_case *c;
    bool json, failed, unopened, unwritten;
    json_t *backends;
    struct comparing comparing; /* keeps results for files and for the comparison */
    bool truth;                 /* truth and bound were written for an earlier backend */
};

/* --- files */

static void write_inputs(struct asking *a, struct repro_written *written)
{
    struct error error = {.text = ""};
    struct program *program = suite_build(a->c, a->options->seed, &error);
    if (program) {
        repro_write_inputs(program, a->files->output_dir, written);
        program_destroy(&program);
    } else {
        snprintf(written->fault, sizeof written->fault, "%s", error.text);
    }
}

/* Writes the files of one backend. The truth is the same for all; its bound holds under the first backend's
 * profile. */
static json_t *write_files(struct asking *a, int b)
{
    struct repro_written written = {.names = json_array()};
    char got[128];
    const struct values *values = a->comparing.values ? &a->comparing.values[b] : NULL;
    if (a->files->output_dir && values && values->count) {
        repro_results_name(&a->options->backends, b, got);
        if (!a->truth) {
            write_inputs(a, &written);
        }
        repro_write_values(values, a->files->output_dir, got, !a->truth, &written);
        a->truth = true;
    }
    if (written.fault[0]) {
        options_fault("%s", written.fault);
        a->unwritten = true;
    }
    return written.names;
}

/* --- one backend */

static void show_files(const json_t *written)
{
    size_t i;
    json_t *name;
    json_array_foreach(written, i, name)
    {
        printf(i ? ", " : "  %-16s ", "written");
        text_put_line(stdout, json_string_value(name));
    }
    fputs(json_array_size(written) ? "\n" : "", stdout);
}

static void tell(struct asking *a, int b, const struct record_header *header, const struct record *record)
{
    json_t *written, *answer;
    bool kept = comparing_take(&a->comparing, b), valued = record_judged(record) && record->elements > 0;
    if (!kept && valued) {
        options_fault("%s: not enough memory, or space in /tmp, for its results, which are not compared",
                      record->backend);
        a->unwritten = a->unwritten || a->files->output_dir;
    } else if (a->comparing.values && !valued) {
        values_clear(&a->comparing.values[b]); /* there are no results of the backend in it */
    }
    written = write_files(a, b);
    answer = repro_case_answer(header, record, json_incref(written));
    json_array_append_new(a->backends, answer);
    a->failed = a->failed || is_against(record) || gate_fails(record, a->files->gate);
    if (!a->json) {
        repro_case_show(header, record);
        show_files(written);
    }
    json_decref(written);
}

/* Runs the case in this process, without a worker, so that a debugger catches a crash. */
static bool run_in_process(struct asking *a, int b, const struct worker_setup *setup, struct error *error)
{
    struct record_header header = {.version = RECORD_VERSION};
    struct record record;
    const struct repro_target *target = a->target;
    struct worker *worker = worker_open(setup, a->plan->list, error);
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
    record.repro = worker_replay_after(setup, record.id, a->plan->list, target->index, target->before);
    tell(a, b, &header, &record);
    record_clear(&record);
    record_header_clear(&header);
    worker_close(&worker);
    return true;
}

static bool run_in_worker(struct asking *a, int b, const struct worker_setup *setup, struct error *error)
{
    const struct repro_target *target = a->target;
    struct selection one = {.count = 1, .index = &target->index[target->before]};
    struct results results = {.headers = 0};
    struct run_outcome outcome;
    struct run_plan run = {.list = a->plan->list,
                           .selection = &one,
                           .setup = *setup,
                           .jobs = 1,
                           .time_limit = a->options->time_limit,
                           .program = plan_program,
                           .level = a->c->level,
                           .before = target->index,
                           .before_count = target->before,
                           .quiet = true,
                           .keep_suspects = true};
    bool good = run_backend(&run, &results, &outcome, error);
    /* if the reader has closed the pipe, as head does, this process ends silently */
    signal(SIGPIPE, SIG_DFL);
    for (int r = 0; good && r < results.records; r++) {
        tell(a, b, &results.header[0], &results.record[r]);
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* needed for the next worker */
    results_destroy(&results);
    return good;
}

static void ask(struct asking *a, int b)
{
    struct error error = {.text = ""};
    struct worker_setup setup = plan_setup(a->plan, a->options, a->options->backends.text[b]);
    setup.explain = true;
    setup.values = comparing_path(&a->comparing);
    bool good =
        a->files->in_process ? run_in_process(a, b, &setup, &error) : run_in_worker(a, b, &setup, &error);
    if (!good) {
        options_fault("%s: %s", setup.backend, error.text);
        json_array_append_new(a->backends, repro_case_unavailable(setup.backend, error.text));
        a->unopened = true;
    }
}

/* --- the command */

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

static bool prepare(struct asking *a, struct error *error)
{
    const struct texts *backends = &a->options->backends;
    const char *folder = a->files->output_dir;
    if (folder && a->c->procedure) {
        return error_set(
            error, "--output-dir: %s measures curves and has no tensors; --format json prints the curves",
            suite_list_id(a->plan->list, a->target->index[a->target->before]));
    }
    if (folder && !repro_folder_prepare(folder, backends, error)) {
        return false;
    }
    return (!folder && backends->count == 1) || a->c->procedure ||
           comparing_begin(&a->comparing, backends->count) ||
           error_set(error, "cannot write the backends' results to /tmp: %s", strerror(errno));
}

static void conclude(struct asking *a)
{
    json_t *comparison = comparing_end(&a->comparing, a->backends);
    if (a->json) {
        repro_case_print(a->c, suite_list_id(a->plan->list, a->target->index[a->target->before]),
                         a->options->seed, a->backends, comparison);
    } else if (comparison) {
        repro_show_comparison(comparison);
    }
    json_decref(comparison);
}

int repro_case_run(const struct plan *plan, const struct plan_options *options,
                   const struct repro_target *target, const struct repro_files *files)
{
    struct error error = {.text = ""};
    struct asking a = {.plan = plan,
                       .options = options,
                       .target = target,
                       .files = files,
                       .c = suite_list_at(plan->list, target->index[target->before]),
                       .json = strcmp(files->format, "json") == 0,
                       .backends = json_array(),
                       .comparing = {.fd = -1}};
    int status = EXIT_USAGE;
    if (prepare(&a, &error)) {
        for (int b = 0; b < options->backends.count; b++) {
            ask(&a, b);
        }
        conclude(&a);
        status = a.unopened ? EXIT_NOTHING_RUN : a.unwritten ? EXIT_USAGE : a.failed ? EXIT_GATE : EXIT_HOLDS;
    } else {
        options_fault("%s", error.text);
    }
    json_decref(a.backends);
    return status;
}

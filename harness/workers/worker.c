/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/worker.h"

#include "harness/backends/backends.h"
#include "harness/cache/verdict_cache.h"
#include "harness/diagnose/hypotheses.h"
#include "harness/host/clock.h"
#include "harness/host/environment.h"
#include "harness/host/version.h"
#include "harness/judge/statistics/worst.h"
#include "harness/judge/values.h"
#include "harness/workers/agreement.h"
#include "reference/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct worker_setup setup;
    const struct suite_list *list;
    const struct backend_class *class;
    struct backend *backend;
    struct cache *cache;
    struct truth_source source;
    struct verdict_cache *verdict_cache;
    struct verdict_source verdicts;
    void (*phase)(void *user, enum case_phase phase);
    void *user;
    struct record_header opened; /* the backend's description of itself when it was opened */
    int greetings;               /* backend_info.greetings at the latest comparison */
    struct record *record;       /* of the current case */
    struct case_cost cost;       /* of the latest case */
};

const char *worker_phase_name(enum case_phase phase)
{
    static const char *const names[] = {"reference", "run", "judge"};
    return names[phase];
}

static int greetings_of(const struct worker *worker)
{
    struct backend_info info = {.name = ""};
    worker->class->info(worker->backend, &info);
    return info.greetings;
}

struct worker *worker_open(const struct worker_setup *setup, const struct suite_list *list,
                           struct error *error)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(error, "out of memory");
        return NULL;
    }
    worker->setup = *setup;
    worker->list = list;
    struct backend_options options = {.validate = setup->validate};
    worker->class = backends_find(setup->backend, &options.selector, error);
    worker->backend = worker->class ? worker->class->open(&options, error) : NULL;
    if (!worker->backend) {
        free(worker);
        return NULL;
    }
    worker->cache = setup->cache ? cache_create(setup->cache, truth_libraries()) : NULL;
    if (worker->cache) {
        worker->source = cache_source(worker->cache);
    }
    worker->verdict_cache =
        setup->verdicts ? verdict_cache_create(setup->verdicts, verdict_key, truth_libraries()) : NULL;
    if (worker->verdict_cache) {
        worker->verdicts = verdict_cache_source(worker->verdict_cache);
    }
    worker_describe(worker, &worker->opened);
    worker->greetings = greetings_of(worker);
    return worker;
}

void worker_close(struct worker **worker)
{
    if (*worker) {
        (*worker)->class->close(&(*worker)->backend);
        if ((*worker)->cache) {
            cache_destroy(&(*worker)->cache);
        }
        if ((*worker)->verdict_cache) {
            verdict_cache_destroy(&(*worker)->verdict_cache);
        }
        record_header_clear(&(*worker)->opened);
        free(*worker);
        *worker = NULL;
    }
}

void worker_describe(const struct worker *worker, struct record_header *header)
{
    struct backend_info info = {.name = ""};
    worker->class->info(worker->backend, &info);
    environment_device(header, &info);
}

void worker_on_phase(struct worker *worker, void (*phase)(void *user, enum case_phase phase), void *user)
{
    worker->phase = phase;
    worker->user = user;
}

struct cache_statistics worker_cache_statistics(const struct worker *worker)
{
    return worker->cache ? cache_statistics(worker->cache) : (struct cache_statistics){0};
}

struct case_cost worker_cost(const struct worker *worker)
{
    return worker->cost;
}

static void report_phase(void *user, enum case_phase phase)
{
    const struct worker *worker = user;
    worker->phase(worker->user, phase);
}

/* Appends the diagnosis of a wrong result to the record's detail. */
static void diagnose(struct record *record, const struct program *program, struct program_truth *truth,
                     const struct images *images, const struct profile *profile)
{
    struct hypothesis best;
    const char *before = record->detail ? record->detail : "";
    if (record->status != STATUS_FAIL || record->elements == 0 ||
        !hypotheses_of_program(program, truth, images, profile, hypotheses_step(program, record->wrong_step),
                               NULL, NULL, &best) ||
        !best.wrong) {
        return;
    }
    char *detail = best.name[0]
                       ? memory_format("%sdiagnosis: explained by %s: %s\n", before, best.name, best.text)
                       : memory_format("%sdiagnosis: not explained by any hypothesis%s\n", before,
                                       best.cut ? " that there was time for" : "");
    if (detail) {
        free(record->detail);
        record->detail = detail;
    }
}

/* Saves the result beside the truth. When the disk is full, the file is missing where it would be read. */
static void save_values(const struct worker *worker, const struct program *program,
                        const struct program_truth *truth, const struct images *images,
                        const struct profile *profile)
{
    struct values values;
    if (worker->setup.values) {
        if (values_take(&values, program, truth, images, profile)) {
            values_save(&values, worker->setup.values);
        }
        values_clear(&values);
    }
}

/* Names the worst element. The record of a case that passes exactly has none; then the first element is
 * shown. */
static void explain(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct record *record = ((struct worker *)user)->record;
    struct explained worst;
    char *text = NULL;
    size_t size = 0;
    save_values(user, program, truth, images, profile);
    diagnose(record, program, truth, images, profile);
    if ((record->status != STATUS_PASS && record->status != STATUS_VACUOUS) || record->elements == 0 ||
        !worst_find(program, truth, images, profile, &worst, NULL)) {
        return;
    }
    explain_element(&worst, record, NULL);
    FILE *to = open_memstream(&text, &size);
    double bound = worst_bound(&worst);
    if (to && isnan(bound)) {
        fputs("none: the result is a special value\n", to);
    } else if (to) {
        fprintf(to, "%.4g\n", bound);
        explain_envelope(&worst, to);
    }
    if (memory_stream_text(to, &text)) {
        free(record->detail);
        record->detail = text;
    }
}

/* Checks that a program that was started again during the case greeted as before. Returns false with the
 * difference as the record's reason, because the case was judged by a profile that no longer holds. */
static bool greets_as_before(struct worker *worker, struct record *record)
{
    struct record_header now = {.version = RECORD_VERSION};
    char difference[300];
    const int greetings = greetings_of(worker);
    if (greetings == worker->greetings) {
        return true;
    }
    worker->greetings = greetings;
    worker_describe(worker, &now);
    bool same = agreement_holds(&worker->opened, &now, difference, sizeof difference);
    record_header_clear(&now);
    if (!same) {
        record->status = STATUS_ERROR;
        record_rule(record, NULL);
        record_reason(record, "the program was started again and greeted otherwise: %s", difference);
    }
    return same;
}

/* Makes a record error if it lacks members because memory ran out, whatever its status says. The same holds
 * for a case that a backend does not support without saying why. */
static void check_record(struct record *record, bool complete)
{
    const char *reason = record->reason ? record->reason : "";
    if (!complete) {
        enum status status = record->status;
        record->status = STATUS_ERROR;
        record_rule(record, NULL);
        record_reason(record, "out of memory on this machine: the record is incomplete (it was %s%s%s)",
                      status_name(status), *reason ? ": " : "", reason);
    } else if (record->status == STATUS_UNSUPPORTED && !*reason) {
        record->status = STATUS_ERROR;
        record_reason(record, "the backend does not support the case and gives no reason");
    }
}

bool worker_run(struct worker *worker, int index, enum worker_mode mode, struct record *record)
{
    const struct suite_case *c = suite_list_at(worker->list, index);
    const char *id = suite_list_id(worker->list, index);
    struct case_options options = {.seed = worker->setup.seed,
                                   .repeat = worker->setup.repeat,
                                   .self_test = mode == WORKER_SELF_TEST,
                                   .unjudged = mode == WORKER_UNJUDGED,
                                   .source = worker->cache ? &worker->source : NULL,
                                   .verdicts = worker->verdict_cache ? &worker->verdicts : NULL,
                                   .phase = worker->phase ? report_phase : NULL,
                                   .inspect = worker->setup.explain ? explain : NULL,
                                   .user = worker,
                                   .cost = &worker->cost};
    *record = (struct record){.resolution = NAN, .worst = {.index = -1}};
    worker->record = record;
    int64_t start = clock_ns();
    const uint64_t shortages = memory_shortages();
    bool alive = case_run(c, id, worker->class, worker->backend, &options, record);
    record->case_ns = clock_ns() - start;
    alive = greets_as_before(worker, record) && alive;
    if (!record->id) {
        record->id = memory_text(id);
    }
    if (!record->source) {
        record->source = worker_source(c);
    }
    free(record->backend);
    free(record->repro);
    record->backend = memory_text(worker->setup.backend);
    record->repro = worker_replay(&worker->setup, id);
    check_record(record, memory_shortages() == shortages);
    return alive;
}

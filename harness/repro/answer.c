/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"
#include "harness/cache/cache.h"
#include "harness/host/processors.h"
#include "harness/judge/statistics/worst.h"
#include "harness/judge/verification.h"
#include "harness/repro/comparison.h"
#include "harness/repro/repro_parts.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/program/refine.h"
#include "reports/records/fields.h"
#include "reports/report.h"

#include <math.h>
#include <string.h>

/* Chooses the element to show: the one that the operator's own `verify` refuses or, if nothing else judges,
 * the worst that it finds. */
static bool show_verified(struct repro *repro, const struct program *program,
                          const struct program_truth *truth, const struct images *images,
                          const struct profile *profile, bool others)
{
    struct verified verified;
    if (!verification_find(program, truth, images, profile, &verified) ||
        (verified.worst.accepted && others)) {
        return false;
    }
    verification_show(&verified, program, truth, images, &repro->shown);
    repro->bound = NAN;
    return true;
}

static void show_worst(struct repro *repro, const struct explained *worst)
{
    const struct dtype_info *info = dtype_info(worst->view.dtype);
    explain_element(worst, &repro->shown, NULL);
    repro->bound = worst_bound(worst);
    repro->q = worst->q;
    repro->reach = worst->reach;
    repro->precision = info->precision;
    repro->true_number = value_approximately(&worst->truth[0]);
    repro->got_number = dtype_load(info->component, worst->got);
    repro->magnitude =
        info->precision ? dtype_unit_roundoff(info->component) * fabs(value_approximately(&worst->truth[0]))
                        : 0;
}

static void inspect(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct repro *repro = user;
    struct explained worst;
    const char *rule = repro->record.rule ? repro->record.rule : "";
    if (repro->verdict_only) {
        if (repro_has_values(&repro->record) && (!repro->wanted_rule || !strcmp(rule, repro->wanted_rule))) {
            repro_explain(repro, program, truth, images, profile);
        }
        return;
    }
    bool found = worst_find(program, truth, images, profile, &worst, &repro->condition),
         valued = repro_has_values(&repro->record);
    if (valued && !show_verified(repro, program, truth, images, profile, found) && found) {
        show_worst(repro, &worst);
        repro_explain(repro, program, truth, images, profile);
    }
    const bool passes = repro->record.status == STATUS_PASS || repro->record.status == STATUS_VACUOUS;
    if (valued && passes && repro->record.implausible <= 1 &&
        (repro->record.max_ulp > 1 || repro_is_vacuous(repro)) &&
        !undeclared_find(program, truth, images, profile, repro_is_vacuous(repro), &repro->undeclared)) {
        repro->undeclared.member[0] = '\0';
    }
    if ((repro->files->output_dir && !repro->no_files) || repro->setup.values) {
        repro_write(repro, program, truth, images, profile);
    }
    if (repro->bundling) {
        repro_keep(repro, program, truth, images, profile);
    }
    if (repro->recorded) {
        repro_compare_truth(repro, program, truth);
    }
}

static json_t *text_or_null(const char *text)
{
    return text ? field_text_put(text) : json_null();
}

static json_t *worst_object(const struct repro *repro)
{
    const struct record_worst *worst = &repro->shown.worst;
    if (!worst->truth) {
        return json_null();
    }
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "index", (json_int_t)worst->index,
                     "where", text_or_null(worst->where), "inputs", text_or_null(worst->inputs), "truth",
                     text_or_null(worst->truth), "got", text_or_null(worst->got), "whole",
                     text_or_null(worst->whole), "bound", field_real_put(repro->bound), "envelope",
                     field_real_put(repro->reach), "ulp", field_real_put(worst->ulp), "nu",
                     field_real_put(worst->nu));
}

/* Adds the measures; each is null where nothing was measured. */
static void add_metrics(const struct repro *repro, json_t *to)
{
    repro_put_metrics(&repro->record, repro_has_values(&repro->record), to);
    json_object_set_new(to, "conditioning",
                        repro->condition > 0 ? field_real_put(repro->condition) : json_null());
}

void repro_judge(struct repro *repro)
{
    struct cache *cache = repro->setup.cache ? cache_create(repro->setup.cache, truth_libraries()) : NULL;
    struct truth_source source = {.user = NULL};
    if (cache) {
        source = cache_source(cache);
    }
    int threads = processors_usable(); /* the backend is idle meanwhile */
    dot_enclosure_threads(threads);
    /* a bundle keeps the truth, so it must be certified */
    source.certified = repro->bundling || (repro->recorded && bundle_has_truth(repro->recorded));
    struct case_options options = {.seed = repro->setup.seed,
                                   .repeat = repro->setup.repeat,
                                   .source = &source,
                                   .threads = threads,
                                   .whole = source.certified,
                                   .phase = repro_report_phase,
                                   .progress = repro->verdict_only ? NULL : repro_report_progress,
                                   .inspect = inspect,
                                   .user = repro};
    repro->unwritten[0] = '\0';
    repro->condition = repro->bound = 0;
    repro->q = repro->reach = NAN;
    repro->magnitude = repro->precision = 0;
    repro->true_number = repro->got_number = NAN;
    repro->hypothesis = (struct hypothesis){.t = 0};
    repro->undeclared = (struct undeclared){.fails = false};
    memset(&repro->shown, 0, sizeof repro->shown);
    memset(&repro->record, 0, sizeof repro->record);
    case_run(&repro->c, repro->op->name, repro->class, repro->backend, &options, &repro->record);
    cache_destroy(&cache);
}

void repro_clear(struct repro *repro)
{
    record_clear(&repro->record);
    record_clear(&repro->shown);
}

/* True if the exit status counts the answer as wrong. */
static bool fails(const struct repro *repro)
{
    const unsigned gate = repro->files->gate;
    return gate_fails(&repro->record, gate) || repro->record.status == STATUS_UNSUPPORTED ||
           (gate & GATE_VACUOUS && repro_cannot_tell(repro));
}

/* Adds the time of the call, the least of all runs. A wrong result has none: it is fast for nothing. */
static void add_time(const struct repro *repro, json_t *json)
{
    enum { RUNS = 64 };
    char text[RUNS];
    const bool wrong = repro->record.status != STATUS_PASS || fails(repro) || repro_cannot_tell(repro);
    const double us = (double)repro->record.device_ns * 1e-3;
    if (!repro->files->bench || (repro->recorded && repro->class == &repro_recorded_class)) {
        return;
    }
    if (wrong) {
        json_object_set_new(json, "time", json_string("not shown: the result is not known to be right"));
    } else {
        snprintf(text, sizeof text, "%.*f µs, the least of %d runs", us < 100 ? 2 : 0, us,
                 repro->setup.repeat);
        json_object_set_new(json, "time", json_string(text));
        json_object_set_new(json, "device_ns", json_integer(repro->record.device_ns));
    }
}

static json_t *describe(struct repro *repro)
{
    struct backend_info info;
    char diagnosis[1024];
    repro->class->info(repro->backend, &info);
    repro_diagnose(repro, diagnosis, sizeof diagnosis);
    const char *hypothesis = repro->hypothesis.name;
    json_t *json =
        json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:O}", "name", repro->setup.backend,
                  "device", field_text_put(info.device), "status", status_name(repro->record.status),
                  "reason", text_or_null(repro->record.reason), "rule", text_or_null(repro->record.rule),
                  "diagnosis", field_text_put(diagnosis), "hypothesis",
                  text_or_null(hypothesis[0] ? hypothesis : NULL), "worst", worst_object(repro),
                  "inputs_digest", text_or_null(repro->record.inputs_digest), "written", repro->written);
    add_metrics(repro, json);
    add_time(repro, json);
    if (repro->class->routes) {
        json_object_set_new(json, "routes", json_string(repro->class->routes(repro->backend)));
    }
    json_object_set_new(json, "greeting", field_text_put(info.driver));
    json_object_set_new(json, "cannot_tell", json_boolean(repro_cannot_tell(repro)));
    json_object_set_new(json, "fails", json_boolean(fails(repro)));
    if (repro->recorded && repro->reference[0]) {
        json_object_set_new(json, "reference_differs", json_string(repro->reference));
    }
    if (repro->bundling) {
        repro_keep_write(repro, &info, json);
        repro_keep_clear(repro);
    }
    if (repro->unwritten[0]) {
        json_object_set_new(json, "unwritten", json_string(repro->unwritten));
    }
    return json;
}

bool repro_open(struct repro *repro, struct error *error)
{
    struct backend_options options = {.validate = repro->setup.validate};
    if (repro->recorded && strcmp(repro->setup.backend, REPRO_RECORDED) == 0) {
        repro->class = &repro_recorded_class;
        repro->backend = repro_recorded_open(repro->recorded);
        return repro->backend || error_set(error, "out of memory");
    }
    repro->class = backends_find(repro->setup.backend, &options.selector, error);
    repro->backend = repro->class ? repro->class->open(&options, error) : NULL;
    return repro->backend != NULL;
}

json_t *repro_answer(struct repro *repro)
{
    struct error error = {.text = ""};
    if (!repro_open(repro, &error)) {
        return json_pack("{s:s, s:s, s:o}", "name", repro->setup.backend, "status", "unavailable", "reason",
                         field_text_put(error.text));
    }
    repro->written = json_array();
    repro_judge(repro);
    json_t *json = describe(repro);
    json_decref(repro->written);
    repro_clear(repro);
    repro->class->close(&repro->backend);
    return json;
}

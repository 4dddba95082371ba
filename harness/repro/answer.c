/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends.h"
#include "harness/cache.h"
#include "harness/repro/comparison.h"
#include "harness/repro/drift.h"
#include "harness/verdict/worst.h"
#include "reports/fields.h"
#include "reports/report.h"

#include <math.h>
#include <string.h>

/* How far rounding alone may be amplified, over all elements. */
static void find_condition(struct drift *drift, const struct program *program,
                           const struct program_truth *truth, const struct profile *profile)
{
    const struct step *step = &program->step[0];
    struct profile own = profile_of_operator(profile, step->op->name);
    for (int o = 0; truth->truth[0] && step->op->bound && o < truth->truth[0]->outputs; o++) {
        const struct truth_output *output = &truth->truth[0]->output[o];
        struct bound_query query = {.op = step->op,
                                    .profile = &own,
                                    .attributes = &step->attributes,
                                    .truth = truth->truth[0],
                                    .output = o};
        double unit = profile_unit_roundoff(profile, output->dtype);
        for (query.element = 0; unit > 0 && query.element < output->elements; query.element++) {
            double magnitude = fabs(value_approximately(truth_value(output, query.element)));
            double error = step->op->bound(&query);
            if (magnitude > 0 && isfinite(magnitude) && error > 0) {
                drift->condition = fmax(drift->condition, error / (unit * magnitude));
            }
        }
    }
}

static void inspect(void *user, const struct program *program, const struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct drift *drift = user;
    struct explained worst;
    const char *rule = drift->record.rule ? drift->record.rule : "";
    if (drift->verdict_only) {
        if (repro_has_values(&drift->record) && (!drift->wanted_rule || !strcmp(rule, drift->wanted_rule))) {
            repro_explain(drift, program, truth, images, profile);
        }
        return;
    }
    find_condition(drift, program, truth, profile);
    if (repro_has_values(&drift->record) && worst_find(program, truth, images, profile, &worst)) {
        const struct dtype_info *info = dtype_info(worst.output->dtype);
        const struct value *value = truth_value(worst.output, worst.element);
        explain_element(&worst, &drift->shown, NULL);
        drift->bound = worst_bound(&worst);
        drift->q = worst.q;
        drift->reach = worst.reach;
        drift->precision = info->precision;
        drift->magnitude =
            info->precision ? dtype_unit_roundoff(info->component) * fabs(value_approximately(value)) : 0;
        repro_explain(drift, program, truth, images, profile);
    }
    if ((drift->files->output_dir && !drift->no_files) || drift->setup.values) {
        repro_write(drift, program, truth, images, profile);
    }
    if (drift->bundling) {
        repro_keep(drift, program, truth, images, profile);
    }
    if (drift->recorded) {
        repro_compare_truth(drift, program, truth);
    }
}

static json_t *text_or_null(const char *text)
{
    return text ? field_text_put(text) : json_null();
}

static json_t *worst_object(const struct drift *drift)
{
    const struct record_worst *worst = &drift->shown.worst;
    if (!worst->truth) {
        return json_null();
    }
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "index", (json_int_t)worst->index,
                     "where", text_or_null(worst->where), "inputs", text_or_null(worst->inputs), "truth",
                     text_or_null(worst->truth), "got", text_or_null(worst->got), "bound",
                     field_real_put(drift->bound), "envelope", field_real_put(drift->reach), "ulp",
                     field_real_put(worst->ulp), "nu", field_real_put(worst->nu));
}

/* What was measured; null each where there is nothing to measure. */
static void add_metrics(const struct drift *drift, json_t *to)
{
    repro_put_metrics(&drift->record, repro_has_values(&drift->record), to);
    json_object_set_new(to, "conditioning",
                        drift->condition > 0 ? field_real_put(drift->condition) : json_null());
}

void repro_judge(struct drift *drift)
{
    struct cache *cache = drift->setup.cache ? cache_create(drift->setup.cache, truth_libraries()) : NULL;
    struct truth_source source = {.user = NULL};
    if (cache) {
        source = cache_source(cache);
    }
    struct case_options options = {.seed = drift->setup.seed,
                                   .repeat = drift->setup.repeat,
                                   .source = cache ? &source : NULL,
                                   .phase = repro_tell_phase,
                                   .inspect = inspect,
                                   .user = drift};
    drift->unwritten[0] = '\0';
    drift->condition = drift->bound = 0;
    drift->q = drift->reach = NAN;
    drift->magnitude = drift->precision = 0;
    drift->hypothesis = (struct hypothesis){.t = 0};
    memset(&drift->shown, 0, sizeof drift->shown);
    memset(&drift->record, 0, sizeof drift->record);
    case_run(&drift->c, drift->op->name, drift->class, drift->backend, &options, &drift->record);
    cache_destroy(&cache);
}

void repro_forget(struct drift *drift)
{
    record_clear(&drift->record);
    record_clear(&drift->shown);
}

static json_t *describe(struct drift *drift)
{
    struct backend_info info;
    char diagnosis[1024];
    drift->class->info(drift->backend, &info);
    repro_diagnose(drift, diagnosis, sizeof diagnosis);
    const char *hypothesis = drift->hypothesis.name;
    json_t *json =
        json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:O}", "name", drift->setup.backend,
                  "device", field_text_put(info.device), "status", status_name(drift->record.status),
                  "reason", text_or_null(drift->record.reason), "rule", text_or_null(drift->record.rule),
                  "diagnosis", field_text_put(diagnosis), "hypothesis",
                  text_or_null(hypothesis[0] ? hypothesis : NULL), "worst", worst_object(drift),
                  "inputs_digest", text_or_null(drift->record.inputs_digest), "written", drift->written);
    add_metrics(drift, json);
    if (drift->recorded && drift->reference[0]) {
        json_object_set_new(json, "reference_differs", json_string(drift->reference));
    }
    if (drift->bundling) {
        repro_keep_write(drift, &info, json);
        repro_keep_clear(drift);
    }
    if (drift->unwritten[0]) {
        json_object_set_new(json, "unwritten", json_string(drift->unwritten));
    }
    return json;
}

bool repro_open(struct drift *drift, struct error *error)
{
    struct backend_options options = {.validate = drift->setup.validate};
    if (drift->recorded && strcmp(drift->setup.backend, REPRO_RECORDED) == 0) {
        drift->class = &repro_recorded_class;
        drift->backend = repro_recorded_open(drift->recorded);
        return drift->backend || error_set(error, "out of memory");
    }
    drift->class = backends_find(drift->setup.backend, &options.selector, error);
    drift->backend = drift->class ? drift->class->open(&options, error) : NULL;
    return drift->backend != NULL;
}

json_t *repro_answer(struct drift *drift)
{
    struct error error = {.text = ""};
    if (!repro_open(drift, &error)) {
        return json_pack("{s:s, s:s, s:o}", "name", drift->setup.backend, "status", "unavailable", "reason",
                         field_text_put(error.text));
    }
    drift->written = json_array();
    repro_judge(drift);
    json_t *json = describe(drift);
    json_decref(drift->written);
    repro_forget(drift);
    drift->class->close(&drift->backend);
    return json;
}

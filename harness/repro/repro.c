/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro.h"
#include "harness/options/nearest.h"
#include "harness/repro/attributes.h"
#include "harness/repro/child.h"
#include "harness/repro/comparison.h"
#include "harness/repro/drift.h"
#include "harness/repro/write.h"
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

/* --- reading */

static bool find_operator(struct drift *drift, struct error *error)
{
    drift->op = op_find(drift->files->op);
    if (drift->op) {
        return true;
    }
    struct nearest nearest = {.word = drift->files->op};
    for (int i = 0; i < op_count(); i++) {
        nearest_offer(&nearest, op_at(i)->name);
    }
    return error_set(error, "unknown operator \"%s\"%s%s", drift->files->op,
                     nearest.best ? "; did you mean " : "; assay list shows them",
                     nearest.best ? nearest.best : "");
}

static bool read_all(struct drift *drift, struct error *error)
{
    const struct repro_files *files = drift->files;
    enum dtype dtype = DTYPE_COUNT;
    if (!find_operator(drift, error)) {
        return false;
    }
    if (files->dtype && !dtype_from_name(files->dtype, &dtype)) {
        return error_set(error, "--dtype %s: no dtype of that name; float32, float16, …", files->dtype);
    }
    bool good =
        repro_attributes_read(drift->op, &files->attributes, &drift->attributes, error) &&
        repro_inputs_read(&drift->inputs, drift->op, &files->inputs, dtype, &drift->attributes, error) &&
        repro_attributes_settle(drift->op, repro_leading_input(drift)->dtype, &drift->attributes, error);
    if (good) { /* as a case has them: a backend needs no defaults of its own */
        op_default_attributes(drift->op, repro_leading_input(drift)->dtype, &drift->attributes);
    }
    return good;
}

static bool build(const struct suite_case *c, uint64_t seed, struct program *program, struct error *error)
{
    const struct drift *drift = c->row;
    struct view view[OPERANDS_MAX];
    (void)seed;
    for (int i = 0; i < drift->inputs.inputs; i++) {
        const struct tensor *tensor = &drift->inputs.input[i];
        if (tensor_absent(tensor)) {
            view[i] = (struct view){.storage = -1};
            continue;
        }
        view[i] = program_input(program, tensor->dtype, &tensor->shape);
        if (view[i].storage < 0) {
            return error_set(error, "out of memory for input %d", i);
        }
        if (tensor->data) {
            memcpy(program->storage[view[i].storage].data, tensor->data, tensor_bytes(tensor));
        }
    }
    struct op_operands operands;
    struct op_signature signature;
    struct tensor value[OPERANDS_MAX];
    bool good = program_operands(program, drift->op, &drift->attributes, drift->inputs.inputs, view, value,
                                 &operands) &&
                op_signature(drift->op, &operands, &signature, error);
    const struct step *step =
        good ? program_step(program, drift->op, &drift->attributes, drift->inputs.inputs, view) : NULL;
    for (int o = 0; good && o < signature.outputs; o++) {
        if (!step || step->output[o].storage < 0) {
            char shape[160];
            shape_print(&signature.output[o].shape, shape, sizeof shape);
            good = error_set(error, "out of memory for output %d, %s", o, shape);
        }
    }
    good = good && (step || error_set(error, "out of memory for the call"));
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&value[i]);
    }
    return good;
}

/* Operands that the operator must refuse have no truth: asked before any backend is. */
static bool check_operands(const struct drift *drift, struct error *error)
{
    struct error why = {.text = ""};
    struct program *program = suite_build(&drift->c, 1, &why);
    if (program) {
        program_destroy(&program);
        return true;
    }
    char known[160] = "";
    size_t used = 0;
    enum dtype leading = repro_leading_input(drift)->dtype;
    for (int d = 0; !(drift->op->dtypes >> leading & 1) && d < DTYPE_COUNT; d++) {
        if (drift->op->dtypes >> d & 1) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     dtype_info((enum dtype)d)->name);
        }
    }
    return error_set(error, "%s%s%s", why.text,
                     known[0] ? "; --dtype rounds the inputs first, to one of " : "", known);
}

/* --- asking */

struct outcome {
    bool unavailable, failed, unwritten;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void note(const json_t *backend, const struct drift *drift, struct outcome *outcome)
{
    const char *unwritten = text_of(backend, "unwritten"), *status = text_of(backend, "status");
    enum status verdict = STATUS_ERROR;
    if (strcmp(status, "unavailable") == 0) {
        options_fault("%s: %s", drift->setup.backend, text_of(backend, "reason"));
        outcome->unavailable = true;
        return;
    }
    status_from_name(status, &verdict);
    outcome->failed = outcome->failed || (verdict != STATUS_PASS && verdict != STATUS_VACUOUS);
    if (unwritten[0]) {
        options_fault("%s", unwritten);
        outcome->unwritten = true;
    }
}

static bool is_there(const json_t *value)
{
    return value && !json_is_null(value);
}

static int ask_all(struct drift *drift, const struct plan *plan, const struct plan_options *options)
{
    bool json = strcmp(drift->files->format, "json") == 0, written = false;
    struct outcome outcome = {.failed = false};
    struct comparing comparing = {.fd = -1};
    json_t *backends = json_array(), *slow = NULL;
    if (!json) {
        repro_show_inputs(drift);
    }
    if (options->backends.count > 1 && !comparing_begin(&comparing, options->backends.count)) {
        fputs("assay: no place in /tmp for the backends' results, which are not compared\n", stderr);
    }
    for (int b = 0; b < options->backends.count; b++) {
        drift->setup = plan_setup(plan, options, options->backends.text[b]);
        drift->setup.values = comparing_path(&comparing);
        drift->first = !written;
        repro_results_name(&options->backends, b, drift->got);
        json_t *backend = slow ? json_deep_copy(slow) : repro_ask(drift, options->time_limit);
        if (!comparing_take(&comparing, b) && is_there(json_object_get(backend, "max_nu"))) {
            options_fault("%s: no room, in memory or in /tmp, for the results that are compared",
                          drift->setup.backend);
        }
        json_object_set_new(backend, "name", json_string(drift->setup.backend));
        json_array_append_new(backends, backend);
        if (!slow && json_is_true(json_object_get(backend, "reference_late"))) {
            slow = backend; /* no other backend would have it sooner */
        }
        note(backend, drift, &outcome);
        written = written || json_array_size(json_object_get(backend, "written")) > 0;
        if (!json && strcmp(text_of(backend, "status"), "unavailable") != 0) {
            repro_show_backend(backend);
        }
    }
    json_t *comparison = comparing_end(&comparing, backends);
    if (json) {
        repro_show_json(drift, backends, comparison);
    } else if (comparison) {
        repro_show_comparison(comparison);
    }
    json_decref(comparison);
    json_decref(backends);
    return outcome.unavailable ? EXIT_NOTHING_RUN
           : outcome.unwritten ? EXIT_USAGE
           : outcome.failed    ? EXIT_GATE
                               : EXIT_HOLDS;
}

int repro_files(const struct plan *plan, const struct plan_options *options, const struct repro_files *files)
{
    struct drift *drift = calloc(1, sizeof *drift);
    struct error error = {.text = ""};
    int status = EXIT_USAGE;
    if (!drift) {
        return options_fault("out of memory");
    }
    drift->files = files;
    bool good = read_all(drift, &error);
    if (good) {
        drift->c = (struct suite_case){.op = drift->op,
                                       .dtype = repro_leading_input(drift)->dtype,
                                       .name = "files",
                                       .file = files->inputs.text[0],
                                       .covers = "",
                                       .build = build,
                                       .row = drift};
        good = check_operands(drift, &error) &&
               (!files->output_dir || repro_folder_prepare(files->output_dir, &options->backends, &error));
    }
    if (good) {
        status = ask_all(drift, plan, options);
    } else {
        options_fault("%s", error.text);
    }
    repro_inputs_clear(&drift->inputs);
    free(drift);
    return status;
}

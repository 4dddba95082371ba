/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro.h"
#include "harness/files.h"
#include "harness/options/nearest.h"
#include "harness/repro/attributes.h"
#include "harness/repro/child.h"
#include "harness/repro/drift.h"
#include "harness/repro/problem.h"
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    (void)seed;
    return problem_place(drift->op, &drift->attributes, &drift->inputs, program, error);
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
    return error_set(error, "%.300s%s%s", why.text,
                     known[0] ? "; --dtype rounds the inputs first, to one of " : "", known);
}

/* --- files */

static bool same_name(const struct plan_options *options, int a, int b, char name[2][100])
{
    const int which[] = {a, b};
    for (int n = 0; n < 2; n++) {
        snprintf(name[n], 100, "%s", options->backends.text[which[n]]);
        for (char *c = name[n]; *c; c++) {
            bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                         strchr("._-+", *c);
            *c = plain ? *c : '_';
        }
    }
    return strcmp(name[0], name[1]) == 0;
}

/* "got-torch_cuda", and "got-NAME#2" where an earlier backend's name comes out the same. */
static void name_results(const struct plan_options *options, int b, struct drift *drift)
{
    char name[2][100];
    int number = 1;
    for (int a = 0; a < b; a++) {
        number += same_name(options, a, b, name);
    }
    same_name(options, b, b, name);
    if (number > 1) {
        snprintf(drift->got, sizeof drift->got, "got-%s#%d", name[0], number);
    } else {
        snprintf(drift->got, sizeof drift->got, "got-%s", name[0]);
    }
}

/* Results of an earlier call are no results of this one. */
static bool prepare_folder(const struct plan_options *options, struct drift *drift, struct error *error)
{
    const char *folder = drift->files->output_dir;
    char inside[1100];
    struct stat status;
    if (!folder) {
        return true;
    }
    if (!folder[0] || (size_t)snprintf(inside, sizeof inside, "%s/x", folder) >= sizeof inside) {
        return error_set(error, "--output-dir %.60s: give a path of at most 1000 bytes", folder);
    }
    if (!files_make_parents(inside) || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return error_set(error, "--output-dir %s: cannot be made, or is no directory", folder);
    }
    static const char *const stems[] = {"truth", "truth_tail", "bound"};
    for (int s = 0; s < 3; s++) {
        repro_write_clear(folder, stems[s]);
    }
    for (int b = 0; b < options->backends.count; b++) {
        name_results(options, b, drift);
        repro_write_clear(folder, drift->got);
    }
    return true;
}

/* --- asking */

struct ending {
    bool unavailable, failed, unwritten;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void note(const json_t *backend, const struct drift *drift, struct ending *outcome)
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

/* Asks, and keeps what is to be kept where no process was left to do it. */
static json_t *ask(struct drift *drift, const struct plan_options *options)
{
    json_t *backend = repro_ask(drift, options->time_limit);
    json_object_set_new(backend, "name", json_string(drift->setup.backend));
    const char *status = text_of(backend, "status");
    if (drift->bundling && (strcmp(status, "crash") == 0 || strcmp(status, "timeout") == 0) &&
        !json_is_true(json_object_get(backend, "reference_late"))) {
        repro_keep_silence(drift, backend);
    }
    return backend;
}

/* The smaller call that fails alike, or the bundle of the one that was given. */
static void ask_less(struct drift *drift, const struct plan_options *options, json_t *backend)
{
    json_t *reduced = repro_reduce(drift, options, backend);
    if (reduced) {
        json_object_set_new(backend, "shrunk", reduced);
        return;
    }
    if (drift->files->bundle) {
        drift->bundling = drift->no_files = true;
        json_t *again = ask(drift, options);
        json_object_set(backend, "bundle", json_object_get(again, "bundle"));
        if (json_object_get(again, "unwritten")) {
            json_object_set(backend, "unwritten", json_object_get(again, "unwritten"));
        }
        json_decref(again);
        drift->bundling = drift->no_files = false;
    }
}

/* One backend: its answer, shown where a person reads, and what is smaller. */
static void ask_one(struct drift *drift, const struct plan_options *options, json_t *slow, json_t *backends)
{
    bool json = strcmp(drift->files->format, "json") == 0, shrink = drift->files->shrink;
    drift->bundling = drift->files->bundle && !shrink && strcmp(drift->setup.backend, REPRO_RECORDED) != 0;
    json_t *backend = slow ? json_deep_copy(slow) : ask(drift, options);
    json_object_set_new(backend, "name", json_string(drift->setup.backend));
    json_array_append_new(backends, backend);
    drift->bundling = false;
    bool there = strcmp(text_of(backend, "status"), "unavailable") != 0;
    if (!json && there && !drift->id) {
        repro_show_backend(backend);
    }
    if (!slow && there && shrink) {
        ask_less(drift, options, backend);
    }
    if (!json && there) {
        repro_show_bundle(backend);
    }
}

int repro_ask_all(struct drift *drift, const struct plan *plan, const struct plan_options *options)
{
    bool json = strcmp(drift->files->format, "json") == 0, written = false;
    struct ending outcome = {.failed = false};
    json_t *backends = json_array(), *slow = NULL;
    if (!json && !drift->id) {
        repro_show_inputs(drift);
    }
    for (int b = 0; b < options->backends.count; b++) {
        drift->setup = plan_setup(plan, options, options->backends.text[b]);
        drift->first = !written;
        name_results(options, b, drift);
        ask_one(drift, options, slow, backends);
        json_t *backend = json_array_get(backends, (size_t)b);
        if (!slow && json_is_true(json_object_get(backend, "reference_late"))) {
            slow = backend; /* no other backend would have it sooner */
        }
        note(backend, drift, &outcome);
        written = written || json_array_size(json_object_get(backend, "written")) > 0;
    }
    if (json) {
        repro_show_json(drift, backends);
    }
    json_decref(backends);
    return outcome.unavailable ? EXIT_NOTHING_RUN
           : outcome.unwritten ? EXIT_USAGE
           : outcome.failed    ? EXIT_GATE
                               : EXIT_HOLDS;
}

struct suite_case repro_as_case(struct drift *drift, const char *name, const char *file, int line)
{
    return (struct suite_case){.op = drift->op,
                               .dtype = repro_leading_input(drift)->dtype,
                               .name = name,
                               .file = file,
                               .line = line,
                               .covers = "",
                               .build = build,
                               .row = drift};
}

bool repro_prepare(struct drift *drift, const struct plan_options *options, struct error *error)
{
    return check_operands(drift, error) && prepare_folder(options, drift, error);
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
        drift->c = repro_as_case(drift, "files", files->inputs.text[0], 0);
        good = repro_prepare(drift, options, &error);
    }
    if (good) {
        status = repro_ask_all(drift, plan, options);
    } else {
        options_fault("%s", error.text);
    }
    repro_inputs_clear(&drift->inputs);
    free(drift);
    return status;
}

/* The case's call in place of files. */
static bool take_case(struct drift *drift, const struct plan *plan, uint64_t seed, int index,
                      struct error *error)
{
    struct error why = {.text = ""};
    struct problem problem;
    const struct suite_case *c = suite_list_at(plan->list, index);
    const char *id = suite_list_id(plan->list, index);
    if (c->procedure) {
        return error_set(error, "%s is a measurement: it has no operands to shrink or to bundle", id);
    }
    struct program *program = suite_build(c, seed, error);
    if (!program) {
        return false;
    }
    bool good = problem_of_program(&problem, program, &why);
    program_destroy(&program);
    drift->op = problem.op;
    drift->attributes = problem.attributes;
    drift->inputs = problem.inputs;
    drift->id = id;
    if (!good) {
        return error_set(error, "%.200s: %.200s; --shrink and --bundle take single calls", id, why.text);
    }
    drift->c = repro_as_case(drift, c->name, c->file, c->line);
    return true;
}

int repro_call(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
               int index)
{
    struct drift *drift = calloc(1, sizeof *drift);
    struct error error = {.text = ""};
    int status = EXIT_USAGE;
    if (!drift) {
        return options_fault("out of memory");
    }
    drift->files = files;
    if (take_case(drift, plan, options->seed, index, &error) && repro_prepare(drift, options, &error)) {
        status = repro_ask_all(drift, plan, options);
    } else {
        options_fault("%s", error.text);
    }
    repro_inputs_clear(&drift->inputs);
    free(drift);
    return status;
}

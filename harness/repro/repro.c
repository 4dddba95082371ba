/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro.h"
#include "harness/exec/adapter.h"
#include "harness/repro/attributes.h"
#include "harness/repro/comparison.h"
#include "harness/repro/given.h"
#include "harness/repro/repro_child.h"
#include "harness/repro/repro_parts.h"
#include "harness/repro/write.h"
#include "harness/selection/operator_names.h"
#include "harness/shrink/problem.h"
#include "reports/report.h"
#include "reports/text.h"
#include "suites/build.h"

#include <stdlib.h>
#include <string.h>

/* --- reading */

static bool find_operator(struct repro *repro, struct error *error)
{
    repro->op = operator_named(repro->files->op, error);
    if (repro->op) {
        adapter_name_operator(repro->op->name);
    }
    return repro->op != NULL;
}

static bool read_all(struct repro *repro, struct error *error)
{
    const struct repro_files *files = repro->files;
    const struct repro_places places = {&files->layouts, &files->expands};
    enum dtype dtype = DTYPE_COUNT;
    if (!find_operator(repro, error)) {
        return false;
    }
    if (files->dtype && !dtype_from_name(files->dtype, &dtype)) {
        return error_set(error, "--dtype %s: unknown dtype; give float32, float16, …", files->dtype);
    }
    bool good =
        repro_attributes_read(repro->op, &files->attributes, &repro->attributes, error) &&
        repro_inputs_read(&repro->inputs, repro->op, &files->inputs, &places, dtype, &repro->attributes,
                          error) &&
        repro_attributes_resolve(repro->op, repro_leading_input(repro)->dtype, &repro->attributes, error);
    for (int i = 0; good && files->data && i < repro->inputs.inputs; i++) {
        repro->inputs.layout[i].origin =
            strcmp(files->data, "random") == 0 ? ORIGIN_RANDOM : ORIGIN_STRUCTURED;
    }
    if (good) { /* as in a case of the suite: a backend needs no defaults of its own */
        op_default_attributes(repro->op, repro_leading_input(repro)->dtype, &repro->attributes);
    }
    return good;
}

static void build(struct builder *b)
{
    const struct repro *repro = b->c->row;
    b->failed = !problem_place(repro->op, &repro->attributes, &repro->inputs, b->program, b->error);
}

/* Refuses operands that the operator must refuse: they have no truth. Done before any backend is asked. */
static bool check_operands(const struct repro *repro, struct error *error)
{
    struct error why = {.text = ""};
    struct program *program = suite_build(&repro->c, 1, &why);
    if (program) {
        program_destroy(&program);
        return true;
    }
    char known[160] = "";
    if (!(repro->op->dtypes >> repro_leading_input(repro)->dtype & 1)) {
        dtypes_print(repro->op->dtypes, known, sizeof known);
    }
    return error_set(error, "%s%s%s", why.text,
                     known[0] ? "; --dtype rounds the inputs first, to one of " : "", known);
}

/* --- asking the backends */

struct ending {
    bool unavailable, failed, unwritten;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void note(const json_t *backend, const struct repro *repro, struct ending *outcome)
{
    const char *unwritten = text_of(backend, "unwritten"), *status = text_of(backend, "status");
    enum status verdict = STATUS_ERROR;
    if (strcmp(status, "unavailable") == 0) {
        options_fault("%s: %s", repro->setup.backend, text_of(backend, "reason"));
        outcome->unavailable = true;
        return;
    }
    status_from_name(status, &verdict);
    outcome->failed = outcome->failed || (verdict != STATUS_PASS && verdict != STATUS_VACUOUS) ||
                      json_is_true(json_object_get(backend, "fails"));
    if (unwritten[0]) {
        options_fault("%s", unwritten);
        outcome->unwritten = true;
    }
}

/* Asks one backend. If its process crashed or hung, writes the bundle here. */
static json_t *ask(struct repro *repro, const struct plan_options *options)
{
    json_t *backend = repro_ask(repro, options->time_limit);
    json_object_set_new(backend, "name", json_string(repro->setup.backend));
    const char *status = text_of(backend, "status");
    if (repro->bundling && (strcmp(status, "crash") == 0 || strcmp(status, "timeout") == 0) &&
        !json_is_true(json_object_get(backend, "reference_late"))) {
        repro_keep_unanswered(repro, backend);
    }
    return backend;
}

/* Shrinks the call; if that is impossible, writes the bundle of the original call. */
static void ask_less(struct repro *repro, const struct plan_options *options, json_t *backend)
{
    json_t *reduced = repro_reduce(repro, options, backend);
    if (reduced) {
        json_object_set_new(backend, "shrunk", reduced);
        return;
    }
    if (repro->files->bundle) {
        repro->bundling = repro->no_files = true;
        json_t *again = ask(repro, options);
        json_object_set(backend, "bundle", json_object_get(again, "bundle"));
        if (json_object_get(again, "unwritten")) {
            json_object_set(backend, "unwritten", json_object_get(again, "unwritten"));
        }
        json_decref(again);
        repro->bundling = repro->no_files = false;
    }
}

static bool is_there(const json_t *value)
{
    return value && !json_is_null(value);
}

/* What all backends of one call share. */
struct round {
    const struct plan_options *options;
    struct comparing comparing;
    json_t *slow, *backends;
    bool json, quiet; /* quiet: the call is from a case, whose own report has been printed */
};

/* The name of backend b in reports: that of --name, or that with which a program greets, if its command is
 * not needed to tell it from another one. */
static const char *name_of(const struct repro *repro, const struct plan_options *options, int b,
                           const json_t *answer)
{
    const char *greeting = text_of(answer, "greeting"), *selector = options->backends.text[b];
    int commands = 0;
    for (int k = 0; k < options->backends.count; k++) {
        commands += strncmp(options->backends.text[k], "exec:", 5) == 0;
    }
    if (b < repro->files->names.count) {
        return repro->files->names.text[b];
    }
    return greeting[0] && commands == 1 && strncmp(selector, "exec:", 5) == 0 ? greeting : selector;
}

/* Prints the command to type next. A case's own report ends in the command that repeats it. */
static void show_next(const struct repro *repro, const json_t *backend, bool quiet)
{
    char next[4096];
    repro_next(repro, backend, next, sizeof next);
    if (next[0] && !quiet) {
        printf("  %-16s ", "next");
        text_put_line(stdout, next);
        putchar('\n');
    }
}

/* Asks backend b, shows the answer as text unless JSON is wanted, and shrinks the call if requested. */
static json_t *ask_one(struct repro *repro, struct round *r, int b)
{
    bool shrink = repro->files->shrink;
    repro->bundling = repro->files->bundle && !shrink;
    repro->no_files = r->quiet;
    json_t *backend = r->slow ? json_deep_copy(r->slow) : ask(repro, r->options);
    if (!comparing_take(&r->comparing, b) && is_there(json_object_get(backend, "max_nu"))) {
        options_fault("%s: not enough memory, or space in /tmp, for its results, which are not compared",
                      repro->setup.backend);
    }
    snprintf(repro->label, sizeof repro->label, "%s", name_of(repro, r->options, b, backend));
    json_object_set_new(backend, "name", json_string(repro->label));
    json_array_append_new(r->backends, backend);
    repro->bundling = false;
    repro->setup.values = NULL;
    bool there = strcmp(text_of(backend, "status"), "unavailable") != 0;
    if (!r->json && there && !r->quiet) {
        repro_show_backend(backend);
    }
    if (!r->slow && there && shrink) {
        ask_less(repro, r->options, backend);
    }
    if (!r->json && there) {
        repro_show_bundle(backend);
        show_next(repro, backend, r->quiet);
    }
    return backend;
}

/* Asks the backends of the options one after the other and shows the answers. Returns the exit status. */
static int ask_all(struct repro *repro, const struct plan *plan, const struct plan_options *options)
{
    bool written = false;
    struct ending outcome = {.failed = false};
    struct round r = {.options = options,
                      .comparing = {.fd = -1},
                      .backends = json_array(),
                      .json = strcmp(repro->files->format, "json") == 0};
    r.quiet = repro->id && !r.json;
    if (!r.json && !r.quiet) {
        repro_show_inputs(repro);
    }
    if (options->backends.count > 1 && !r.quiet && !comparing_begin(&r.comparing, options->backends.count)) {
        fputs("assay: cannot write the backends' results to /tmp; they are not compared\n", stderr);
    }
    for (int b = 0; b < options->backends.count; b++) {
        repro->setup = plan_setup(plan, options, options->backends.text[b]);
        repro->setup.values = comparing_path(&r.comparing);
        repro->first = !written;
        repro_results_name(&options->backends, b, repro->got);
        json_t *backend = ask_one(repro, &r, b);
        if (!r.slow && json_is_true(json_object_get(backend, "reference_late"))) {
            r.slow = backend; /* the reference would be too slow for every backend */
        }
        note(backend, repro, &outcome);
        written = written || json_array_size(json_object_get(backend, "written")) > 0;
    }
    json_t *comparison = comparing_end(&r.comparing, r.backends);
    if (r.json) {
        repro_show_json(repro, r.backends, comparison);
    } else if (comparison) {
        repro_show_comparison(comparison);
    }
    if (!r.json && repro->files->bench) {
        repro_show_times(r.backends);
    }
    json_decref(comparison);
    json_decref(r.backends);
    return outcome.unavailable ? EXIT_NOTHING_RUN
           : outcome.unwritten ? EXIT_USAGE
           : outcome.failed    ? EXIT_GATE
                               : EXIT_HOLDS;
}

struct suite_case repro_as_case(struct repro *repro, const char *name, const char *file, int line)
{
    return (struct suite_case){.op = repro->op,
                               .dtype = repro_leading_input(repro)->dtype,
                               .name = name,
                               .file = file,
                               .line = line,
                               .covers = "",
                               .build = build,
                               .row = repro};
}

bool repro_prepare(struct repro *repro, const struct plan_options *options, struct error *error)
{
    const char *folder = repro->files->output_dir;
    if (!check_operands(repro, error) ||
        (folder && !repro_folder_prepare(folder, &options->backends, error))) {
        return false;
    }
    for (int b = 0; folder && b < options->backends.count; b++) {
        repro_results_name(&options->backends, b, repro->got);
        repro_reduce_clear(folder, repro->got);
    }
    return true;
}

/* The backends to ask: the results of --got first, then those of the command line. */
static bool list_backends(struct texts *backends, const struct plan_options *options, bool given, bool named)
{
    bool good = !given || texts_add(backends, REPRO_RECORDED);
    for (int b = 0; good && (named || !given) && b < options->backends.count; b++) {
        good = texts_add(backends, options->backends.text[b]);
    }
    return good;
}

int repro_files(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
                bool named)
{
    struct repro *repro = calloc(1, sizeof *repro);
    struct bundle *given = calloc(1, sizeof *given);
    struct plan_options asked = *options;
    struct error error = {.text = "out of memory"};
    int status = EXIT_USAGE;
    asked.backends = (struct texts){.count = 0};
    bool good = repro && given && list_backends(&asked.backends, options, files->got.count > 0, named);
    if (good) {
        repro->files = files;
        good = read_all(repro, &error);
    }
    if (good) {
        repro->c = repro_as_case(repro, "files", files->inputs.text[0], 0);
        good = repro_prepare(repro, &asked, &error);
    }
    if (good && files->got.count > 0) {
        repro->recorded = given;
        good = repro_given_read(repro, given, &error);
    }
    if (good) {
        status = ask_all(repro, plan, &asked);
    } else {
        options_fault("%s", error.text);
    }
    if (repro) {
        repro_inputs_clear(&repro->inputs);
    }
    if (given) {
        bundle_clear(given);
    }
    texts_destroy(&asked.backends);
    free(given);
    free(repro);
    return status;
}

/* Takes the call of a case instead of files. */
static bool take_case(struct repro *repro, const struct plan *plan, uint64_t seed, int index,
                      struct error *error)
{
    struct error why = {.text = ""};
    struct problem problem;
    const struct suite_case *c = suite_list_at(plan->list, index);
    const char *id = suite_list_id(plan->list, index);
    if (c->procedure) {
        return error_set(error, "%s is a measurement; it has no operands to shrink or to bundle", id);
    }
    struct program *program = suite_build(c, seed, error);
    if (!program) {
        return false;
    }
    bool good = problem_of_program(&problem, program, &why);
    program_destroy(&program);
    repro->op = problem.op;
    repro->attributes = problem.attributes;
    repro->inputs = problem.inputs;
    repro->id = id;
    if (!good) {
        return error_set(error, "%.200s: %.200s; --shrink and --bundle take single calls", id, why.text);
    }
    repro->c = repro_as_case(repro, c->name, c->file, c->line);
    return true;
}

int repro_call(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
               int index)
{
    struct repro *repro = calloc(1, sizeof *repro);
    struct error error = {.text = ""};
    int status = EXIT_USAGE;
    if (!repro) {
        return options_fault("out of memory");
    }
    repro->files = files;
    /* with text the case's own report has prepared the directory */
    bool json = strcmp(files->format, "json") == 0;
    if (take_case(repro, plan, options->seed, index, &error) &&
        (!json || repro_prepare(repro, options, &error))) {
        status = ask_all(repro, plan, options);
    } else {
        options_fault("%s", error.text);
    }
    repro_inputs_clear(&repro->inputs);
    free(repro);
    return status;
}

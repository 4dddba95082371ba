/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* `assay repro FILE`: replays a bundle. */

#include "harness/backends/backends.h"
#include "harness/exec/adapter.h"
#include "harness/repro/comparison.h"
#include "harness/repro/repro.h"
#include "harness/repro/repro_child.h"
#include "harness/repro/repro_parts.h"
#include "reports/report.h"
#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* exec: would run any command, array: would import any module, and call: would run any file. The other
 * backends start only an opened device or one of assay's adapters. */
bool repro_backend_is_ours(const char *name)
{
    static const char *const ours[] = {"cpu", "vulkan", "torch", "onnx", "jax"};
    size_t length = strcspn(name, ":");
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
        if (strlen(ours[k]) == length && strncmp(name, ours[k], length) == 0) {
            return true;
        }
    }
    return false;
}

static void line(const char *name, const char *text)
{
    if (text[0]) {
        printf("  %-16s ", name);
        text_put_line(stdout, text);
        putchar('\n');
    }
}

static void show_bundle(const struct bundle *bundle)
{
    const char *id = bundle_text(bundle, NULL, "id");
    printf("bundle of ");
    text_put_line(stdout, id[0] ? id : bundle_text(bundle, NULL, "op"));
    printf(", %s by assay ", bundle_text(bundle, "header", "started")[0] ? "made" : "undated");
    text_put_line(stdout, bundle_text(bundle, "header", "assay"));
    putchar('\n');
    line("made at", bundle_text(bundle, "header", "started"));
    line("backend", bundle_text(bundle, NULL, "backend"));
    line("device", bundle_text(bundle, "header", "device"));
    line("driver", bundle_text(bundle, "header", "driver"));
    line("shrunk from", bundle_text(bundle, "shrunk", "before"));
    line("recorded", bundle_text(bundle, "verdict", "status"));
    line("rule", bundle_text(bundle, "verdict", "rule"));
    line("diagnosis", bundle_text(bundle, "verdict", "diagnosis"));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool failed(const char *status)
{
    enum status verdict;
    return !status_from_name(status, &verdict) || (verdict != STATUS_PASS && verdict != STATUS_VACUOUS);
}

/* Says whether the recorded failure occurs again. */
static void compare(const struct bundle *bundle, const json_t *answer, char *text, size_t size)
{
    const char *status = text_of(answer, "status"), *rule = text_of(answer, "rule");
    const char *was = bundle_text(bundle, "verdict", "status"), *by = bundle_text(bundle, "verdict", "rule");
    const char *first = bundle_text(bundle, "verdict", "hypothesis"), *now = text_of(answer, "hypothesis");
    if (strcmp(status, "unsupported") == 0 && strcmp(was, status) != 0) {
        snprintf(text, size, "unknown: the backend does not support the call");
    } else if (!failed(was) && !failed(status)) {
        snprintf(text, size, "no failure, as recorded");
    } else if (!failed(was)) {
        snprintf(text, size, "a failure that the bundle does not record");
    } else if (!failed(status) && strcmp(text_of(answer, "name"), REPRO_RECORDED) == 0) {
        snprintf(text, size, "no failure in the recorded results: %.60s cannot be checked with them",
                 by[0] ? by : was);
    } else if (!failed(status)) {
        snprintf(text, size, "the failure is gone");
    } else if (strcmp(status, was) != 0 || strcmp(rule, by) != 0) {
        snprintf(text, size, "another failure: %.40s%s%.60s, recorded %.40s%s%.60s", status,
                 rule[0] ? " by rule " : "", rule, was, by[0] ? " by rule " : "", by);
    } else if (strcmp(first, now) != 0) {
        snprintf(text, size, "still there, but explained by %.40s, recorded %.40s", now[0] ? now : "nothing",
                 first[0] ? first : "nothing");
    } else {
        snprintf(text, size, "still there");
    }
}

static bool is_there(const json_t *value)
{
    return value && !json_is_null(value);
}

struct replay {
    struct repro *repro;
    const struct bundle *bundle;
    const struct plan_options *options;
    struct comparing comparing; /* results of several backends */
    json_t *answers;
    bool json, wrong;
};

/* Replays on one backend, or judges the recorded results. Returns false if the backend is unavailable. */
static bool ask(struct replay *r, const char *backend)
{
    char text[320];
    r->repro->setup.backend = backend;
    r->repro->setup.values = comparing_path(&r->comparing);
    json_t *answer = repro_ask(r->repro, r->options->time_limit);
    if (!comparing_take(&r->comparing, (int)json_array_size(r->answers)) &&
        is_there(json_object_get(answer, "max_nu"))) {
        options_fault("%s: not enough memory, or space in /tmp, for its results, which are not compared",
                      backend);
    }
    const char *status = text_of(answer, "status");
    json_object_set_new(answer, "name", json_string(backend));
    json_array_append_new(r->answers, answer);
    if (strcmp(status, "unavailable") == 0) {
        return false;
    }
    compare(r->bundle, answer, text, sizeof text);
    json_object_set_new(answer, "replay", json_string(text));
    /* the recorded results show neither stray writes nor differences between runs */
    bool recorded = strcmp(backend, REPRO_RECORDED) == 0;
    r->wrong =
        r->wrong || failed(status) || (recorded && failed(bundle_text(r->bundle, "verdict", "status")));
    if (!r->json) {
        const char *differs = text_of(answer, "reference_differs");
        repro_show_backend(answer);
        line("replay", text);
        line("reference", differs[0]                     ? differs
                          : !bundle_has_truth(r->bundle) ? "the bundle has no truth to compare with"
                                                         : "the truth is the bundle's");
    }
    return true;
}

/* Replays on the backends of the command line. Otherwise on the bundle's own backend, if it is one of assay's
 * and available; else judges the recorded results. */
static int ask_all(struct replay *r, bool named)
{
    const char *own = bundle_text(r->bundle, NULL, "backend");
    bool missing = false, tried = false;
    const char *selector;
    struct error error = {.text = ""};
    if (named) {
        for (int b = 0; b < r->options->backends.count; b++) {
            const char *backend = r->options->backends.text[b];
            if (!ask(r, backend)) {
                options_fault("%s: %s", backend,
                              text_of(json_array_get(r->answers, json_array_size(r->answers) - 1), "reason"));
                missing = true;
            }
        }
        return missing ? EXIT_NOTHING_RUN : r->wrong ? EXIT_GATE : EXIT_HOLDS;
    }
    if (strcmp(own, REPRO_RECORDED) == 0) {
        /* the results were given with --got */
    } else if (!repro_backend_is_ours(own)) {
        fputs("assay: the bundle's backend is ", stderr);
        text_put_line(stderr, own);
        fputs("; only -b starts it. These are the recorded results\n", stderr);
    } else if (!backends_find(own, &selector, &error) || !(tried = ask(r, own))) {
        fputs("assay: ", stderr);
        text_put_line(stderr, own);
        fputs(" is not available (", stderr);
        text_put_line(stderr, error.text[0] ? error.text : text_of(json_array_get(r->answers, 0), "reason"));
        fputs("). These are the recorded results\n", stderr);
    }
    if (!tried) {
        json_array_clear(r->answers);
        ask(r, REPRO_RECORDED);
    }
    return r->wrong ? EXIT_GATE : EXIT_HOLDS;
}

static int replay(struct repro *repro, const struct bundle *bundle, const struct plan_options *options,
                  bool named)
{
    struct replay r = {.repro = repro,
                       .bundle = bundle,
                       .options = options,
                       .comparing = {.fd = -1},
                       .answers = json_array(),
                       .json = strcmp(repro->files->format, "json") == 0};
    if (!r.json) {
        show_bundle(bundle);
        repro_show_inputs(repro);
    }
    if (named && options->backends.count > 1 && !comparing_begin(&r.comparing, options->backends.count)) {
        fputs("assay: cannot write the backends' results to /tmp; they are not compared\n", stderr);
    }
    int status = ask_all(&r, named);
    json_t *comparison = comparing_end(&r.comparing, r.answers);
    if (r.json) {
        repro_show_json(repro, r.answers, comparison);
    } else if (comparison) {
        repro_show_comparison(comparison);
    }
    json_decref(comparison);
    json_decref(r.answers);
    return status;
}

bool repro_take_bundle(struct repro *repro, struct bundle *bundle, const struct plan *plan,
                       const struct plan_options *options, const char *path, struct error *error)
{
    if (!bundle_read(path, bundle, error)) {
        return false;
    }
    repro->op = bundle->problem.op;
    repro->attributes = bundle->problem.attributes;
    repro->inputs = bundle->problem.inputs; /* owned by the bundle */
    repro->recorded = bundle;
    adapter_name_operator(repro->op->name);
    op_default_attributes(repro->op, repro_leading_input(repro)->dtype, &repro->attributes);
    repro->c = repro_as_case(repro, "bundle", path, 0);
    repro->setup = plan_setup(plan, options, REPRO_RECORDED);
    repro->setup.seed = (uint64_t)json_integer_value(json_object_get(bundle->json, "seed"));
    return repro_prepare(repro, options, error);
}

json_t *repro_judge_bundle(const struct plan *plan, const struct plan_options *options,
                           const struct repro_files *files, const char *path, struct error *error)
{
    struct repro *repro = calloc(1, sizeof *repro);
    struct bundle *bundle = calloc(1, sizeof *bundle);
    json_t *answer = NULL;
    error_set(error, "out of memory");
    if (repro && bundle) {
        repro->files = files;
    }
    if (repro && bundle && repro_take_bundle(repro, bundle, plan, options, path, error)) {
        answer = repro_answer(repro);
    }
    if (bundle) {
        bundle_clear(bundle);
    }
    free(bundle);
    free(repro);
    return answer;
}

int repro_bundle(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
                 const char *path, bool named)
{
    struct repro *repro = calloc(1, sizeof *repro);
    struct bundle *bundle = calloc(1, sizeof *bundle);
    struct error error = {.text = "out of memory"};
    int status = EXIT_USAGE;
    if (repro && bundle) {
        repro->files = files;
    }
    if (repro && bundle && repro_take_bundle(repro, bundle, plan, options, path, &error)) {
        status = replay(repro, bundle, options, named);
    } else {
        options_fault("%s", error.text);
    }
    if (bundle) {
        bundle_clear(bundle);
    }
    free(bundle);
    free(repro);
    return status;
}

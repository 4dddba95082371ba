/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* `assay repro DIR`: which call of a recorded step is the first that is not right? Each is judged with the
 * operands that it really had, so that an error does not spread to the calls behind it. */

#include "harness/bundle/capture.h"
#include "harness/repro/repro.h"
#include "harness/repro/repro_child.h"
#include "harness/repro/repro_parts.h"
#include "reports/records/fields.h"
#include "reports/report.h"
#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { RIGHT, WRONG, UNDECIDED, UNANSWERED, UNJUDGED, VERDICTS };

enum { LISTED = 20 /* calls and reasons that are listed in text */ };

struct capture {
    const struct plan *plan;
    const struct plan_options *options;
    const struct repro_files *files;
    const char *folder;
    json_t *json;
    json_t *answers; /* of the judged calls, with the members of the call */
    int count[VERDICTS];
    bool named, faulty; /* faulty: a bundle could not be read, or a backend not be started */
};

static const char *text_of(const json_t *object, const char *member)
{
    return capture_text(object, member);
}

static enum verdict verdict_of(const json_t *answer)
{
    enum status status;
    if (!status_from_name(text_of(answer, "status"), &status)) {
        return UNANSWERED;
    }
    if (status == STATUS_FAIL || json_is_true(json_object_get(answer, "fails"))) {
        return WRONG;
    }
    if (status != STATUS_PASS && status != STATUS_VACUOUS) {
        return UNANSWERED;
    }
    return json_is_true(json_object_get(answer, "cannot_tell")) ? UNDECIDED : RIGHT;
}

/* Judges one call on one backend, or from its recorded result, and adds the answer. */
static void judge_on(struct capture *c, struct repro *repro, const json_t *call, size_t number,
                     const char *backend)
{
    static const char *const kept[] = {"file", "op", "aten", "module", "phase"};
    static const char *const words[VERDICTS] = {"right", "wrong", "cannot tell", "no answer", "not judged"};
    repro->setup.backend = backend;
    json_t *answer = repro_ask(repro, c->options->time_limit);
    const enum verdict verdict = verdict_of(answer);
    json_object_set_new(answer, "name", json_string(backend));
    json_object_set_new(answer, "call", json_integer((json_int_t)number));
    json_object_set_new(answer, "verdict", json_string(words[verdict]));
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        json_object_set_new(answer, kept[k], json_string(text_of(call, kept[k])));
    }
    if (strcmp(text_of(answer, "status"), "unavailable") == 0) {
        c->faulty = true;
        options_fault("%s: %s", backend, text_of(answer, "reason"));
    }
    c->count[verdict]++;
    json_array_append_new(c->answers, answer);
}

static void judge(struct capture *c, const json_t *call, size_t number)
{
    char path[PATH_MAX + 260];
    struct repro *repro = calloc(1, sizeof *repro);
    struct bundle *bundle = calloc(1, sizeof *bundle);
    struct error error = {.text = "out of memory"};
    snprintf(path, sizeof path, "%s/%s", c->folder, text_of(call, "file"));
    bool good = repro && bundle;
    if (good) {
        repro->files = c->files;
        good = repro_take_bundle(repro, bundle, c->plan, c->options, path, &error);
    }
    if (!good) {
        c->faulty = true;
        options_fault("call %zu: %s", number, error.text);
    } else if (!c->named) {
        judge_on(c, repro, call, number, REPRO_RECORDED);
    }
    for (int b = 0; good && c->named && b < c->options->backends.count && !c->faulty; b++) {
        judge_on(c, repro, call, number, c->options->backends.text[b]);
    }
    if (bundle) {
        bundle_clear(bundle);
    }
    free(bundle);
    free(repro);
}

/* --- text */

/* "call 12, layer_norm in encoder.norm1 (forward)" */
static void print_call(const json_t *answer)
{
    const char *module = text_of(answer, "module"), *phase = text_of(answer, "phase");
    printf("call %" JSON_INTEGER_FORMAT ", ", json_integer_value(json_object_get(answer, "call")));
    text_put_line(stdout, text_of(answer, "op"));
    if (module[0]) {
        fputs(" in ", stdout);
        text_put_line(stdout, module);
    }
    if (phase[0]) {
        fputs(" (", stdout);
        text_put_line(stdout, phase);
        putchar(')');
    }
}

/* ": explained by zeros: 12 of 12 elements are 0": the diagnosis up to its first semicolon. */
static void print_cause(const json_t *answer)
{
    char cause[400];
    snprintf(cause, sizeof cause, "%s", text_of(answer, "diagnosis"));
    cause[strcspn(cause, ";")] = '\0';
    fputs(": ", stdout);
    text_put_line(stdout, cause);
    putchar('\n');
}

static void print_head(const struct capture *c, size_t calls)
{
    const json_t *step = json_object_get(c->json, "step");
    fputs("capture of ", stdout);
    text_put_line(stdout, text_of(c->json, "script")[0] ? text_of(c->json, "script") : "a program");
    if (json_is_integer(step)) {
        printf(", step %" JSON_INTEGER_FORMAT, json_integer_value(step));
    }
    printf(": %zu calls", calls);
    if (text_of(c->json, "runtime")[0]) {
        fputs(", ", stdout);
        text_put_line(stdout, text_of(c->json, "runtime"));
    }
    if (text_of(c->json, "device")[0]) {
        fputs(" on ", stdout);
        text_put_line(stdout, text_of(c->json, "device"));
    }
    putchar('\n');
    if (json_is_false(json_object_get(c->json, "complete"))) {
        fputs("incomplete: ", stdout);
        text_put_line(stdout,
                      text_of(c->json, "reason")[0] ? text_of(c->json, "reason") : "the program ended");
        putchar('\n');
    }
}

/* Prints the first answer of a verdict in full, unless `first` is NULL, and the others as one line each. */
static void print_verdict(const struct capture *c, const char *verdict, const char *first, const char *others)
{
    size_t k;
    json_t *answer;
    int seen = 0;
    json_array_foreach(c->answers, k, answer)
    {
        if (strcmp(text_of(answer, "verdict"), verdict) != 0) {
            continue;
        }
        seen++;
        if (seen == 1 && first) {
            printf("%s: ", first);
            print_call(answer);
            putchar('\n');
            repro_show_backend(answer);
            printf("  %-16s assay repro %s/%s\n", "replay", c->folder, text_of(answer, "file"));
        } else if (seen <= LISTED) {
            printf("%s: ", others);
            print_call(answer);
            print_cause(answer);
        }
    }
    if (seen > LISTED) { /* the first stands among them, in full or as a line */
        printf("%s: %d more; --format json lists all\n", others, seen - LISTED);
    }
}

/* Prints how many calls are not judged, for each reason and name. */
static void print_unjudged(const json_t *kinds)
{
    const char *key;
    json_t *count;
    int listed = 0, more = 0;
    json_object_foreach((json_t *)(uintptr_t)kinds, key, count)
    {
        if (listed < LISTED) {
            printf("  %-6" JSON_INTEGER_FORMAT " ", json_integer_value(count));
            text_put_line(stdout, key);
            putchar('\n');
            listed++;
        } else {
            more++;
        }
    }
    if (more) {
        printf("  %d more kinds; --format json lists all\n", more);
    }
}

static void print_all(const struct capture *c, size_t calls, const json_t *kinds)
{
    print_head(c, calls);
    print_verdict(c, "wrong", "first wrong", "also wrong");
    print_verdict(c, "no answer", "no answer", "no answer");
    print_verdict(c, "cannot tell", NULL, "cannot tell");
    if (c->count[UNJUDGED]) {
        printf("not judged: %d calls\n", c->count[UNJUDGED]);
        print_unjudged(kinds);
    }
    printf("%d right, %d wrong, %d cannot tell, %d no answer, %d not judged\n", c->count[RIGHT],
           c->count[WRONG], c->count[UNDECIDED], c->count[UNANSWERED], c->count[UNJUDGED]);
}

static void print_json(const struct capture *c, json_t *kinds)
{
    json_t *whole = json_pack("{s:s, s:O, s:O, s:{s:i, s:i, s:i, s:i, s:i}}", "capture", c->folder, "calls",
                              c->answers, "not_judged", kinds, "count", "right", c->count[RIGHT], "wrong",
                              c->count[WRONG], "cannot_tell", c->count[UNDECIDED], "no_answer",
                              c->count[UNANSWERED], "not_judged", c->count[UNJUDGED]);
    json_print(stdout, whole, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(whole);
}

/* --- all calls */

static void count_unjudged(struct capture *c, const json_t *call, json_t *kinds)
{
    char kind[320];
    const char *aten = text_of(call, "aten"), *why = text_of(call, "why");
    snprintf(kind, sizeof kind, "%.120s: %.160s", aten[0] ? aten : text_of(call, "op"),
             why[0] ? why : "not recorded");
    json_t *count = json_object_get(kinds, kind);
    json_object_set_new(kinds, kind, json_integer(json_integer_value(count) + 1));
    c->count[UNJUDGED]++;
}

int repro_capture(const struct plan *plan, const struct plan_options *options,
                  const struct repro_files *files, const char *folder, bool named)
{
    struct error error = {.text = ""};
    struct capture c = {.plan = plan, .options = options, .files = files, .folder = folder, .named = named};
    size_t k;
    json_t *call;
    c.json = capture_read(folder, &error);
    if (!c.json) {
        return options_fault("%s", error.text);
    }
    const json_t *calls = json_object_get(c.json, "calls");
    const bool progress = isatty(STDERR_FILENO);
    json_t *kinds = json_object();
    c.answers = json_array();
    json_array_foreach(calls, k, call)
    {
        if (progress) {
            fprintf(stderr, "\r%zu of %zu calls, %d wrong ", k, json_array_size(calls), c.count[WRONG]);
        }
        if (text_of(call, "file")[0]) {
            judge(&c, call, k);
        } else {
            count_unjudged(&c, call, kinds);
        }
    }
    if (progress) {
        fputs("\r\033[K", stderr);
    }
    if (strcmp(files->format, "json") == 0) {
        print_json(&c, kinds);
    } else {
        print_all(&c, json_array_size(calls), kinds);
    }
    const bool empty = json_array_size(c.answers) == 0;
    if (empty && !c.faulty) {
        options_fault("%s: no call of this capture can be judged", folder);
    }
    json_decref(kinds);
    json_decref(c.answers);
    json_decref(c.json);
    return c.count[WRONG] || c.count[UNANSWERED] ? EXIT_GATE
           : c.faulty || empty                   ? EXIT_NOTHING_RUN
                                                 : EXIT_HOLDS;
}

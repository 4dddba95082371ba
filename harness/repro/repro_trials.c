/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro_trials.h"
#include "harness/host/descriptors.h"
#include "harness/judge/statistics/evidence.h"
#include "reports/records/fields.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a problem on a pipe, between two processes with the same image: pointers to texts of the program stay
 * valid */

static bool send_problem(int to, const struct problem *problem)
{
    bool good = descriptor_write(to, problem, sizeof *problem);
    for (int i = 0; good && i < problem->inputs.inputs; i++) {
        const struct tensor *tensor = &problem->inputs.input[i];
        good = !tensor->data || descriptor_write(to, tensor->data, tensor_bytes(tensor));
    }
    return good;
}

static bool receive_problem(int from, struct problem *problem)
{
    bool good = descriptor_read(from, problem, sizeof *problem);
    for (int i = 0; good && i < problem->inputs.inputs; i++) {
        struct tensor *tensor = &problem->inputs.input[i];
        bool held = tensor->data != NULL; /* has data, which lies elsewhere in this process */
        tensor->data = NULL;
        good = !held || (tensor_create(tensor, tensor->dtype, &tensor->shape) &&
                         descriptor_read(from, tensor->data, tensor_bytes(tensor)));
    }
    return good;
}

/* --- the child */

/* Returns how many times its limit the record is off; infinity if it does not fail by a number. */
static double margin_of(const struct record *record)
{
    const char *rule = record->rule ? record->rule : "";
    bool envelope = strcmp(rule, RECORD_RULE_ENVELOPE) == 0;
    if (record->status != STATUS_FAIL) {
        return record->implausible > 0 ? record->implausible : INFINITY;
    }
    if (envelope) {
        return fmax(record->envelope_q,
                    fmax(record->envelope_t / EVIDENCE_T_LIMIT, record->envelope_g / EVIDENCE_G_LIMIT));
    }
    return record->over_bound > 0 && record->max_nu > 1 ? record->max_nu : INFINITY;
}

static json_t *outcome_put(const struct repro *repro)
{
    const struct record *record = &repro->record;
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:s, s:b}", "status", status_name(record->status), "rule",
        record->rule ? record->rule : "", "reason", field_text_put(record->reason ? record->reason : ""),
        "implausible", field_real_put(record->implausible), "margin", field_real_put(margin_of(record)),
        "resolution", field_real_put(record->resolution), "valued", repro_has_values(record), "numbered",
        isfinite(record->worst.ulp), "hypothesis", repro->hypothesis.name, "cut", repro->hypothesis.cut);
}

static void take_problem(struct repro *repro, const struct problem *problem)
{
    repro->attributes = problem->attributes;
    repro->inputs = problem->inputs;
    repro->c.dtype = repro_leading_input(repro)->dtype;
}

static bool answer_many(struct repro *repro, int from)
{
    struct error error = {.text = ""};
    struct problem *problem = malloc(sizeof *problem);
    if (!problem || !repro_open(repro, &error)) {
        json_t *json = json_pack("{s:s, s:o}", "status", "unavailable", "reason", field_text_put(error.text));
        repro_child_say(repro, json);
        json_decref(json);
        return false;
    }
    fputs("{\"status\":\"ready\"}\n", repro->phases);
    fflush(repro->phases);
    while (receive_problem(from, problem)) {
        take_problem(repro, problem);
        repro_judge(repro);
        json_t *json = outcome_put(repro);
        repro_child_say(repro, json);
        json_decref(json);
        repro_clear(repro);
        problem_clear(problem);
    }
    repro->class->close(&repro->backend);
    free(problem);
    return true;
}

/* --- the parent */

static void lose(struct repro_trials *own, bool kill)
{
    repro_child_reap(&own->child, kill);
    child_release(&own->child);
    own->running = false;
}

static void stop(struct trials *trials)
{
    struct repro_trials *own = (struct repro_trials *)trials;
    if (own->running) {
        lose(own, true);
    }
}

static void copy_text(const json_t *json, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(json, key));
    snprintf(text, size, "%s", value ? value : "");
}

static void read_outcome(const json_t *json, struct outcome *outcome)
{
    char status[32];
    copy_text(json, "status", status, sizeof status);
    copy_text(json, "rule", outcome->rule, sizeof outcome->rule);
    copy_text(json, "reason", outcome->reason, sizeof outcome->reason);
    copy_text(json, "hypothesis", outcome->hypothesis, sizeof outcome->hypothesis);
    outcome->known = status_from_name(status, &outcome->status) &&
                     field_real_get(json_object_get(json, "implausible"), &outcome->implausible) &&
                     field_real_get(json_object_get(json, "margin"), &outcome->margin) &&
                     field_real_get(json_object_get(json, "resolution"), &outcome->resolution);
    outcome->valued = json_is_true(json_object_get(json, "valued"));
    outcome->numbered = json_is_true(json_object_get(json, "numbered"));
    outcome->cut = json_is_true(json_object_get(json, "cut"));
}

/* Sets the outcome of a problem without an answer. In the phase RUN the silence is a finding about the
 * backend; in other phases nothing is known. */
static void note_silence(const struct repro_trials *own, int phase, bool late, struct outcome *outcome)
{
    outcome->known = phase == PHASE_RUN;
    outcome->status = late ? STATUS_TIMEOUT : STATUS_CRASH;
    outcome->margin = outcome->resolution = INFINITY;
    if (late) {
        snprintf(outcome->reason, sizeof outcome->reason, "no answer in time");
    } else {
        repro_child_reason(&own->child, phase, outcome->reason, sizeof outcome->reason);
    }
}

/* Starts a process with the backend open, if none runs. */
static bool begin(struct repro_trials *own, const struct repro_time_limits *limits, struct error *error)
{
    int phase = REPRO_OPENING;
    bool late = false;
    if (own->running) {
        return true;
    }
    if (!repro_child_start(own->repro, answer_many, &own->child)) {
        return error_set(error, "cannot start a process for it: %s", strerror(errno));
    }
    json_t *json = repro_child_listen(&own->child, limits, &phase, NULL, &late);
    const char *status = json_string_value(json_object_get(json, "status")),
               *reason = json_string_value(json_object_get(json, "reason"));
    own->running = status && strcmp(status, "ready") == 0;
    if (!own->running) {
        error_set(error, "%s", reason ? reason : "the backend does not start");
        lose(own, true);
    }
    json_decref(json);
    return own->running;
}

static bool ask(struct trials *trials, const struct problem *problem, struct outcome *outcome,
                struct error *error)
{
    struct repro_trials *own = (struct repro_trials *)trials;
    const struct repro_time_limits limits = {trials->run_seconds, own->rest_seconds};
    int phase = PHASE_REFERENCE;
    bool late = false;
    *outcome = (struct outcome){.known = false};
    own->repro->wanted_rule = trials->wanted_rule;
    if (!begin(own, &limits, error)) {
        return false;
    }
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a child that dies is detected by its silence */
    send_problem(own->child.requests, problem);
    signal(SIGPIPE, before);
    json_t *json = repro_child_listen(&own->child, &limits, &phase, NULL, &late);
    if (json) {
        read_outcome(json, outcome);
    } else {
        repro_child_reap(&own->child, true); /* it has died, is late, or sent a malformed answer */
        note_silence(own, phase, late, outcome);
        child_release(&own->child);
        own->running = false;
    }
    if (json && trials->fresh) {
        lose(own, true);
    }
    json_decref(json);
    return true;
}

void repro_trials_begin(struct repro_trials *own, struct repro *repro, double time_limit)
{
    *own = (struct repro_trials){.trials = {.ask = ask, .stop = stop, .run_seconds = time_limit},
                                 .repro = repro,
                                 .rest_seconds = time_limit};
}

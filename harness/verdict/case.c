/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/case.h"
#include "harness/clock.h"
#include "harness/verdict/images.h"
#include "harness/verdict/judge.h"
#include "harness/verdict/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 1000 };

/* All that one case holds while it is on the road. */
struct journey {
    const struct suite_case *c;
    const struct backend_class *class;
    struct backend *backend;
    const struct case_options *options;
    struct record *record;
    struct program *program;
    struct program_truth truth;
    int runs;
    struct images *images;       /* one per run */
    struct step_result **result; /* one row per run */
    uint64_t memory_limit;       /* bytes that the backend may reserve; 0: unknown */
};

static void enter(const struct journey *j, enum case_phase phase)
{
    if (j->options->phase) {
        j->options->phase(j->options->user, phase);
    }
}

static bool set_reason(struct record *record, enum status status, const char *text)
{
    record->status = status;
    record_rule(record, NULL); /* what the judge said of the verdict before */
    record_reason(record, "%s", text);
    return true;
}

static bool prepare(struct journey *j, const struct profile *profile, struct error *error)
{
    int64_t start = clock_ns();
    j->program = suite_build(j->c, j->options->seed, error);
    if (!j->program) {
        return false;
    }
    char digest[33]; /* of what the suite asks: what a profile makes of an attribute is no other question */
    program_digest(j->program, digest);
    j->record->inputs_digest = strdup(digest);
    if (profile->attributes_float32) {
        program_round_attributes(j->program);
    }
    bool good =
        j->options->unjudged || program_truth_compute(j->program, j->options->source, &j->truth, error);
    j->record->reference_ns = clock_ns() - start;
    return good;
}

static bool run_all(struct journey *j, struct error *error)
{
    int64_t start = clock_ns();
    j->images = calloc((size_t)j->runs, sizeof *j->images);
    j->result = calloc((size_t)j->runs, sizeof *j->result);
    for (int r = 0; r < j->runs; r++) {
        j->result[r] = calloc((size_t)j->program->steps + 1, sizeof **j->result);
        if (!j->result[r] || !images_create(&j->images[r], j->program)) {
            return error_set(error, "out of memory for the case's memory images");
        }
        for (int s = 0; s < j->program->steps; s++) {
            j->result[r][s].status = STEP_NOT_RUN;
        }
        images_fill(&j->images[r], j->program, r);
        struct backend_run run = {.image = j->images[r].image, .result = j->result[r]};
        int64_t begun = clock_ns();
        if (!j->class->run(j->backend, j->program, &run, error)) {
            return false;
        }
        int64_t device_ns =
            run.device_ns > 0 ? run.device_ns : clock_ns() - begun; /* PROTOCOL.md: it may be left out */
        if (r == 0 || device_ns < j->record->device_ns) {
            j->record->device_ns = device_ns;
        }
    }
    j->record->wall_ns = clock_ns() - start;
    return true;
}

/* The negative control: the last judged element of the last step that has one, spoiled alike in every run, so
 * that only the comparison with the truth can notice. False when the case has no value to spoil. */
static bool spoil(struct journey *j)
{
    for (int s = j->program->steps - 1; s >= 0; s--) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = j->truth.truth[s] ? step_judged(&j->program->step[s], judged) : 0;
        const struct view *view = count ? &judged[count - 1] : NULL;
        int64_t elements = view ? shape_elements(&view->shape) : 0;
        if (elements == 0) {
            continue;
        }
        const struct dtype_info *info = dtype_info(view->dtype);
        for (int r = 0; r < j->runs; r++) {
            unsigned char *element = images_element(&j->images[r], view, elements - 1);
            if (dtype_is_floating(info->component)) {
                double x = dtype_load(info->component, element);
                dtype_store(info->component, element, x > -1e4 && x < 1e4 ? 2 * x + 17 : 17);
            } else {
                element[0] ^= 0x40;
            }
        }
        return true;
    }
    return false;
}

static bool judge_all(struct journey *j, const struct profile *profile, struct error *error)
{
    struct judge_run run[RUNS_MAX];
    for (int r = 0; r < j->runs; r++) {
        run[r] = (struct judge_run){.images = &j->images[r], .result = j->result[r]};
    }
    struct judge_request request = {.program = j->program,
                                    .truth = &j->truth,
                                    .profile = profile,
                                    .runs = j->runs,
                                    .run = run,
                                    .memory_limit = j->memory_limit};
    return judge(&request, j->record, error);
}

/* Messages of the validation layer fail a case whatever its values are. */
static void note_validation(struct journey *j)
{
    char text[512] = "";
    int messages =
        j->class->validation_messages ? j->class->validation_messages(j->backend, text, sizeof text) : 0;
    j->record->validation = messages;
    if (messages > 0) {
        char reason[640];
        snprintf(reason, sizeof reason, "%d validation message(s), the first: %s", messages, text);
        set_reason(j->record, STATUS_FAIL, reason);
        record_rule(j->record, "validation");
        free(j->record->detail);
        j->record->detail = strdup(reason);
    }
}

/* Within the phase RUN: a program that does not answer this either has no more than --time-limit. */
static void note_memory(struct journey *j)
{
    if (j->class->memory) {
        struct backend_memory memory = {.peak = 0};
        j->class->memory(j->backend, &memory);
        j->record->peak_bytes = (int64_t)memory.peak;
        j->memory_limit = memory.limit;
    }
}

static void destroy(struct journey *j)
{
    for (int r = 0; r < j->runs; r++) {
        if (j->images) {
            images_destroy(&j->images[r]);
        }
        if (j->result) {
            free(j->result[r]);
        }
    }
    free(j->images);
    free(j->result);
    program_truth_destroy(&j->truth);
    program_destroy(&j->program);
}

bool case_run(const struct suite_case *c, const char *id, const struct backend_class *class,
              struct backend *backend, const struct case_options *options, struct record *record)
{
    struct journey j = {.c = c,
                        .class = class,
                        .backend = backend,
                        .options = options,
                        .record = record,
                        .runs = options->repeat < 2          ? 2
                                : options->repeat > RUNS_MAX ? RUNS_MAX
                                                             : options->repeat};
    struct error error = {.text = ""};
    struct backend_info info;
    char source[256];
    bool alive = true;
    memset(record, 0, sizeof *record);
    record->id = strdup(id);
    snprintf(source, sizeof source, "%s:%d", c->file, c->line);
    record->source = strdup(source);
    record->worst.index = -1;
    record->resolution = NAN; /* until the judge knows it */
    class->info(backend, &info);

    if (c->procedure) {
        alive = measure(c, id, class, backend, options, record);
        note_validation(&j);
        note_memory(&j);
        return alive;
    }
    enter(&j, PHASE_REFERENCE);
    if (!prepare(&j, &info.profile, &error)) {
        set_reason(record, STATUS_ERROR, error.text);
    } else {
        enter(&j, PHASE_RUN);
        if (!run_all(&j, &error)) {
            alive = false;
            set_reason(record, STATUS_ERROR, error.text);
        } else if (options->unjudged) {
            note_validation(&j); /* its messages are not the next case's */
            set_reason(record, STATUS_PASS, "not judged: it ran before another case");
        } else {
            note_memory(&j);
            enter(&j, PHASE_JUDGE);
            bool spoiled = !options->self_test || spoil(&j);
            if (!judge_all(&j, &info.profile, &error)) {
                set_reason(record, STATUS_ERROR, error.text);
            } else if (!spoiled) {
                set_reason(record, STATUS_ERROR, "self-test: this case has no value to spoil");
            }
            if (options->inspect) {
                options->inspect(options->user, j.program, &j.truth, &j.images[0], &info.profile);
            }
            note_validation(&j);
        }
    }
    destroy(&j);
    return alive;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/case.h"
#include "harness/host/clock.h"
#include "harness/judge/judge.h"
#include "harness/judge/later_runs.h"
#include "harness/judge/measure.h"
#include "harness/judge/memory/images.h"
#include "harness/judge/spoil.h"
#include "harness/judge/verification.h"
#include "reference/base/memory.h"
#include "reference/program/observed.h"
#include "reference/program/slices.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 1000, LARGE_BYTES = 1 << 20, EMPTIED_BYTES = 16 << 20, ZERO_COPY_BYTES = 4 << 20 };

/* All that one case holds while it is judged. */
struct case_state {
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
    unsigned char **left;        /* what run 0 left: operands of observed steps; NULL: there are none */
    uint64_t memory_limit;       /* bytes that the backend may reserve; 0: unknown */
    bool have_truth;
    bool known; /* a cached verdict exists: record `before`, on the answer `answered` */
    char answered[33];
    struct record before;
    struct case_cost cost;
    uint64_t shortages; /* shortages of memory that were counted before the case */
};

static void enter(const struct case_state *state, enum case_phase phase)
{
    if (state->options->phase) {
        state->options->phase(state->options->user, phase);
    }
}

static bool set_reason(struct record *record, enum status status, const char *text)
{
    record->status = status;
    record_rule(record, NULL); /* of an earlier verdict */
    record_reason(record, "%s", text);
    return true;
}

static size_t bytes_of(const struct program *program)
{
    size_t bytes = 0;
    for (int s = 0; program && s < program->storages; s++) {
        bytes += program->storage[s].bytes;
    }
    return bytes;
}

/* Before a large case, whose truth takes many times its tensors' memory, returns freed memory to the system.
 * A case of the size of the one before fits where that one lay. */
static void make_room(const struct program *program)
{
    static _Thread_local size_t latest;
    const size_t bytes = bytes_of(program);
    if (bytes >= LARGE_BYTES && bytes != latest) {
#ifdef __GLIBC__
        malloc_trim(0);
#endif
    }
    latest = bytes;
}

static struct question question_of(const struct case_state *state, const struct profile *profile)
{
    return (struct question){.id = state->record->id,
                             .seed = state->options->seed,
                             .runs = state->runs,
                             .inputs_digest = state->record->inputs_digest,
                             .profile = profile};
}

/* The verdict cache if the case may use it, else NULL. */
static const struct verdict_source *verdicts_of(const struct case_state *state)
{
    const struct case_options *options = state->options;
    bool judged = !options->unjudged && !options->self_test && !options->inspect;
    return judged && state->record->inputs_digest ? options->verdicts : NULL;
}

static void recall(struct case_state *state, const struct profile *profile)
{
    const struct verdict_source *verdicts = verdicts_of(state);
    if (verdicts) {
        const struct question question = question_of(state, profile);
        state->known = verdicts->lookup(verdicts->user, &question, state->answered, &state->before);
    }
}

static struct truth_source source_of(const struct case_state *state)
{
    struct truth_source source = {.user = NULL};
    if (state->options->source) {
        source = *state->options->source;
    }
    source.sliced = !state->options->whole;
    source.left = state->left;
    return source;
}

/* Finds the truth before the run, or the truth of the first `steps` steps from what run 0 left. */
static bool find_truth(struct case_state *state, int steps, struct error *error)
{
    state->have_truth = true;
    if (steps < 1) {
        return true; /* no step gave a value: none has a truth */
    }
    if (state->images && program_is_observed(state->program)) {
        state->left = images_left(&state->images[0]);
    }
    struct truth_source source = source_of(state);
    source.steps = steps;
    int64_t start = clock_ns(), begun = clock_process_ns();
    bool good = program_truth_compute(state->program, &source, &state->truth, error);
    state->cost.reference = clock_process_ns() - begun;
    state->record->reference_ns = clock_ns() - start;
    return good;
}

/* Builds the program and finds its truth, unless a cached verdict may spare the truth or steps are observed:
 * then it is found once the answer is known. */
static bool prepare(struct case_state *state, const struct profile *profile, struct error *error)
{
    state->program = suite_build(state->c, state->options->seed, error);
    if (!state->program) {
        return false;
    }
    make_room(state->program);
    char digest[33]; /* before program_adapt: a profile's attribute values make no other request */
    program_digest(state->program, digest);
    state->record->inputs_digest = memory_text(digest);
    program_adapt(state->program, profile);
    recall(state, profile);
    return state->options->unjudged || state->known || program_is_observed(state->program) ||
           find_truth(state, state->program->steps, error);
}

/* An out-of-bounds write changed an input that was passed zero-copy: restores it from the seed. */
static bool put_data_back(struct case_state *state, int run, struct error *error)
{
    struct program *again = suite_build(state->c, state->options->seed, error);
    bool good = again && (images_restore(&state->images[run], state->program, again) ||
                          error_set(error, "out of memory for the case's memory images"));
    program_destroy(&again);
    return good;
}

static bool run_all(struct case_state *state, struct error *error)
{
    int64_t start = clock_ns();
    state->images = calloc((size_t)state->runs, sizeof *state->images);
    state->result = calloc((size_t)state->runs, sizeof *state->result);
    for (int r = 0; r < state->runs; r++) {
        state->result[r] = calloc((size_t)state->program->steps + 1, sizeof **state->result);
        if (!state->result[r] || !images_create_zero_copy(&state->images[r], state->program, ZERO_COPY_BYTES,
                                                          r > 0 ? &state->images[r - 1] : NULL)) {
            return error_set(error, "out of memory for the case's memory images");
        }
        for (int s = 0; s < state->program->steps; s++) {
            state->result[r][s].status = STEP_NOT_RUN;
        }
        images_fill(&state->images[r], state->program, r);
        struct backend_run run = {.image = state->images[r].image,
                                  .in_place = true,
                                  .return_operands =
                                      r + 1 == state->runs, /* once a case: it doubles what a program sends */
                                  .result = state->result[r]};
        int64_t begun = clock_ns(), busy = clock_process_ns();
        bool alive = state->class->run(state->backend, state->program, &run, error);
        state->cost.device += clock_process_ns() - busy;
        if (!alive) {
            return false;
        }
        int64_t device_ns =
            run.device_ns > 0 ? run.device_ns : clock_ns() - begun; /* the protocol lets a program omit it */
        if (r == 0 || device_ns < state->record->device_ns) {
            state->record->device_ns = device_ns;
        }
        if (!images_release_untouched(&state->images[r], state->program, r) &&
            !put_data_back(state, r, error)) {
            return false;
        }
    }
    state->record->wall_ns = clock_ns() - start;
    return true;
}

/* Judges the answer, or takes the cached verdict on the same bits. */
static bool judge_all(struct case_state *state, const struct profile *profile, struct error *error)
{
    const struct verdict_source *verdicts = verdicts_of(state);
    const struct question question = question_of(state, profile);
    char answer[33];
    struct judge_run run[RUNS_MAX];
    for (int r = 0; r < state->runs; r++) {
        run[r] = (struct judge_run){.images = &state->images[r], .result = state->result[r]};
    }
    struct judge_request request = {.program = state->program,
                                    .truth = &state->truth,
                                    .profile = profile,
                                    .runs = state->runs,
                                    .run = run,
                                    .memory_limit = state->memory_limit,
                                    .threads = state->options->threads,
                                    .progress = state->options->progress,
                                    .user = state->options->user};
    if (verdicts) {
        answer_digest(&request, answer);
    }
    if (state->known && strcmp(answer, state->answered) == 0) {
        verdict_query_take(state->record, &state->before);
        return true;
    }
    const int ran = judging_ran(&request);
    if (!state->have_truth && !find_truth(state, ran, error)) {
        return false;
    }
    int64_t begun = clock_process_ns(), sliced = truth_slices_ns();
    struct truth_source source = source_of(state);
    source.steps = ran;
    bool good =
        judge(&request, state->record, error) && judge_later_runs(&request, &source, state->record, error);
    sliced = truth_slices_ns() - sliced; /* truths of slices, which judging computes */
    state->cost.reference += sliced;
    state->cost.judge = clock_process_ns() - begun - sliced;
    bool passes = (state->record->status == STATUS_PASS || state->record->status == STATUS_VACUOUS) &&
                  memory_shortages() == state->shortages; /* an incomplete record is not cached */
    if (good && verdicts && passes) {
        verdicts->store(verdicts->user, &question, answer, state->record,
                        state->cost.reference + state->cost.judge);
    }
    return good;
}

/* Messages of the validation layer fail a case whatever its values are. */
static void note_validation(struct case_state *state)
{
    char text[512] = "";
    int messages = state->class->validation_messages
                       ? state->class->validation_messages(state->backend, text, sizeof text)
                       : 0;
    state->record->validation = messages;
    if (messages > 0) {
        char reason[640];
        snprintf(reason, sizeof reason, "%d validation message(s), the first: %s", messages, text);
        set_reason(state->record, STATUS_FAIL, reason);
        record_rule(state->record, "validation");
        free(state->record->detail);
        state->record->detail = memory_text(reason);
    }
}

/* To be called within PHASE_RUN: --time-limit then also holds for a program that does not answer this. */
static void note_memory(struct case_state *state)
{
    if (state->class->memory) {
        struct backend_memory memory = {.peak = 0};
        state->class->memory(state->backend, &memory);
        state->record->peak_bytes = (int64_t)memory.peak;
        state->memory_limit = memory.limit;
    }
}

static void report_cost(const struct case_state *state)
{
    if (state->options->cost) {
        *state->options->cost = state->cost;
    }
}

/* Lets the backend free memory that it has cached for tensors of this size; it would otherwise keep it until
 * its end. */
static void empty_cache(const struct case_state *state)
{
    if (state->class->empty_cache && bytes_of(state->program) >= EMPTIED_BYTES) {
        state->class->empty_cache(state->backend);
    }
}

static void destroy(struct case_state *state)
{
    for (int r = 0; r < state->runs; r++) {
        if (state->images) {
            images_destroy(&state->images[r]);
        }
        if (state->result) {
            free(state->result[r]);
        }
    }
    free(state->images);
    free(state->result);
    free(state->left);
    record_clear(&state->before);
    program_truth_destroy(&state->truth);
    program_destroy(&state->program);
}

bool case_run(const struct suite_case *c, const char *id, const struct backend_class *class,
              struct backend *backend, const struct case_options *options, struct record *record)
{
    struct case_state state = {.c = c,
                               .class = class,
                               .backend = backend,
                               .options = options,
                               .record = record,
                               .shortages = memory_shortages(),
                               .runs = options->repeat < 2          ? 2
                                       : options->repeat > RUNS_MAX ? RUNS_MAX
                                                                    : options->repeat};
    struct error error = {.text = ""};
    struct backend_info info;
    char source[256];
    bool alive = true;
    memset(record, 0, sizeof *record);
    record->id = memory_text(id);
    snprintf(source, sizeof source, "%s:%d", c->file, c->line);
    record->source = memory_text(source);
    record->worst.index = -1;
    record->resolution = NAN; /* until the judge knows it */
    class->info(backend, &info);

    if (c->procedure) {
        int64_t begun = clock_process_ns();
        alive = measure(c, id, class, backend, options, record);
        state.cost.procedure = clock_process_ns() - begun;
        note_validation(&state);
        note_memory(&state);
        report_cost(&state);
        return alive;
    }
    enter(&state, PHASE_REFERENCE);
    if (!prepare(&state, &info.profile, &error)) {
        set_reason(record, STATUS_ERROR, error.text);
    } else {
        enter(&state, PHASE_RUN);
        if (!run_all(&state, &error)) {
            alive = false;
            set_reason(record, STATUS_ERROR, error.text);
        } else if (options->unjudged) {
            note_validation(&state); /* its messages are not the next case's */
            set_reason(record, STATUS_PASS,
                       "not judged: this case ran only because another case was to run after it");
        } else {
            note_memory(&state);
            enter(&state, PHASE_JUDGE);
            bool spoiled = !options->self_test || spoil_results(state.program, state.images, state.runs);
            if (!judge_all(&state, &info.profile, &error)) {
                set_reason(record, STATUS_ERROR, error.text);
            } else if (!spoiled) {
                set_reason(record, STATUS_ERROR, "self-test: this case has no value that can be changed");
            }
            if (options->inspect) {
                options->inspect(options->user, state.program, &state.truth, &state.images[0], &info.profile);
            }
            note_validation(&state);
        }
    }
    if (alive) {
        empty_cache(&state);
    }
    destroy(&state);
    report_cost(&state);
    return alive;
}

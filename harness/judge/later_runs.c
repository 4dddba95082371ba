/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/later_runs.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the results of the run differ from those of every run before it. */
static bool is_new(const struct judge_request *request, const struct ownership *ownership, int run)
{
    bool differs = true;
    for (int r = 0; r < run && differs; r++) {
        struct difference found;
        find_differences(request, ownership, r, run, &found);
        differs = found.count > 0;
    }
    return differs;
}

/* Judges one run alone, from the bits that it left. */
static bool judge_run(const struct judge_request *request, const struct truth_source *source, int run,
                      struct record *record, struct error *error)
{
    struct program_truth truth = {.steps = 0};
    struct truth_source own = *source;
    unsigned char **left = images_left(request->run[run].images);
    own.left = left;
    bool good = (left || error_set(error, "out of memory for the truth of another run")) &&
                program_truth_compute(request->program, &own, &truth, error);
    if (good) {
        struct judge_request one = *request;
        one.truth = &truth;
        one.runs = 1;
        one.run = &request->run[run];
        one.again = true;
        good = judge(&one, record, error);
    }
    program_truth_destroy(&truth);
    free(left);
    return good;
}

static void exchange(char **a, char **b)
{
    char *held = *a;
    *a = *b;
    *b = held;
}

/* Makes the verdict on another run that of the case. */
static void replace(struct record *record, struct record *other, int run)
{
    struct record now = *record;
    exchange(&now.id, &other->id);
    exchange(&now.backend, &other->backend);
    exchange(&now.source, &other->source);
    exchange(&now.inputs_digest, &other->inputs_digest);
    other->distinct = now.distinct;
    other->validation = now.validation;
    other->device_ns = now.device_ns;
    other->wall_ns = now.wall_ns;
    other->reference_ns = now.reference_ns;
    other->peak_bytes = now.peak_bytes;
    *record = *other;
    record_reason(record, "in run %d, whose results differ from those of run 0: %s", run,
                  record->reason ? record->reason : "");
    *other = now;
}

bool judge_later_runs(const struct judge_request *request, const struct truth_source *source,
                      struct record *record, struct error *error)
{
    struct ownership ownership;
    const bool passes = record->status == STATUS_PASS || record->status == STATUS_VACUOUS;
    if (!passes || record->distinct <= 1 || !program_is_observed(request->program)) {
        return true;
    }
    bool good = ownership_create(&ownership, request->program, error), failed = false;
    if (!good) {
        return false;
    }
    for (int r = 1; good && !failed && r < request->runs; r++) {
        struct record other = {.worst = {.index = -1}, .resolution = NAN};
        if (is_new(request, &ownership, r)) {
            good = judge_run(request, source, r, &other, error);
            failed = good && other.status == STATUS_FAIL;
            if (failed) {
                replace(record, &other, r);
            }
        }
        record_clear(&other);
    }
    ownership_destroy(&ownership);
    return good;
}

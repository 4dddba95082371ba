/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/undeclared.h"
#include "harness/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each of these functions changes the profile so that it makes a promise, and names the member. It returns
 * false if the profile makes the promise already. */

static bool declare_accumulate(struct profile *profile, enum dtype dtype, char *member, size_t size)
{
    if (!dtype_is_floating(dtype) || dtype_info(dtype)->size != 2 || profile->accumulate[dtype] != dtype) {
        return false; /* float32 is summed in float32 nearly everywhere */
    }
    profile->accumulate[dtype] = DTYPE_FLOAT32;
    profile->accumulate_own = NULL;
    snprintf(member, size, "\"accumulate\": {\"%s\": \"float32\"}", dtype_info(dtype)->name);
    return true;
}

static bool declare_rounding(struct profile *profile, enum dtype dtype, char *member, size_t size)
{
    if (profile->rounding[dtype] == ROUNDING_RTE) {
        return false;
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile->rounding[d] = ROUNDING_RTE;
    }
    snprintf(member, size, "\"rounding\": \"rte\"");
    return true;
}

static bool declare_summation(struct profile *profile, enum dtype dtype, char *member, size_t size)
{
    (void)dtype;
    if (profile->summation != SUMMATION_UNDECLARED || profile->summations) {
        return false;
    }
    profile->summation = SUMMATION_PAIRWISE;
    snprintf(member, size, "\"summation\": \"pairwise\" (or the order that it has)");
    return true;
}

static bool declare_subnormals(struct profile *profile, enum dtype dtype, char *member, size_t size)
{
    if (profile->subnormals[dtype] == SUBNORMALS_KEPT) {
        return false;
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile->subnormals[d] = SUBNORMALS_KEPT;
    }
    snprintf(member, size, "\"subnormals\": \"kept\"");
    return true;
}

static bool declare_primitives(struct profile *profile, enum dtype dtype, char *member, size_t size)
{
    (void)dtype;
    if (profile->primitives == PRIMITIVES_LIBM) {
        return false;
    }
    profile->primitives = PRIMITIVES_LIBM;
    snprintf(member, size, "\"primitives\": \"libm\" (or what it has)");
    return true;
}

/* Judges the result under another profile. Returns false when out of memory. */
static bool judge_under(const struct judge_request *given, const struct profile *profile, enum status *status,
                        char *reason, size_t size)
{
    struct judge_request request = *given;
    struct record record = {.worst = {.index = -1}};
    struct error error = {.text = ""};
    request.profile = profile;
    const bool good = judge(&request, &record, &error);
    *status = record.status;
    snprintf(reason, size, "%s", record.reason ? record.reason : "");
    record_clear(&record);
    return good;
}

bool undeclared_find(const struct program *program, struct program_truth *truth, const struct images *images,
                     const struct profile *profile, bool vacuous, struct undeclared *found)
{
    static bool (*const promise[])(struct profile *, enum dtype, char *, size_t) = {
        declare_accumulate, declare_rounding, declare_summation, declare_subnormals, declare_primitives};
    const struct step *step = &program->step[0];
    const enum dtype dtype = step->input[op_leading_input(step->op)].dtype;
    struct step_result *result = calloc((size_t)program->steps + 1, sizeof *result); /* all STEP_OK */
    struct judge_run run = {.images = images, .result = result};
    const struct judge_request request = {
        .program = program, .truth = truth, .runs = 1, .run = &run, .threads = 1};
    bool good = result != NULL;
    *found = (struct undeclared){.fails = false};
    const size_t promises = vacuous ? sizeof promise / sizeof *promise : 1;
    for (size_t p = 0; good && !found->member[0] && p < promises; p++) {
        struct undeclared tried = {.fails = false};
        struct profile stronger = *profile;
        enum status status;
        if (!promise[p](&stronger, dtype, tried.member, sizeof tried.member)) {
            continue;
        }
        good = judge_under(&request, &stronger, &status, tried.reason, sizeof tried.reason);
        tried.fails = status == STATUS_FAIL;
        if (good && (tried.fails || (vacuous && status == STATUS_PASS))) {
            *found = tried;
        }
    }
    free(result);
    return good;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/verdict_query.h"

#include "harness/judge/judge.h"
#include "reference/base/hash.h"
#include "reference/base/memory.h"

#include <stdio.h>
#include <string.h>

static void finish(XXH3_state_t *state, char hex[33])
{
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    XXH3_freeState(state);
}

/* Hashes the length first, so that two adjacent texts differ from two others with the same bytes. */
static void feed(XXH3_state_t *state, const void *bytes, size_t size)
{
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, bytes, size);
}

#define FEED(state, member) feed(state, &(member), sizeof(member))

static void feed_text(XXH3_state_t *state, const char *text)
{
    feed(state, text ? text : "", text ? strlen(text) + 1 : 0);
}

static void feed_names(XXH3_state_t *state, const char *const *names)
{
    for (; names && *names; names++) {
        feed_text(state, *names);
    }
    feed_text(state, NULL);
}

static void feed_lists(XXH3_state_t *state, const struct profile *p)
{
    feed_names(state, p->nondeterministic);
    feed_names(state, p->accumulate_own);
    feed_names(state, p->matrix_units);
    feed_names(state, p->naive_range);
    feed_names(state, p->documented);
    for (const struct operator_summation *s = p->summations; s && s->operator_name; s++) {
        feed_text(state, s->operator_name);
        FEED(state, s->order.kind);
        FEED(state, s->order.size);
    }
    feed_text(state, NULL);
    for (const struct operator_algorithm *a = p->algorithms; a && a->operator_name; a++) {
        feed_text(state, a->operator_name);
        FEED(state, a->crossover);
        FEED(state, a->winograd);
    }
    feed_text(state, NULL);
}

/* Hashes every member, in their order. A member that is added to the struct must be added here. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct profile) == 368,
               "a member that is not fed to a question");
static void feed_profile(XXH3_state_t *state, const struct profile *p)
{
    FEED(state, p->rounding);
    FEED(state, p->subnormals);
    FEED(state, p->special_values);
    FEED(state, p->accumulate);
    FEED(state, p->summation);
    FEED(state, p->summation_size);
    FEED(state, p->primitives);
    FEED(state, p->sgn_nan);
    FEED(state, p->sgn_zero);
    FEED(state, p->invariance);
    FEED(state, p->range);
    FEED(state, p->documented_form);
    FEED(state, p->refusals);
    FEED(state, p->slogdet_nan_sign);
    FEED(state, p->ties);
    FEED(state, p->padding);
    FEED(state, p->attention_empty_row);
    FEED(state, p->attention_probabilities);
    FEED(state, p->attributes_float32);
    FEED(state, p->epsilon_float32);
    feed_lists(state, p);
    FEED(state, p->matrix_unit);
    FEED(state, p->conversions_via_float32);
}

void question_digest(const struct question *question, char hex[33])
{
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        memory_exit();
    }
    XXH3_128bits_reset(state);
    feed_text(state, question->id);
    FEED(state, question->seed);
    FEED(state, question->runs);
    feed_profile(state, question->profile);
    finish(state, hex);
}

/* A released image is unchanged and has no bytes here. */
static void feed_images(XXH3_state_t *state, const struct program *program, const struct images *images)
{
    for (int s = 0; s < images->storages; s++) {
        size_t size = images->image[s] ? program->storage[s].bytes + 2 * (size_t)BACKEND_GUARD : 0;
        feed(state, images->image[s], size);
    }
}

void answer_digest(const struct judge_request *request, char hex[33])
{
    const struct program *program = request->program;
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        memory_exit();
    }
    XXH3_128bits_reset(state);
    for (int r = 0; r < request->runs; r++) {
        for (int s = 0; s < program->steps; s++) {
            FEED(state, request->run[r].result[s].status);
            feed_text(state, request->run[r].result[s].message);
        }
        feed_images(state, program, request->run[r].images);
    }
    finish(state, hex);
}

static void exchange(char **a, char **b)
{
    char *held = *a;
    *a = *b;
    *b = held;
}

void verdict_query_take(struct record *record, struct record *before)
{
    struct record now = *record;
    *record = *before;
    *before = now;
    exchange(&record->id, &before->id); /* texts that the new record keeps */
    exchange(&record->source, &before->source);
    exchange(&record->inputs_digest, &before->inputs_digest);
    record->device_ns = now.device_ns;
    record->wall_ns = now.wall_ns;
    record->reference_ns = now.reference_ns;
    record->case_ns = now.case_ns;
    record->peak_bytes = now.peak_bytes;
    record->remembered = 1;
    record_clear(before);
}

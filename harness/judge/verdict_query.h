/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_VERDICT_QUERY_H
#define ASSAY_HARNESS_JUDGE_VERDICT_QUERY_H

/* Verdicts of earlier runs that can be reused. A verdict is a function of the request, of the answer and of
 * the code that judges; if all three are equal to the bit, the verdict is the same. Every case still runs on
 * the backend as often as without a cache. Only verdicts pass and vacuous are stored: a failure is always
 * judged again.
 *
 *   request  id, seed, number of runs, the program's digest, every member of the profile
 *   answer   of each run: status and message of each step, and the memory images with their guard zones
 *   code     digest of assay's sources, compiler and libraries, which the store adds (verdict_cache.h)
 */

#include "reference/operator/profile.h"
#include "reports/records/record.h"

struct judge_request;

/* A request, as far as a verdict depends on it. */
struct question {
    const char *id;
    uint64_t seed;
    int runs;
    const char *inputs_digest;
    const struct profile *profile;
};

/* Write 32 hex digits of a 128-bit hash (XXH128): of a request without its inputs_digest, and of an answer.
 * They end the process if memory is short. */
void question_digest(const struct question *question, char hex[33]);
void answer_digest(const struct judge_request *request, char hex[33]);

/* A store of verdicts. */
struct verdict_source {
    /* Finds a stored verdict on the request: fills its record and the digest of the answer that it judged.
     * False: there is none. */
    bool (*lookup)(void *user, const struct question *question, char answer[33], struct record *record);
    /* Stores a new verdict. `nanoseconds` is the CPU time of truth and verdict, by which a store may decide
     * that the verdict is not worth its place. */
    void (*store)(void *user, const struct question *question, const char answer[33],
                  const struct record *record, int64_t nanoseconds);
    void *user;
};

/* Moves the cached verdict `before` into a record, which keeps its own id, source, inputs digest, times and
 * peak memory. Clears `before`. */
void verdict_query_take(struct record *record, struct record *before);

#endif

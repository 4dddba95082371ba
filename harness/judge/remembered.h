/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_REMEMBERED_H
#define ASSAY_HARNESS_JUDGE_REMEMBERED_H

/* Verdicts that were found before. A verdict is a function of what was asked, what came back, and who judges:
 * where all three are the same to the bit it is the same, and need not be found again. Every case still runs
 * on the backend, as often as ever; passes alone are remembered, an accusation is always judged anew.
 *
 *   asked      the id, the seed, how many runs, the program's digest, every member of the profile
 *   came back  of each run each step's status and message, and memory behind it, its guards included
 *   who        the digest of assay's sources, compiler and libraries: whoever keeps verdicts adds it */

#include "reference/operator/profile.h"
#include "reports/records/record.h"

struct judge_request;

struct question {
    const char *id;
    uint64_t seed;
    int runs;
    const char *inputs_digest;
    const struct profile *profile;
};

/* 32 hex digits of 128 bits (XXH128), of all of a question but the program, and of an answer. */
void question_digest(const struct question *question, char hex[33]);
void answer_digest(const struct judge_request *request, char hex[33]);

/* Where verdicts are kept. */
struct verdict_source {
    /* The record of a verdict on this question, and the digest of the answer that it was on. False: none. */
    bool (*lookup)(void *user, const struct question *question, char answer[33], struct record *record);
    /* Of a record that was just judged, and what that took: truth and verdict. */
    void (*store)(void *user, const struct question *question, const char answer[33],
                  const struct record *record, int64_t nanoseconds);
    void *user;
};

/* Puts what a remembered record says of the verdict into one that has id, source, digest of the inputs, times
 * and bytes of this run, which it keeps. Empties `before`. */
void remembered_take(struct record *record, struct record *before);

#endif

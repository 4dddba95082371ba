/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_JUDGING_H
#define ASSAY_HARNESS_JUDGE_JUDGING_H

/* A case while it is judged: what judge.c, elements.c and conclude.c share. */

#include "harness/judge/statistics/by_input.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/judge.h"
#include "harness/judge/statistics/metrics.h"
#include "harness/judge/traversal.h"
#include "harness/judge/verification.h"
#include "reference/program/settle.h"

/* The envelope over all judged tensors of the case: the worst of each. */
struct envelope_result {
    double q, t, g;             /* greatest |error|/Q, T, G */
    int64_t groups;             /* of the tensor with the greatest G */
    double failed_t, failed_g;  /* the same where the envelope may fail the case */
    double implausible;         /* greatest of q, T/4 and G/6 where it may not; 0: none */
    const char *implausible_by; /* "Q", "T", "G" */
    double resolution;
    const char
        *accepted_class; /* a wrong class that would pass as a whole tensor, and which tensor; NULL: none */
    char accepted_where[JUDGED_TEXT + 32];
};

struct judging {
    const struct judge_request *request;
    struct settle *settle; /* open */
    struct ownership ownership;
    struct metrics metrics;
    struct explained worst;
    bool have_worst;
    bool failed;
    int taken; /* steps whose operands must be refused and were taken, which the profile leaves open */
    bool lost; /* one of them writes to its operands: what memory holds from there on is anything */
    int64_t range_findings;
    struct explained finding; /* the first of those; what is shown where nothing fails */
    bool incomplete;         /* an acceptance set had more alternatives than it holds */
    const char *rule;        /* of the failure; NULL: none yet */
    int64_t beyond_envelope; /* elements that B accepts and Q does not */
    int bits;
    bool fewer_bits; /* elements of the slice in hand may have fewer */
    double scale;    /* of the tensor in hand: the greatest |truth| */
    bool scaled;     /* ρ is over it */
    struct envelope_result envelope;
    struct error error; /* why something could not be judged */
    struct verified verified;
    struct by_input *by_input; /* NULL: of no interest */
    char reason[512];
    FILE *detail;
};

/* The first finding is the reason, the others follow in the detail. `rule`: a few words by which failures are
 * grouped; that of the first finding which is not the envelope's stands in the record. */
void judging_finding(struct judging *j, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Before anything is judged. */
struct judging judging_of(const struct judge_request *request, struct settle *settle);

/* Judges every element as run 0 left it, but for those of outputs that `verify` judges. False when out of
 * memory, or where a slice has no truth (error). */
bool judging_elements(struct judging *j);

/* Parts of it. At the first slice of a tensor, for slices of at most `capacity` elements; then slice by
 * slice. */
bool judging_begin_evidence(struct traversal *t, int64_t capacity, struct evidence *evidence);
bool judging_slice(struct judging *j, struct traversal *t, struct evidence *evidence);
/* The only tensor in chunks by several threads, where its truth comes in slices or it is large and has rows;
 * false where it is to be judged at once. *good: as above. */
bool judging_in_chunks(struct judging *j, int64_t elements, struct evidence *evidence, bool *good);

/* Before the worst element is shown. False with the reason in `error`. */
bool judging_certify_worst(struct judging *j);

/* Fills the record with status, reason and metrics, once everything is judged. */
void judging_conclude(struct judging *j, struct record *record);

#endif

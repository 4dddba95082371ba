/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_H
#define ASSAY_HARNESS_JUDGE_H

/* The verdict of one case: what came back, held against the truth.
 *
 * In this order; the first finding is the record's reason, fail beats vacuous beats pass:
 *   rejections that were due or undue · bytes touched that no step owns · elements outside their acceptance
 * set · results that differ between runs or between related views · the bias test · resolving power. */

#include "harness/verdict/images.h"
#include "reports/record.h"

struct judge_run {
    const struct images *images;
    const struct step_result *result; /* one per step */
};

struct judge_request {
    const struct program *program;
    const struct program_truth *truth;
    const struct profile *profile;
    int runs; /* ≥ 1; run r used the poison of images_fill(…, r) */
    const struct judge_run *run;
};

/* Sets status, reason, detail, metrics and worst of the record; leaves the rest alone. */
bool judge(const struct judge_request *request, struct record *record, struct error *error);

/* --- texts, in explain.c */

/* The element in words: index, truth to 30 digits, got with bit pattern, inputs where small, errors. Owned
 * strings go into record->worst; the paragraph is appended to `detail` (a stream). */
struct explained {
    const struct program *program;
    const struct truth_output *output;
    int step, judged;
    int64_t element;
    const void *got;
    struct accept accept;
    struct accept_verdict verdict;
};
void explain_element(const struct explained *what, struct record *record, FILE *detail);
void explain_clobber(const struct clobber *clobber, const struct program *program, FILE *detail);

/* One component or a complex pair with its bit pattern: "-1.5 (0xbfc00000)". */
void explain_bits(enum dtype dtype, const void *element, char *text, size_t size);

#endif

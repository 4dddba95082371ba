/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_JUDGING_H
#define ASSAY_HARNESS_JUDGE_JUDGING_H

/* The state of one case while it is judged, and the functions that judge.c, tensors.c, elements.c, chunks.c,
 * conclude.c, what_fails.c and steps.c share. */

#include "harness/judge/judge.h"
#include "harness/judge/statistics/by_input.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/metrics.h"
#include "harness/judge/traversal.h"
#include "harness/judge/verification.h"
#include "reference/program/refine.h"

/* The envelope's statistics of the case: of each the worst over all judged tensors. */
struct envelope_result {
    double q, t, g;             /* greatest |error|/Q, T, G */
    int64_t groups;             /* groups of the tensor with the greatest G */
    double failed_t, failed_g;  /* greatest T and G over the tensors where the envelope may fail the case; in
                                   a program with observed steps over those of the current step */
    int64_t failed_groups;      /* groups of the tensor with the greatest failed_g */
    double implausible;         /* greatest of |error|/Q, T/4 and G/6 over the other tensors; 0: none */
    const char *implausible_by; /* which of them: "Q", "T" or "G" */
    int implausible_step;       /* where */
    double resolution;
    const char *accepted_class; /* a wrong class that would pass as a whole tensor, which accepted_where
                                   names; NULL: none */
    char accepted_where[JUDGED_TEXT + STEP_TEXT + 8];
};

/* What fails a step of a program with observed steps; its step is program->steps if no step is to blame. */
struct finding {
    int step;
    const char *rule; /* static storage */
    char *text;       /* owned */
};
struct findings {
    int count;
    struct finding *item;
};

struct judging {
    const struct judge_request *request;
    bool observed;            /* the program has observed steps: what fails is kept by step */
    struct findings findings; /* of such a program, in the order in which they were found */
    struct explained first;   /* the worst element of the first step that fails by its values */
    bool have_first;
    struct refine *refine; /* opened by the caller */
    struct ownership ownership;
    struct metrics metrics;
    struct explained worst;
    bool have_worst;
    bool failed;
    int taken; /* steps that must be refused but were accepted, where the profile leaves refusals open */
    bool lost; /* an accepted step writes to its operands: memory contents are undefined after it */
    int64_t range_findings;
    struct explained finding; /* the first RANGE finding; shown if no element fails */
    bool incomplete;          /* an acceptance set had more alternatives than ACCEPT_SETS_MAX */
    const char *rule;         /* of the failure; NULL: none yet */
    int64_t beyond_envelope;  /* elements that B accepts and Q does not */
    int bits;
    bool fewer_bits; /* elements of the current slice may have fewer certified bits */
    double scale;    /* greatest |truth| of the current tensor */
    bool scaled;     /* ρ of the current tensor is relative to `scale` */
    struct envelope_result envelope;
    struct error error; /* the reason if the case cannot be judged */
    struct verified verified;
    struct by_input *by_input; /* errors by input; NULL: not recorded for this case */
    char reason[512];
    FILE *detail;
};

/* Records a failure. The first finding becomes the reason, later ones are appended to the detail. `rule` is a
 * few words by which failures are grouped; the record keeps that of the first finding that is not the
 * envelope's, or the envelope's if there is no other. */
void judging_finding(struct judging *j, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where a step is to blame. In a program with observed steps the first wrong step gives the reason,
 * whatever the order in which findings are made. */
void judging_step_finding(struct judging *j, int step, const char *rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Of a program with observed steps, once everything is judged: sets reason and rule to those of the first
 * wrong step, appends the others to the detail in the order of the steps, and returns that step; −1: none. */
int judging_order_findings(struct judging *j);
/* The first wrong step; −1: none. */
int judging_first_wrong(const struct judging *j);
void judging_findings_clear(struct judging *j);

/* Report the worst of the refused elements in j->metrics and their number; T and G if they are beyond their
 * limits (elements beyond Q have been refused already); the bias of j->metrics, which are those of the step,
 * or of the whole case for step −1. The last returns false if out of memory. */
void judging_report_elements(struct judging *j, int step);
void judging_report_envelope(struct judging *j, int step, double t, double g, int64_t groups);
bool judging_check_bias(struct judging *j, int step);

/* The state before anything is judged. Both arguments are borrowed. */
struct judging judging_of(const struct judge_request *request, struct refine *refine);

/* Judges every element as run 0 left it, except outputs that `verify` judges. Returns false if out of memory
 * or if a slice has no truth; the reason is in `error`. */
bool judging_elements(struct judging *j);

/* Of a program with observed steps. judging_elements_by_step judges every element, with metrics and worst
 * element of each step by itself. judging_describe_steps fills what the record says of the first wrong step.
 */
bool judging_elements_by_step(struct judging *j);
void judging_describe_steps(struct judging *j, struct record *record);
/* Judges one tensor, at which the traversal stands. */
bool judging_tensor(struct judging *j, struct traversal *t);

/* Parts of judging_elements. The first opens the evidence of the current tensor, for slices of at most
 * `capacity` elements; the second judges the current slice. False if out of memory. */
bool judging_begin_evidence(struct traversal *t, int64_t capacity, struct evidence *evidence);
bool judging_slice(struct judging *j, struct traversal *t, struct evidence *evidence);
/* Judges the traversal's tensor, the only one of its step, in chunks, by several threads, if its truth comes
 * in slices or it is large and has independent rows. Returns false if the tensor must be judged at once.
 * *good: false if judging failed. */
bool judging_in_chunks(struct judging *j, const struct traversal *t, struct evidence *evidence, bool *good);

/* Certifies the truth of the worst element before it is shown. False with the reason in `error`. */
bool judging_certify_worst(struct judging *j);

/* Fills the record with status, reason and metrics, after everything was judged. */
void judging_conclude(struct judging *j, struct record *record);

#endif

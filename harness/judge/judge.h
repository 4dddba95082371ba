/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_JUDGE_H
#define ASSAY_HARNESS_JUDGE_JUDGE_H

/* The verdict on one case: judge() compares what the backend returned with the truth.
 *
 * The checks run in the order below. The first finding becomes the record's reason; fail takes precedence
 * over vacuous, and vacuous over pass.
 *
 *   1. The backend rejected the steps that it must reject, and no others. If the profile leaves refusals open
 *      and an accepted step writes to its operands, memory contents are undefined and nothing more is judged.
 *      After a wrong rejection or acceptance only check 2 follows.
 *   2. No byte changed that no step owns.
 *   3. Every element lies in its acceptance set and, where the envelope may fail the case, within Q; outputs
 *      that the operator's own `verify` judges are accepted by it.
 *   4. T and G of the envelope are within their limits.
 *   5. The runs agree with each other, and so do related views.
 *   6. The results have no bias.
 *   7. No wrong class would pass, and the error bounds are narrow enough to be evidence; else vacuous.
 */

#include "harness/judge/memory/images.h"
#include "reports/records/record.h"

struct judge_run {
    const struct images *images;
    const struct step_result *result; /* one per step */
};

struct judge_request {
    const struct program *program;
    const struct program_truth *truth;
    const struct profile *profile;
    int runs; /* ≥ 1; run r was filled by images_fill(…, r) */
    const struct judge_run *run;
    uint64_t
        memory_limit; /* bytes that the backend may reserve, used if a step ran out of memory; 0: unknown */
    int threads;      /* that judge a large tensor; below 2: one */
    /* Called as parts of a large tensor are judged, by one thread at a time, with the part that is done, 0 to
     * 1. May be NULL. */
    void (*progress)(void *user, double done);
    void *user;
    /* The run is not the first of its case, whose verdict covers memory and repeats: judge its values alone.
     */
    bool again;
    bool one_by_one; /* judge every element alone, never in batches (rounded.h, bounded.h), for comparison */
};

/* Sets status, reason, detail, first wrong step, metrics and worst element of the record and leaves its other
 * members unchanged. In a program with observed steps the steps before one that gave no value are judged.
 * Returns false with the reason if the case cannot be judged: out of memory, a slice without a truth, or an
 * acceptance set with too many alternatives. */
bool judge(const struct judge_request *request, struct record *record, struct error *error);

/* Returns how many leading steps of a program with observed steps can be judged: a step that gave no value in
 * some run, and all behind it, are not. All steps of other programs. */
int judging_ran(const struct judge_request *request);

/* --- comparison of two runs, in repeats.c */

struct difference {
    int64_t count, element; /* how many elements differ; the first one, in tensor `judged` of `step` */
    int step, judged;
    /* In a program with observed steps: a step differs whose operator is not declared nondeterministic and
     * whose observed operands are equal. `step`, `judged` and `element` are then those of the first such
     * step.
     */
    bool undeclared;
    char a[64], b[64]; /* the first differing element in both runs, as explain_bits prints it */
};

/* Compares all judged elements of runs a and b with same_number. */
void find_differences(const struct judge_request *request, const struct ownership *ownership, int a, int b,
                      struct difference *found);

/* True if each component has the same bits on both sides or is NaN on both: the sign and payload of a NaN are
 * open (IEEE 754, 6.2.3). Where an operator must copy a NaN unchanged, rule 9 judges its bits. */
bool same_number(enum dtype dtype, const unsigned char *a, const unsigned char *b);

/* --- texts, in explain.c */

/* What is known of one judged element that is to be shown. */
struct explained {
    const struct program *program;
    int step, judged;
    struct view view; /* of the judged tensor */
    int64_t element;
    const void *got;
    struct value truth[2]; /* of each component: copies, because a slice of the truth may be replaced */
    double radius[2];
    struct accept accept;
    struct envelope_limit limit; /* S and N, if the element has an envelope */
    struct accept_verdict verdict;
    double q, reach; /* |error|/Q and Q, NaN if the envelope does not decide; only worst_find sets them */
};
/* Copies value and radius of element `at` of `output`, for each component. */
void explained_take_truth(struct explained *what, const struct truth_output *output, int64_t at);
/* Writes the element into record->worst: index, place, truth (the certified digits, at most 30), result with
 * its bit pattern, inputs if they are few, error in ulp and over its bound. The record owns the strings. If
 * `detail` is not NULL, B and the envelope are appended to it. */
void explain_element(const struct explained *what, struct record *record, FILE *detail);
/* Writes where an element lies, for example "step 1 (slogdet) output 1 (logabsdet) [2, 0]"; the step is named
 * only in programs of several steps. `shape` is that of the judged tensor. */
enum { EXPLAINED_WHERE = 384 };
void explain_where(const struct program *program, int step, int judged, const struct shape *shape,
                   int64_t element, char where[EXPLAINED_WHERE]);
/* Writes S, N and Q of the element and, on a second line, the error in units of S and Q. Writes nothing if
 * the envelope does not decide. */
void explain_envelope(const struct explained *what, FILE *to);
/* Names the first byte that changed and should not have: the element of an operand that is only read, or the
 * place in a gap or guard zone. `images` are those of the run in which it was found. */
void explain_clobber(const struct clobber *clobber, const struct program *program,
                     const struct images *images, FILE *detail);

/* Prints an element with its bit pattern, "-1.5 (0xbfc00000)"; a complex one as "RE (…) + i IM (…)". */
void explain_bits(enum dtype dtype, const void *element, char *text, size_t size);

#endif

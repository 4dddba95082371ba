/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_JUDGE_H
#define ASSAY_HARNESS_JUDGE_JUDGE_H

/* The verdict of one case: what came back, held against the truth.
 *
 * In this order; the first finding is the record's reason, fail beats vacuous beats pass:
 *   rejections that were due or undue (the profile may leave due ones open: where operands that must be
 * refused were taken, and memory may hold anything, nothing further is judged) · bytes touched that no step
 * owns · elements outside their acceptance set or beyond Q · T and G of the envelope · results that differ
 * between runs or between related views · the bias test · a wrong class that would pass · resolving power. */

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
    int runs; /* ≥ 1; run r used the poison of images_fill(…, r) */
    const struct judge_run *run;
    uint64_t
        memory_limit; /* bytes that the backend may reserve, where a step ran out of memory; 0: unknown */
    int threads;      /* that judge a truth in slices; below 2: one */
    bool one_by_one;  /* every element alone, also where many at a time would do (rounded.h): to compare */
};

/* Sets status, reason, detail, metrics and worst of the record; leaves the rest alone. */
bool judge(const struct judge_request *request, struct record *record, struct error *error);

/* --- two runs held against each other, in repeats.c */

struct difference {
    int64_t count, element; /* how many, and the first one of them, of judged tensor `judged` of `step` */
    int step, judged;
    char a[64], b[64]; /* that element in both runs */
};

/* Elements of all results that differ between runs a and b. */
void find_differences(const struct judge_request *request, const struct ownership *ownership, int a, int b,
                      struct difference *found);

/* The same bits, or NaN on both sides: a NaN's sign and payload are open (IEEE 754, 6.2.3), and where they
 * are moved they are judged by rule 9. */
bool same_number(enum dtype dtype, const unsigned char *a, const unsigned char *b);

/* --- texts, in explain.c */

/* The element in words: index, truth to 30 digits, got with bit pattern, inputs where small, errors. Owned
 * strings go into record->worst; the paragraph is appended to `detail` (a stream). */
struct explained {
    const struct program *program;
    int step, judged;
    struct view view; /* of the judged tensor */
    int64_t element;
    const void *got;
    struct value truth[2]; /* of each component, a truth may be gone from memory by then */
    double radius[2];
    struct accept accept;
    struct envelope_limit limit; /* S and N, where an envelope is known */
    struct accept_verdict verdict;
    double q, reach; /* |error|/Q and Q, NaN where the envelope does not decide; of worst_find alone */
};
/* Takes the truth of an element, number `at` of `output`. */
void explained_take_truth(struct explained *what, const struct truth_output *output, int64_t at);
void explain_element(const struct explained *what, struct record *record, FILE *detail);
/* "step 1 (slogdet) output 1 (logabsdet) [2, 0]": an element of a judged tensor of that shape. */
enum { EXPLAINED_WHERE = 384 };
void explain_where(const struct program *program, int step, int judged, const struct shape *shape,
                   int64_t element, char where[EXPLAINED_WHERE]);
/* S, N and Q of the element, and on a second line how the error compares; nothing where no envelope decides.
 */
void explain_envelope(const struct explained *what, FILE *to);
/* Names the first byte that changed and should not have: the element of an operand that is only read, or the
 * place in a gap or guard zone. `images`: those of the run it was found in. */
void explain_clobber(const struct clobber *clobber, const struct program *program,
                     const struct images *images, FILE *detail);

/* One component or a complex pair with its bit pattern: "-1.5 (0xbfc00000)". */
void explain_bits(enum dtype dtype, const void *element, char *text, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_VERIFICATION_H
#define ASSAY_HARNESS_JUDGE_VERIFICATION_H

/* Outputs that the operator's own `verify` judges (reference/operator/verification.h), in a case.
 *
 * A step is verified where all of its outputs are still there: a later step that writes to one of them takes
 * the verdict away. What a record has of such outputs: max_nu, over_bound, elements, the worst element (its
 * truth is what was wanted there), and the resolution where `verify` states one; a case with no others has
 * nothing of what is measured element by element: max_ulp, mean_ulp, p99_nu, quality_nu, median_rho, nmse,
 * bit_exact and faithful are NaN, and there is no histogram. bit_exact would count right answers as wrong.
 *
 * Zeros, twice the truth, and the truth + 1 where it is all zero are tried in place of the verified outputs:
 * where `verify` takes one of them for right, the case is evidence of nothing. (A negated one may well be
 * right: a vector up to its sign.) */

#include "harness/judge/memory/images.h"
#include "reference/program/program.h"
#include "reports/records/record.h"

/* Whether `verify` judges a judged tensor of the step. */
static inline bool step_is_verified(const struct step *step, int judged)
{
    return op_result_is_verified(step->op, judged);
}

/* The worst over all steps of a case. */
struct verified {
    bool any; /* a step was verified; the rest means something */
    struct verification worst;
    int step; /* of the worst */
    int64_t elements, refused;
    double nu;                  /* the greatest */
    double resolution, widest;  /* least and greatest that are known, NaN: none is */
    const char *accepted_class; /* a wrong result that would pass, and of which step; NULL: none */
    int accepted_step;
};

/* Of run 0's images; `classes`: try wrong results as well. False when out of memory. */
bool verification_of_case(const struct program *program, const struct program_truth *truth,
                          const struct profile *profile, const struct images *images,
                          const struct ownership *ownership, bool classes, struct verified *verified);

/* The worst element goes into record->worst, in place of what stands there. */
void verification_show(const struct verified *verified, const struct program *program,
                       const struct program_truth *truth, const struct images *images, struct record *record);

/* The whole road, for who shows results: false where nothing is verified, or memory is short. */
bool verification_find(const struct program *program, const struct program_truth *truth,
                       const struct images *images, const struct profile *profile, struct verified *verified);

#endif

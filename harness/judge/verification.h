/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_VERIFICATION_H
#define ASSAY_HARNESS_JUDGE_VERIFICATION_H

/* Judges the outputs of a case that the operator's own `verify` judges (reference/operator/verification.h).
 *
 * A step is verified if all of its outputs are still there; if a later step writes to one of them, the step
 * gets no verdict. The record then has max_nu, over_bound, elements, the worst element (its truth is what
 * `verify` wanted there) and, if `verify` states one, the resolution, which also counts as median_rho. If the
 * case has no other outputs, the metrics that are measured element by element (max_ulp, mean_ulp, p99_nu,
 * quality_nu, nmse, bit_exact, faithful) are NaN and there is no histogram: bit_exact, for example, would
 * count right answers as wrong.
 *
 * In place of the verified outputs `verify` is also given zeros and twice the truth, or truth + 1 if the
 * truth is all zero. If it accepts one of them, the case is vacuous. The negated truth is not tried because
 * it may be right (a vector up to its sign). */

#include "harness/judge/memory/images.h"
#include "reference/program/program.h"
#include "reports/records/record.h"

/* True if `verify` judges this judged tensor of the step. */
static inline bool step_is_verified(const struct step *step, int judged)
{
    return op_result_is_verified(step->op, judged);
}

/* The worst over all steps of a case. */
enum { VERIFIED_STEPS = 32 };
struct verified {
    bool any; /* a step was verified; if not, the other members have no meaning */
    struct verification worst;
    int step; /* of `worst` */
    /* the first steps that were refused, in their order; in a program with observed steps `worst` is of the
     * first */
    int refused_steps, refused_step[VERIFIED_STEPS];
    int64_t elements, refused;
    double error_over_bound;    /* greatest error over bound */
    double resolution, widest;  /* least and greatest resolution that `verify` stated; NaN: none */
    const char *accepted_class; /* a wrong result that would pass in accepted_step; NULL: none */
    int accepted_step;
};

/* Verifies the steps of a case on the images of run 0. `classes`: also try wrong results. False if out of
 * memory. */
bool verification_of_case(const struct program *program, const struct program_truth *truth,
                          const struct profile *profile, const struct images *images,
                          const struct ownership *ownership, bool classes, struct verified *verified);

/* Writes the worst element into record->worst and replaces what is there; does nothing if `verify` named no
 * element. */
void verification_show(const struct verified *verified, const struct program *program,
                       const struct program_truth *truth, const struct images *images, struct record *record);

/* Verifies a case without trying wrong results, for commands that show results. False if nothing is verified
 * or memory is short. */
bool verification_find(const struct program *program, const struct program_truth *truth,
                       const struct images *images, const struct profile *profile, struct verified *verified);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_VERIFICATION_H
#define ASSAY_REFERENCE_OPERATOR_VERIFICATION_H

/* A verdict on all results of one call together, where several results are right: any of the greatest
 * elements of a row (argmax), any order of equal keys, an orthogonal factor up to signs with |QR − A| within
 * its bound.
 *
 * An operator has a function `verify`, and declares which of its outputs that judges (RESULT_VERIFIED in
 * struct op): those have no acceptance set, the others are judged element by element as everywhere. Their
 * truth is one right result, to be shown, whose values are `exact` where no other one is right: a later step
 * of a chain may read those and no others. Shapes, dtypes, stray writes, repeats and relations count as for
 * any output.
 *
 * Such an operator overwrites none of its inputs: judged tensors are its outputs. */

#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

#include <math.h>

struct op_call;

struct verification_query {
    const struct op_call *call;    /* inputs as they were before the step */
    const struct profile *profile; /* as it holds for the operator */
    const struct truth *truth;
    const struct tensor *got; /* all outputs, contiguous */
};

/* What `verify` finds. It is given as verification_none() has it. */
struct verification {
    bool accepted;
    /* Greatest error over limit: at most 1 exactly where accepted; 0 where everything is as right as can be;
     * infinity where nothing lies between right and wrong. */
    double error_over_bound;
    /* The least relative error of scale that would be refused; NaN where there is no such thing (indices). */
    double resolution;
    int64_t refused;    /* elements that are wrong; of a norm-wise limit all that it is about */
    const char *rule;   /* a few words by which failures are grouped, static; NULL: "verify" */
    char sentence[256]; /* what is wrong, where something is */
    int output;         /* the worst element, or one to show where nothing is wrong: */
    int64_t element;    /* −1: none */
    char wanted[128];   /* what is right there; empty: the truth's value */
    char got[128];      /* empty: the element and its bits */
};

#define VERIFICATION_RULE "verify"

static inline struct verification verification_none(void)
{
    return (struct verification){.accepted = true, .resolution = (double)NAN, .element = -1};
}

#endif

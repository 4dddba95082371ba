/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_VERIFICATION_H
#define ASSAY_REFERENCE_OPERATOR_VERIFICATION_H

/* A verdict on all results of one call together, for operators with several right results: the place of any
 * of the greatest elements of a row (argmax), any order of equal keys, an orthogonal factor up to signs with
 * |QR − A| within its bound.
 *
 * The operator has a function `verify` and marks the outputs that it judges (RESULT_VERIFIED in struct op).
 * These have no acceptance set; the other outputs are judged element by element as usual. The truth of a
 * verified output is one right result, shown in reports. Its values are `exact` where no other result is
 * right, and only those may be read by a later step of a chain. Shapes, dtypes, stray writes, repeats and
 * relations are checked as for any output.
 *
 * Such an operator overwrites none of its inputs: its judged tensors are its outputs. */

#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

#include <math.h>

struct op_call;

struct verification_query {
    const struct op_call *call;    /* inputs as they were before the step */
    const struct profile *profile; /* profile_of_operator of the operator */
    const struct truth *truth;
    const struct tensor *got; /* all outputs, contiguous */
};

/* The finding of `verify`, which receives it as verification_none() returns it. */
struct verification {
    bool accepted;
    /* The greatest error over its bound: ≤ 1 exactly where accepted; 0 where the result is as right as
     * possible; infinity where there is nothing between right and wrong. */
    double error_over_bound;
    /* The least error, relative to scale, that would be refused; NaN where that has no meaning (indices). */
    double resolution;
    int64_t refused;    /* number of wrong elements; for a normwise bound all elements that it covers */
    const char *rule;   /* a few words by which failures are grouped, static storage; NULL: "verify" */
    char sentence[256]; /* what is wrong; empty if nothing is */
    int output;         /* output and element: the worst one, or one to show where nothing is wrong */
    int64_t element;    /* −1: no element */
    char wanted[128];   /* the right value there; empty: the value of the truth */
    char got[128];      /* the result there; empty: the element and its bits are printed */
};

#define VERIFICATION_RULE "verify"

static inline struct verification verification_none(void)
{
    return (struct verification){.accepted = true, .resolution = (double)NAN, .element = -1};
}

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ENVELOPE_H
#define ASSAY_REFERENCE_OPERATOR_ENVELOPE_H

/* The envelope: the error that *independent* roundings cause on random data. It is a second limit beside the
 * certified bound B, as sharp as rounding really is. docs/explanation/envelope.md states the model, its
 * limits and the rate of false alarms.
 *
 * For one judged element:
 *
 *   - S is the standard deviation of the result, to first order, when every rounding of a legal algorithm is
 * an independent relative error of the accumulating type's roundoff; it is the largest over the operator's
 * legal forms. S is proportional to u, so S/u depends on the inputs alone and is cached with the truth.
 *   - D is the error of roundings that all go one way: small terms after a large sum, or data on a lattice
 * that is coarse beside the sums. D depends on the width of the accumulator; a truth holds it for every
 * possible width.
 *   - N is the error that is not random: u_out·|truth| + η, primitive errors, truncated series, second order
 *     terms, and D.
 *   - Q = 16·S + N is the limit.
 *
 * Every number here is computed by + − × ÷ and square roots of doubles in loops of a fixed order, without
 * contraction and without libm: the same bits on every machine. */

#include "reference/base/tensor.h"
#include "reference/numeric/exact/envelope_sum.h"
#include "reference/operator/profile.h"

#include <math.h>

/* The envelope of one judged element, computed from its inputs alone. */
struct envelope {
    double spread; /* S/u. Infinity or NaN: the element is undecided and has no limit. 0: nothing is
                      random, so N alone decides */
    double drift[ENVELOPE_WIDTHS]; /* the part of N that roundings cause: D and second order terms;
                                      absolute */
    double truncation;             /* truncation error of series that are cut for the dtype of the output;
                                      absolute */
    double group_spread;           /* S_c/u of its group, where S_c is the deviation of a common scale
                                      error */
    int64_t group;                 /* elements with the same number share errors; < 0: the element has no
                                      group */
    /* For determinants: S/u of the elimination. While 16·S and the second order terms stay below 1, rounding
     * changes neither the sign nor, for a logarithm, NaN into a number; else the element is undecided. 0:
     * there is no such rule. */
    double sign_spread;
};

/* Makes the element a group of its own, with S_c = S/|truth|. */
static inline void envelope_alone(struct envelope *element, int64_t group, double truth)
{
    element->group = group;
    element->group_spread = truth == 0 ? INFINITY : element->spread / fabs(truth);
}

#endif

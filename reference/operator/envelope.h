/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ENVELOPE_H
#define ASSAY_REFERENCE_OPERATOR_ENVELOPE_H

/* The envelope: what *independent* rounding errs on random data, a limit beside the certified bound B that is
 * as sharp as rounding really is. docs/explanation/envelope.md states the model, its limits and the
 * false-alarm rate.
 *
 * Of one judged element:
 *
 *   - S, the standard deviation of the result, to first order, when every rounding of a legal algorithm is an
 *     independent relative error of the accumulating type's roundoff: the largest over the operator's legal
 *     forms. It is proportional to u, so S/u belongs to the inputs alone and is cached with the truth.
 *   - D, what rounding loses one way: small terms behind a large sum, data on a lattice that is coarse beside
 *     the sums. It depends on the width of the accumulator; a truth holds it for every width that may be.
 *   - N, what is not random: u_out·|truth| + η, allowances of primitives, truncated series, second order, D.
 *   - Q = 16·S + N.
 *
 * Every number here comes from + − × ÷ and square roots of doubles in loops of a fixed order, without
 * contraction and without libm: the same bits on every machine. */

#include "reference/base/tensor.h"
#include "reference/numeric/exact/envelope_sum.h"
#include "reference/operator/profile.h"

#include <math.h>

/* One judged element, from its inputs alone. */
struct envelope {
    double spread; /* S/u; infinity or NaN: undecided, no limit. 0: nothing is random, N alone decides */
    double drift[ENVELOPE_WIDTHS]; /* the part of N that roundings make: D, second order; absolute */
    double truncation;             /* of series cut for the output's dtype; absolute */
    double group_spread;           /* S_c/u of its group: the deviation of a common scale error */
    int64_t group;                 /* elements of one number share errors; < 0: of no group */
    /* Determinants: S/u of the elimination. While 16·S and what second order adds stay below 1, rounding
     * changes neither the sign nor, of a logarithm, NaN into a number; else the element is undecided. 0: no
     * such rule. */
    double sign_spread;
};

/* A group of one element: S_c = S/|truth|. */
static inline void envelope_alone(struct envelope *element, int64_t group, double truth)
{
    element->group = group;
    element->group_spread = truth == 0 ? INFINITY : element->spread / fabs(truth);
}

#endif

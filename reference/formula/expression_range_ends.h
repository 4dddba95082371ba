/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_RANGE_ENDS_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_RANGE_ENDS_H

/* Arithmetic on single balls where the batch loops cannot decide: infinities, overflow, half-lines
 * (reference/formula/expression_double_intervals.h). */

#include "reference/formula/expression_nodes.h"

#include <math.h>

struct ball {
    double v, r;
};

static const struct ball ball_unknown = {NAN, INFINITY};

static inline bool ball_is_nan(struct ball a)
{
    return isnan(a.v) && a.r == 0;
}

/* Returns a + − × ÷ b; `v` is the result of the operation on the values alone, by IEEE 754. */
struct ball ball_exceptional(enum node_kind kind, double v, struct ball a, struct ball b);

#endif

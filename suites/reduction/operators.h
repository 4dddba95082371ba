/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_REDUCTION_OPERATORS_H
#define ASSAY_SUITES_REDUCTION_OPERATORS_H

/* Properties of row-wise operators that decide which cases they have, a bit each. Kinds follow from the
 * operator's own row (reference/ops/rowwise/rowwise.h); the rest is listed per operator in operators.c. */

#include "reference/operator/op.h"

enum {
    ROW_SUM = 1 << 0,
    ROW_MEAN = 1 << 1,
    ROW_PRODUCT = 1 << 2,
    ROW_COUNT = 1 << 3,       /* counts elements that are not zero */
    ROW_EXTREMUM = 1 << 4,    /* the greatest or the least element, or its gradient */
    ROW_MAP = 1 << 5,         /* one result for each element, with its own error bound: cases are shorter */
    ROW_GRADIENT = 1 << 6,    /* the gradient of a reduction */
    ROW_DEVIATION = 1 << 7,   /* a variance, its root, or a gradient of these */
    ROW_EXPONENTIAL = 1 << 8, /* sums exponentials below the maximum, or is the gradient of one that does */
    ROW_FORMULA = 1 << 9,     /* a formula of one operand */

    ROW_DEVIATION_GRADIENT = 1 << 20,
    ROW_EXTREMUM_GRADIENT = 1 << 21,
    /* its second operand is the result of a forward operator, logarithms of probabilities */
    ROW_OF_LOGARITHMS = 1 << 22,

    /* Cases that prove nothing of the operator: large numbers that cancel; the ends of the range; zeros; rows
     * of one element. And an empty list of dimensions, where the operator does not accept it. */
    ROW_NO_CANCELLING = 1 << 10,
    ROW_NO_ENDS = 1 << 11,
    ROW_NO_ZEROS = 1 << 12,
    ROW_NO_SINGLE = 1 << 13,
    ROW_NO_EMPTY_LIST = 1 << 14,

    /* Cases that only some operators have, because truths of long rows cost much: more terms than float16 can
     * count; 200,000 terms, random or negative, in the narrow formats and in float64. */
    ROW_MANY_TERMS = 1 << 15,
    ROW_LONG_RANDOM = 1 << 16,
    ROW_LONG_NEGATIVE = 1 << 17,
    ROW_LONG_RANDOM_DOUBLE = 1 << 18,
    ROW_LONG_NEGATIVE_DOUBLE = 1 << 19
};

unsigned row_operator(const struct op *op);

/* True if the least element decides the result: argmin, amin and its gradient. */
bool row_picks_least(const struct op *op);

#endif

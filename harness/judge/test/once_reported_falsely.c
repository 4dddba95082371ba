/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Problems on which a legal form was once reported falsely, and why. */

#include "harness/judge/test/false_alarms.h"

#include <criterion/criterion.h>

static void acquits(const char *op, int count, const int64_t *numbers)
{
    struct tally t = {.op = op};
    for (int k = 0; k < count; k++) {
        struct problem p = problem_numbered(op, numbers[k]);
        report_falsely(&t, &p);
    }
    for (int rule = 0; rule < RULES; rule++) {
        cr_expect_eq(t.reported_falsely[rule], 0, "%s: reported falsely by rule %d", op, rule);
    }
}

#define ACQUITS(op_, ...)                                                                                    \
    acquits(op_, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

/* Elimination of the transposed of badly scaled matrices, beyond the bound of elimination as they stand. */
Test(once_reported_falsely, elimination_of_the_transposed)
{
    ACQUITS("slogdet", 1583);
}

/* Rook and complete pivoting, beyond the bound of partial pivoting. */
Test(once_reported_falsely, other_pivots)
{
    ACQUITS("logdet", 4321, 4882, 6004);
    ACQUITS("slogdet", 2729, 8560);
}

/* Padé 5, 7 and 13 of positive matrices: T = 4 to 7.5. */
Test(once_reported_falsely, rational_approximations)
{
    ACQUITS("matrix_exp", 176, 871, 922, 990, 1264, 1585, 1655, 1944);
}

/* [13/13] of 1×1 matrices, beyond the bound. */
Test(once_reported_falsely, a_denominator_at_its_threshold)
{
    ACQUITS("matrix_exp", 4305, 7297, 19231, 19979);
}

/* e^-680: squares of what was computed left double's range, and S was lost. */
Test(once_reported_falsely, a_spread_below_the_range_of_squares)
{
    ACQUITS("matrix_exp", 18957);
}

/* Groups without variance far from 0: dx as A·w + B·x + C, Q = 4. */
Test(once_reported_falsely, coefficients_of_a_gradient)
{
    ACQUITS("batch_norm_backward", 1272);
}

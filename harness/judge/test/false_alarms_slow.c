/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* No legal form is reported falsely: random problems of every operator, kind of data and small size, computed
 * in nine legal ways. ASSAY_PROBLEMS=100000 tries so many problems per operator, ASSAY_PROBLEMS_FROM=N begins
 * with number N. */

#include "harness/judge/test/false_alarms.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static void nobody_is_reported_falsely(const char *op, int64_t usual, int scale)
{
    const char *requested = getenv("ASSAY_PROBLEMS"), *start = getenv("ASSAY_PROBLEMS_FROM");
    int64_t first = start ? atoll(start) : 0, count = requested ? atoll(requested) : usual;
    struct tally t = {.op = op, .scale = scale};
    for (int64_t number = first; number < first + count; number++) {
        struct problem p = problem_numbered(op, number);
        report_falsely(&t, &p);
    }
    if (requested) {
        fprintf(stderr,
                "%s: %lld problems, %lld results; reported falsely by B %lld, Q %lld, T %lld, G %lld; "
                "greatest Q %.3g T %.3g G %.3g;",
                op, (long long)t.problems, (long long)t.results, (long long)t.reported_falsely[RULE_BY_B],
                (long long)t.reported_falsely[RULE_BY_Q], (long long)t.reported_falsely[RULE_BY_T],
                (long long)t.reported_falsely[RULE_BY_G], t.greatest[RULE_BY_Q], t.greatest[RULE_BY_T],
                t.greatest[RULE_BY_G]);
        for (int k = 0; k < PROBLEM_KINDS; k++) {
            if (t.kind[k]) {
                fprintf(stderr, " %s %lld", problem_data_name((enum problem_data)k), (long long)t.kind[k]);
            }
        }
        fputc('\n', stderr);
    }
    for (int rule = 0; rule < RULES; rule++) {
        cr_expect_eq(t.reported_falsely[rule], 0, "%s: %lld of %lld reported falsely by rule %d", op,
                     (long long)t.reported_falsely[rule], (long long)t.results, rule);
    }
}

#define NOBODY(op_, usual_)                                                                                  \
    Test(false_alarms_slow, op_)                                                                             \
    {                                                                                                        \
        nobody_is_reported_falsely(#op_, usual_, 0);                                                         \
    }

NOBODY(matmul, 100)
NOBODY(linear, 100)
NOBODY(csr_mv, 300)
NOBODY(vector_norm, 300)
NOBODY(matrix_norm, 300)
NOBODY(layer_norm, 100)
NOBODY(rms_norm, 100)
NOBODY(group_norm, 100)
NOBODY(instance_norm, 100)
NOBODY(batch_norm, 100)
NOBODY(layer_norm_backward, 100)
NOBODY(rms_norm_backward, 100)
NOBODY(group_norm_backward, 100)
NOBODY(instance_norm_backward, 100)
NOBODY(batch_norm_backward, 100)
NOBODY(logdet, 300)
NOBODY(slogdet, 300)
NOBODY(matrix_exp, 100)

/* Near the identity the limits of small entries are as small as these. */
Test(false_alarms_slow, matrix_exp_of_small_entries)
{
    static const int scales[] = {-3, -12, -40, -60, -130};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        nobody_is_reported_falsely("matrix_exp", 200, scales[s]);
    }
}

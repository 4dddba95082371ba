/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_FALSE_ALARMS_H
#define ASSAY_HARNESS_JUDGE_TEST_FALSE_ALARMS_H

/* Computes a random problem in every legal way (legal.h) and checks that neither B nor the envelope refuses a
 * result. A result that is refused was reported falsely. */

#include "harness/judge/test/legal.h"
#include "suites/problems.h"

enum rule { RULE_BY_B, RULE_BY_Q, RULE_BY_T, RULE_BY_G, RULES };

/* What was tried for one operator, and what was reported falsely. */
struct tally {
    const char *op;
    int scale; /* operands are multiplied by 2^scale */
    int64_t problems, results;
    int64_t reported_falsely[RULES], kind[PROBLEM_KINDS];
    double greatest[RULES];
};

/* Tries every legal form of the problem; counts and logs every false report. */
void report_falsely(struct tally *tally, const struct problem *problem);

/* Problem `number` of an operator: the kinds in turn, mostly small sizes. */
struct problem problem_numbered(const char *op, int64_t number);

#endif

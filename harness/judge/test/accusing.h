/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_ACCUSING_H
#define ASSAY_HARNESS_JUDGE_TEST_ACCUSING_H

/* A random problem computed in every legal way (legal.h) and held against B and the envelope. */

#include "harness/judge/test/legal.h"
#include "suites/problems.h"

enum rule { RULE_BY_B, RULE_BY_Q, RULE_BY_T, RULE_BY_G, RULES };

struct tally {
    const char *op;
    int scale; /* operands are multiplied by 2^scale */
    int64_t problems, results;
    int64_t accused[RULES], kind[PROBLEM_KINDS];
    double greatest[RULES];
};

/* Every accusation is counted and logged. */
void accuse(struct tally *tally, const struct problem *problem);

/* Problem `number` of an operator: every kind in turn, small sizes mostly. */
struct problem problem_numbered(const char *op, int64_t number);

#endif

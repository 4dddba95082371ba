/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_WRONG_ANSWER_H
#define ASSAY_HARNESS_BENCH_WRONG_ANSWER_H

/* Makes four wrong answers for one element, each rounded to the dtype:
 *
 *   negated   −truth (of a bool: the other value)
 *   zero      0
 *   doubled   2·truth
 *   off       truth + d and truth − d with d = max(4·L, |truth|/1000), where L is the error bound in force;
 *             |truth|/1000 counts only if it is at least 4 ulp (not in 16-bit dtypes). If the sum rounds to
 *             RN(truth), the next number on that side is taken. For an integer d is at least 1. */

#include "reference/base/dtype.h"

enum mistake { MISTAKE_NEGATED, MISTAKE_ZERO, MISTAKE_DOUBLED, MISTAKE_OFF, MISTAKES };

const char *mistake_name(enum mistake mistake);

/* The right answer: the components of the truth, its modulus, and the error bound in force. */
struct right_answer {
    double truth[2], size, limit;
};

/* Writes the bytes of the wrong element. `sign`: 1 or −1, the side of MISTAKE_OFF. Returns false where the
 * mistake yields the right answer, or no number of the dtype. */
bool wrong_answer(const struct right_answer *right, enum dtype dtype, enum mistake mistake, double sign,
                  unsigned char *bytes);

/* Returns x rounded to nearest to a number of the dtype. */
double answer_rounded(enum dtype component, double x);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_WRONG_ANSWER_H
#define ASSAY_HARNESS_BENCH_WRONG_ANSWER_H

/* Four wrong answers in place of one element, each rounded to the dtype:
 *
 *   negated   −truth (of a bool the other one)
 *   zero      0
 *   doubled   2·truth
 *   off       truth + d and truth − d, d = max(4·L, |truth|/1000); L is the limit in force. |truth|/1000
 * counts where it is 4 ulp or more (not in 16-bit dtypes). What rounds to RN(truth) becomes the next number
 *             on that side; of an integer d is 1 at least. */

#include "reference/base/dtype.h"

enum mistake { MISTAKE_NEGATED, MISTAKE_ZERO, MISTAKE_DOUBLED, MISTAKE_OFF, MISTAKES };

const char *mistake_name(enum mistake mistake);

/* What is right: the truth by components, its modulus, and how far from it the limit in force lies. */
struct right_answer {
    double truth[2], size, limit;
};

/* Writes the element's wrong bytes. `sign`: 1 or −1, the side of MISTAKE_OFF. False where the mistake makes
 * the right answer, or no number of the dtype. */
bool wrong_answer(const struct right_answer *right, enum dtype dtype, enum mistake mistake, double sign,
                  unsigned char *bytes);

/* x rounded to nearest to a number of the dtype. */
double answer_rounded(enum dtype component, double x);

#endif

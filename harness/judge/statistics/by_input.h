/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_BY_INPUT_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_BY_INPUT_H

/* Where a function of one number errs: the greatest error in ulp by sign and exponent of the input, of a case
 * that has inputs of many exponents, or very many inputs. A report draws it; no verdict asks it. */

#include "harness/judge/traversal.h"
#include "reports/records/record.h"

struct by_input; /* one tensor's places, or a part's */

/* NULL where the case is another one, or out of memory (*good: false then). */
struct by_input *by_input_open(const struct program *program, bool *good);
void by_input_close(struct by_input **places); /* accepts NULL, leaves NULL */

/* The |error| in ulp of each of several elements, and the greatest of them. */
struct by_input_errors {
    const double *off;
    double most;
};

/* `count` ≤ LIMIT_RUN elements that were judged, from `element` of the slice in hand on; their results lie
 * `stride` bytes apart from `got` on. `known`: of truths and results that are all normal numbers; NULL else.
 */
void by_input_add(struct by_input *places, struct traversal *t, int64_t element, int count,
                  const unsigned char *got, ptrdiff_t stride, const struct by_input_errors *known);

/* Behind the last element of the slice. False when out of memory. */
bool by_input_end_slice(struct by_input *places, struct traversal *t);

/* Adds what came of the elements behind those of `to`. */
void by_input_merge(struct by_input *to, struct by_input *from);

/* Into the record; false when out of memory. */
bool by_input_keep(const struct by_input *places, struct record *record);

#endif

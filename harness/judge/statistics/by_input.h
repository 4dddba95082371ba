/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_BY_INPUT_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_BY_INPUT_H

/* Where a function of one number errs: the greatest error in ulp for each sign and exponent of the input. It
 * is recorded if the inputs of a case have many exponents or there are very many of them. Reports draw it; no
 * verdict uses it. */

#include "harness/judge/traversal.h"
#include "reports/records/record.h"

struct by_input; /* of one tensor, or of a part of it */

/* NULL if the case is of another kind, or if out of memory (*good is then false). */
struct by_input *by_input_open(const struct program *program, bool *good);
void by_input_close(struct by_input **places); /* accepts NULL in *places, leaves NULL there */

/* The |error| of each of several elements in ulp, and the greatest of them. */
struct by_input_errors {
    const double *off;
    double most;
};

/* Adds `count` ≤ BATCH_MAX judged elements, from `element` of the current slice on; their results lie
 * `stride` bytes apart from `got` on. `known`: their errors, if all truths and results are normal numbers;
 * else NULL. */
void by_input_add(struct by_input *places, struct traversal *t, int64_t element, int count,
                  const unsigned char *got, ptrdiff_t stride, const struct by_input_errors *known);

/* To be called after the last element of a slice: finds the error bounds at the greatest errors so far, which
 * need the slice. False if out of memory. */
bool by_input_end_slice(struct by_input *places, struct traversal *t);

/* Adds the errors of `from`, whose elements follow those of `to`. `from` may collect further elements
 * afterwards and be merged again. */
void by_input_merge(struct by_input *to, struct by_input *from);

/* Writes the errors into the record, if there are enough of them. False if out of memory. */
bool by_input_keep(const struct by_input *places, struct record *record);

#endif

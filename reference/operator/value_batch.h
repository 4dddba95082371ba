/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_VALUE_BATCH_H
#define ASSAY_REFERENCE_OPERATOR_VALUE_BATCH_H

/* A batch of consecutive truth values as separate arrays of hi, lo and flags, which vector loops can read;
 * and the conversion between values and doubles with radii. */

#include "reference/operator/bound_memo.h"

struct value_batch {
    double hi[BATCH_MAX], lo[BATCH_MAX];
    uint64_t kind[BATCH_MAX]; /* class, exponent and flags except `exact`; 0 for an ordinary finite number
                                 hi + lo: no exponent, not open, no special input */
    bool numbers;             /* every `kind` is 0 */
    const void *of;           /* where the values came from: value_batch_place of the first */
};

/* Fills the batch from `count` ≤ BATCH_MAX values. */
void value_batch_of(const struct value *value, int count, struct value_batch *run);

/* Fills the batch from the values of a judged tensor of one component, starting at `first`, whether or not
 * `value` is filled. */
void value_batch_at(const struct truth_output *out, int64_t first, int count, struct value_batch *run);

/* Returns the address that `of` has for the batch that starts at `first`. */
const void *value_batch_place(const struct truth_output *out, int64_t first);

/* Returns one value of a tensor of one component, whether or not `value` is filled. */
struct value truth_output_value(const struct truth_output *out, int64_t element);

/* Fills `value` from `number` and `radius` unless it is filled already. Returns false when out of memory. */
bool truth_output_fill(struct truth_output *out);

/* Converts numbers with their radii to values: exact where the radius is 0, ±2^VALUE_FAR where it is
 * infinite. */
void values_of_numbers(struct value *value, const double *number, const double *radius, int64_t count);

/* Returns the greatest |value| that is at most `most`; 0 if there is none. */
double values_greatest(const struct value *value, int64_t count, double most);

/* Returns the `kind` of a value. */
uint64_t value_batch_kind(const struct value *value);

/* Returns the `kind` of ±2^VALUE_FAR, which is beyond the numbers of all types. */
uint64_t value_batch_far(void);

#endif

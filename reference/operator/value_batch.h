/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_VALUE_BATCH_H
#define ASSAY_REFERENCE_OPERATOR_VALUE_BATCH_H

/* Consecutive values, taken apart: like parts lie behind one another, as loops over vectors want them. */

#include "reference/operator/bound_memo.h"

struct value_batch {
    double hi[BATCH_MAX], lo[BATCH_MAX];
    uint64_t kind[BATCH_MAX]; /* all the rest but `exact`; 0: the finite number hi + lo, not open, of no
                                 special input */
    bool numbers;             /* they are all that */
    const void *of;           /* the first of them */
};

/* Of `count` ≤ BATCH_MAX values. */
void value_batch_of(const struct value *value, int count, struct value_batch *run);

/* The same of values from `first` on of a judged tensor of one component, be they told or not. */
void value_batch_at(const struct truth_output *out, int64_t first, int count, struct value_batch *run);

/* What `of` is then. */
const void *value_batch_place(const struct truth_output *out, int64_t first);

/* One of them. */
struct value truth_output_value(const struct truth_output *out, int64_t element);

/* Tells its values, if they are not: truth_output.value is there. False when out of memory. */
bool truth_output_fill(struct truth_output *out);

/* The other way: of numbers with their radii, exact where that is 0, ±2^VALUE_FAR where it is infinite. */
void values_of_numbers(struct value *value, const double *number, const double *radius, int64_t count);

/* The greatest |value| up to `most`; 0 where there is none. */
double values_greatest(const struct value *value, int64_t count, double most);

/* What `kind` is of a value. */
uint64_t value_batch_kind(const struct value *value);

/* Of ±2^VALUE_FAR, beyond the numbers of all types. */
uint64_t value_batch_far(void);

#endif

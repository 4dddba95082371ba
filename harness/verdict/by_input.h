/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BY_INPUT_H
#define ASSAY_HARNESS_BY_INPUT_H

/* Where a function of one number errs: the greatest error in ulp by sign and exponent of the input, of a case
 * that has inputs of many exponents, or very many inputs. A report draws it; no verdict asks it. */

#include "harness/verdict/traversal.h"
#include "reports/record.h"

struct by_input; /* one tensor's places, or a part's */

/* NULL where the case is another one, or out of memory (*good: false then). */
struct by_input *by_input_open(const struct program *program, bool *good);
void by_input_close(struct by_input **places); /* accepts NULL, leaves NULL */

/* Judged elements from `first` to the end of the slice in hand, as they lie in these images. The walk is moved
 * to its end. */
void by_input_add(struct by_input *places, struct traversal *t, int64_t first, const struct images *images);

/* Adds what came of the elements behind those of `to`. */
void by_input_merge(struct by_input *to, const struct by_input *from);

/* Into the record; false when out of memory. */
bool by_input_keep(const struct by_input *places, struct record *record);

#endif

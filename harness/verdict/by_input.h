/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BY_INPUT_H
#define ASSAY_HARNESS_BY_INPUT_H

/* Where a function of one number errs: the greatest error in ulp by sign and exponent of the input, of a case
 * that has inputs of many exponents, or very many inputs. A report draws it; no verdict asks it. */

#include "harness/verdict/judge.h"

/* Of run 0, once everything is judged. Other cases are left alone. False when out of memory, or where a slice
 * of the truth cannot be had. */
bool by_input_measure(const struct judge_request *request, const struct ownership *ownership,
                      struct record *record, struct error *error);

#endif

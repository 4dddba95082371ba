/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_UNDECLARED_H
#define ASSAY_HARNESS_REPRO_UNDECLARED_H

/* Does a verdict hang on something that the backend's profile does not say?
 *
 * A promise that a profile does not make widens the limits: sums of float16 may then be held in float16, say.
 * A result that passes under such limits, and would fail if the promise were made, is neither right nor wrong
 * as far as anyone can tell. */

#include "harness/judge/memory/images.h"
#include "reference/operator/profile.h"

#include <stdbool.h>

struct undeclared {
    char member[128]; /* "accumulate": {"float16": "float32"}: what to declare, in the words of
                         exec-protocol.md;
                         "": no member makes a difference */
    bool fails;       /* with it declared the result fails, */
    char reason[256]; /* for this reason; else it passes, and the case is evidence */
};

/* Judges the result of a one-step program once more under promises that the profile lacks. `vacuous`: the
 * limits in force let a wrong answer pass; every promise is tried, and `found` is the first under which the
 * case is evidence. Else only a wider `accumulate` of 16-bit operands is tried, which nearly every runtime
 * has, and `found` is that where the result would fail. The truth must be known. False when out of memory. */
bool undeclared_find(const struct program *program, struct program_truth *truth, const struct images *images,
                     const struct profile *profile, bool vacuous, struct undeclared *found);

#endif

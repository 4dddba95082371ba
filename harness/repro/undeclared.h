/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_UNDECLARED_H
#define ASSAY_HARNESS_REPRO_UNDECLARED_H

/* Finds out whether a verdict depends on something that the backend's profile does not declare.
 *
 * A promise that a profile does not make widens the error bounds: sums of float16, for example, may then be
 * accumulated in float16. If a result passes under such bounds and would fail if the promise were made,
 * nobody can say whether it is right. */

#include "harness/judge/memory/images.h"
#include "reference/operator/profile.h"

#include <stdbool.h>

struct undeclared {
    /* what to declare, in the words of exec-protocol.md: "accumulate": {"float16": "float32"}; "": no member
     * makes a difference */
    char member[128];
    bool fails;       /* with it declared the result fails; else it passes, and the case is evidence */
    char reason[256]; /* of that failure */
};

/* Judges the result of a one-step program again under promises that the profile lacks. If `vacuous` (a wrong
 * answer passes under the present bounds), every promise is tried, and `found` is the first under which the
 * case is evidence. Otherwise only a wider `accumulate` of 16-bit operands is tried, which nearly every
 * runtime has, and `found` is set if the result would fail. The truth must be known. Returns false when out
 * of memory. */
bool undeclared_find(const struct program *program, struct program_truth *truth, const struct images *images,
                     const struct profile *profile, bool vacuous, struct undeclared *found);

#endif

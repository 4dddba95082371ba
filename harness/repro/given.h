/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_GIVEN_H
#define ASSAY_HARNESS_REPRO_GIVEN_H

/* Results that exist already (`assay repro --got`): they are judged as those of a bundle are, so that no
 * device is needed. */

#include "harness/repro/repro_parts.h"

/* Reads the files of --got, one for each judged tensor of the call in their order, and the profile of
 * --profile, into a bundle without truths. A result must have the shape and the dtype that the call gives; a
 * file of another dtype is taken if every number is one of the result's dtype. Returns false with the fault.
 * The caller calls bundle_clear in either case. */
bool repro_given_read(struct repro *repro, struct bundle *bundle, struct error *error);

#endif

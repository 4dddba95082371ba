/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_SELF_TEST_H
#define ASSAY_HARNESS_RUN_SELF_TEST_H

/* The negative control of the judge. For each family, the first selected case that passes and has values is
 * run again with one value changed after the backend has returned it; the judge must see the change.
 *
 * Returns EXIT_GATE when every family's changed case failed, because a run with wrong values must not be
 * green. Returns EXIT_NOTHING_RUN with a message when one of them passed, when a family has no case that
 * passes, or when the backend did not open. */

#include "harness/run/run.h"

int self_test(const struct run_plan *plan);

#endif

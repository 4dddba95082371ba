/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_SELF_TEST_H
#define ASSAY_HARNESS_RUN_SELF_TEST_H

/* The negative control: one value per family is spoiled on its way back from the backend; the judge must see
 * it.
 *
 * Per family the first selected case that passes and has values is run again with one value spoiled. Returns
 * EXIT_GATE when every family's spoiled case failed (a run with wrong values must not be green), and
 * EXIT_NOTHING_RUN, loudly, when one escaped, when a family has no case that passes, or when the backend did
 * not open. */

#include "harness/run/run.h"

int self_test(const struct run_plan *plan);

#endif

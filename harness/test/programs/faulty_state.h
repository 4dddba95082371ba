/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_STATE_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_STATE_H

/* Faults of state: each case is right alone and wrong after certain cases in the same process.
 * ASSAY_TEST_STATE names the fault; "always" is a fault without state, for comparison. */

#include "reference/program/backend.h"

/* Runs the program on `class`, the CPU backend, with the fault that the environment names, if any. */
bool state_run(const struct backend_class *class, struct backend *backend, const struct program *program,
               struct backend_run *run, struct error *error);

#endif

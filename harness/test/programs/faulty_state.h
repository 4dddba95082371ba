/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_STATE_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_STATE_H

/* Faults of state: each case alone is right, what ran before in the same process makes it wrong.
 * ASSAY_TEST_STATE names one; "always" is a plain fault beside them. */

#include "reference/program/backend.h"

/* Runs the program through `run` (the witness) with the fault that the environment names, if any. */
bool state_run(const struct backend_class *class, struct backend *backend, const struct program *program,
               struct backend_run *run, struct error *error);

#endif

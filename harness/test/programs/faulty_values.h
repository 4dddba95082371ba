/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_VALUES_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_VALUES_H

/* Faults of the faulty backend that depend on the operands alone, so that they also occur in a smaller call.
 * ASSAY_TEST_VALUES names one, see faulty_values.c. */

#include "reference/program/backend.h"

/* Replaces the right results by those of the fault. `image` is the memory after the run, `before` the memory
 * as it was given. */
void values_spoil(const char *fault, const struct program *program, unsigned char *const *before,
                  unsigned char *const *image);

/* Faults that occur before anything is computed: a crash, a hang. */
void values_die(const char *fault, const struct program *program, unsigned char *const *image);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_OBSERVED_H
#define ASSAY_REFERENCE_PROGRAM_OBSERVED_H

/* Observed steps: steps that are judged from what the device computed before.
 *
 * A chain of inexact operators has no single truth: each step rounds, and the next one computes with that.
 * Where struct step declares `observed`, the operands that an earlier step wrote are taken as they are in the
 * memory that came back, whatever they are, and the truth of the step is that of those bits. A wrong step
 * then spoils no verdict but its own, and the first wrong step is the culprit.
 *
 * It follows that
 *
 *   - the truth exists only after the run (truth_source.observed), and each run has its own;
 *   - the operands must still be there after the run: program_check;
 *   - a step that is not observed cannot read what an observed one wrote. */

#include "reference/program/program.h"

/* Returns whether a step of the program is declared observed. */
bool program_is_observed(const struct program *program);

/* Returns whether the operand is judged as the device left it: its step is declared observed, and an earlier
 * step writes bytes of it. */
bool program_operand_is_observed(const struct program *program, int step, int input);

/* Returns whether that holds for an operand of the step. */
bool program_step_observes(const struct program *program, int step);

/* Returns whether the truth of the step is found from operands that are known without the truths of other
 * steps, and no other truth is found from its own. The truth may then hold values within radii, or come in
 * slices. */
bool program_step_is_separate(const struct program *program, int step);

/* Returns false with an error that names both steps if a step overwrites what an observed one before it, or
 * it itself as an observed step, is judged from. */
bool program_check(const struct program *program, struct error *error);

/* Returns the bytes of the storage of an operand from which the step's truth is found: `left` has for each
 * storage the bytes that the device left (NULL where it left the program's own). For steps that are separate
 * or observed. */
unsigned char *program_operand_bytes(const struct program *program, unsigned char *const *left, int step,
                                     int input);

#endif

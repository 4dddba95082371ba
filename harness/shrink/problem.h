/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_PROBLEM_H
#define ASSAY_HARNESS_SHRINK_PROBLEM_H

/* A problem: one call as data that can be changed, with an operator, its attributes and its operands, each at
 * its place in memory. */

#include "harness/formats/inputs.h"

struct problem {
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
};

/* returns false with `to` empty when out of memory */
bool problem_copy(struct problem *to, const struct problem *from);
void problem_clear(struct problem *problem);

/* Returns operand i as a view; its storage is −1 if it is absent, else the number of its storage. */
struct view problem_view(const struct repro_inputs *inputs, int i);

/* Appends the storages and the step to the program. Returns false with the reason, also where the shape rule
 * refuses the operands. */
bool problem_place(const struct op *op, const struct attributes *attributes,
                   const struct repro_inputs *inputs, struct program *program, struct error *error);

/* Takes the call of a case of one step. Returns false with the reason where the case is of another kind. The
 * caller clears the problem in either case. */
bool problem_of_program(struct problem *problem, const struct program *program, struct error *error);

/* Returns true if the operator accepts the operands as they are. */
bool problem_is_taken(const struct problem *problem);

#endif

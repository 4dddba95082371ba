/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_PROBLEM_H
#define ASSAY_HARNESS_SHRINK_PROBLEM_H

/* One call as data that can be changed: an operator, its attributes and its operands, each with its place in
 * memory. */

#include "harness/formats/inputs.h"

struct problem {
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
};

bool problem_copy(struct problem *to, const struct problem *from); /* false, `to` empty: out of memory */
void problem_clear(struct problem *problem);

/* The operand as a view; storage −1 where it is absent, else its own number. */
struct view problem_view(const struct repro_inputs *inputs, int i);

/* Appends the storages and the step. False with the reason, also where the shape rule refuses the operands.
 */
bool problem_place(const struct op *op, const struct attributes *attributes,
                   const struct repro_inputs *inputs, struct program *program, struct error *error);

/* The call of a case of one step; false with the reason where the case is another. The caller clears. */
bool problem_of_program(struct problem *problem, const struct program *program, struct error *error);

/* Whether the operator takes the operands as they are. */
bool problem_is_taken(const struct problem *problem);

#endif

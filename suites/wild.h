/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_WILD_H
#define ASSAY_SUITES_WILD_H

/* Cases with other numbers than their authors thought of. Seeds from 2^62 on ask for it: every floating
 * operand of a case is filled anew, tensor by tensor with bits at random, numbers of ordinary size, numbers
 * next to the ends of the dtype's range or special values among ordinary ones, and real attributes take
 * values far from their defaults where the operator allows it. Shapes, layouts, integers and indices stay, and
 * what takes the place of indices is what it is documented to be: probabilities, from 0 to 1.
 * Cases that must be refused, and chains whose steps read each other's results, stay as they are. */

#include "reference/base/philox.h"
#include "reference/program/program.h"

#define WILD_SEED (UINT64_C(1) << 62)

/* False when out of memory. */
bool wild_program(struct program *program, struct philox *generator);

#endif

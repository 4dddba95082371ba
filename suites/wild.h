/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_WILD_H
#define ASSAY_SUITES_WILD_H

/* Replaces the inputs of cases by others than their authors chose, for seeds from WILD_SEED (2^62) on. Each
 * floating operand is filled in one of four manners, picked at random: any bits; ordinary sizes; sizes next
 * to the ends of the dtype's range; special values among ordinary ones. Real attributes take values far from
 * their defaults where the operator accepts them. Shapes, layouts, integers and indices stay; targets that
 * may be probabilities get numbers from 0 to 1. A program with a step that must be refused, or with steps
 * that read each other's results, stays as it is. */

#include "reference/base/philox.h"
#include "reference/program/program.h"

#define WILD_SEED (UINT64_C(1) << 62)

/* Returns false when out of memory. */
bool wild_program(struct program *program, struct philox *generator);

#endif

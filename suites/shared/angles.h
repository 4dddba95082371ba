/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_ANGLES_H
#define ASSAY_SUITES_SHARED_ANGLES_H

/* Worst cases of range reduction: of all numbers of float32 with a given exponent, and of float64 with every
 * fifteenth, the one next to a whole multiple of π/2, by the continued fraction of 2^e·2/π. Of a 16-bit
 * format every number is asked. */

#include "reference/base/dtype.h"

/* How many there are for a dtype, and one of them. */
int angle_count(enum dtype dtype);
double angle_at(enum dtype dtype, int index);

#endif

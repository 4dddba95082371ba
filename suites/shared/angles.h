/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_ANGLES_H
#define ASSAY_SUITES_SHARED_ANGLES_H

/* Worst cases of range reduction: numbers next to a whole multiple of π/2, found by the continued fraction of
 * 2^e·2/π. float32 has one for each exponent from 1 to 127; float64 has these and one for every fifteenth of
 * its own exponents. 16-bit dtypes have none, because their cases test every number. */

#include "reference/base/dtype.h"

/* The number of angles for a dtype, and one of them. */
int angle_count(enum dtype dtype);
double angle_at(enum dtype dtype, int index);

#endif

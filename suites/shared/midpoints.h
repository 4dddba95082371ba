/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_MIDPOINTS_H
#define ASSAY_SUITES_SHARED_MIDPOINTS_H

/* Numbers of one dtype that are midpoints of two neighbours of another, normal or subnormal, and those next
 * to them. Rounding in between, to float32, to float64 (of int64) or to the target's precision without its
 * range (before an underflow), loses on which side they lie, and goes wrong in one of four. */

#include "suites/suite.h"

/* The bits of the source: a midpoint (i % 4 = 0, 1), the number above it (2), the one below (3). The source
 * is a float or a signed integer, of more bits than the target has digits. */
uint64_t midpoint_bits(struct philox *generator, enum dtype from, enum dtype to, int64_t i);

#endif

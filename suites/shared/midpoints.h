/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_MIDPOINTS_H
#define ASSAY_SUITES_SHARED_MIDPOINTS_H

/* Numbers of one dtype that are midpoints of two neighbours of another, or lie next to a midpoint; for tests
 * of conversions that round twice. An intermediate rounding (to float32, to float64 of an int64, or to the
 * target's precision before an underflow) loses the side of the midpoint on which the number lies, and one
 * number of four comes out wrong. The neighbours may be normal or subnormal. */

#include "suites/suite.h"

/* Returns the bits of a number of `from`: a midpoint of `to` (i % 4 = 0, 1), the next number of greater
 * magnitude (2), or of smaller magnitude (3). `from` is a floating or signed integer dtype with more bits
 * than `to` has digits. */
uint64_t midpoint_bits(struct philox *generator, enum dtype from, enum dtype to, int64_t i);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_DATA_H
#define ASSAY_SUITES_SHARED_DATA_H

/* Pseudorandom values of one component, as bit patterns. Integer arithmetic only: the same bits on every
 * machine. */

#include "suites/build.h"

/* Any finite value: i selects the exponent (so that n consecutive i cover all of them evenly), sign and
 * fraction are random. Integers: i selects the bit length. */
uint64_t data_any_exponent(struct philox *generator, enum dtype component, int64_t i);

/* A nonzero subnormal, i selecting its leading bit. */
uint64_t data_subnormal(struct philox *generator, enum dtype component, int64_t i);

/* ±1.f·2^e, e uniform in [low, high]; low and high inside the normal range. */
uint64_t data_between(struct philox *generator, enum dtype component, int low, int high);

/* −, 0 or + with odds 7 : 2 : 7, of any size; the neighbour and the distance of every element is
 * unpredictable, so that an element taken from elsewhere shows in the sign alone. */
uint64_t data_sign_coded(struct philox *generator, enum dtype component);

/* Sign-coded elements: real numbers, or complex numbers on the axes and (every 64th) between them; an element
 * taken from anywhere else shows in its signs. The last element differs from its neighbour. */
void data_fill_sign_coded(struct builder *b, const struct view *x, int tensor);

/* `count` consecutive bit patterns of the case's dtype. */
struct view data_pattern_vector(struct builder *b, uint64_t first, int64_t count);

/* All float32 patterns, 2^22 at a time: those whose upper ten bits are the block's number. */
enum { PATTERN_BLOCK_BITS = 22, PATTERN_BLOCKS = 1 << (32 - PATTERN_BLOCK_BITS) };

/* One step over such a vector. */
void data_patterns(struct builder *b, uint64_t first, int64_t count);

/* A uniformly random integer in [−magnitude, magnitude]. */
int32_t data_integer(struct philox *generator, int32_t magnitude);

/* grad_output of a reduction of the dimensions of the row kit's `attributes`: one number for each row of
 * `input`, up to 4 in size, no two rows alike. */
struct view data_row_gradients(struct builder *b, const struct attributes *attributes,
                               const struct view *input, enum layout layout);

/* What softmax (log_softmax) might have given for rows of so many terms: from half to once the power of two
 * next to 1/terms; or that much less 1/2 to 1 below the logarithm of it. */
void data_fill_probabilities(struct builder *b, const struct view *x, int tensor, int64_t terms,
                             bool logarithms);

#endif

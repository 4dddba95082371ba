/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_DATA_H
#define ASSAY_SUITES_SHARED_DATA_H

/* Pseudorandom values of one component, as bit patterns, and tensors filled with them. Integer arithmetic
 * only: the same bits on every machine. */

#include "suites/build.h"

/* Returns any finite value. `i` selects the exponent, so that consecutive i cover all exponents evenly; sign
 * and fraction are random. Of an integer dtype i mod 32 is the bit length. */
uint64_t data_any_exponent(struct philox *generator, enum dtype component, int64_t i);

/* Returns a nonzero subnormal number; `i` selects its leading bit. */
uint64_t data_subnormal(struct philox *generator, enum dtype component, int64_t i);

/* Returns ±1.f·2^e with e uniform in [low, high]; low and high must lie in the normal range. */
uint64_t data_between(struct philox *generator, enum dtype component, int low, int high);

/* Returns a negative number, zero or a positive number with odds 7 : 2 : 7. The signs of neighbours are
 * unpredictable, so that an element taken from another place shows by its sign alone. */
uint64_t data_sign_coded(struct philox *generator, enum dtype component);

/* Fills x with such numbers. Of complex dtypes elements lie on an axis, every 64th between the axes. The last
 * two elements differ. */
void data_fill_sign_coded(struct builder *b, const struct view *x, int tensor);

/* Returns a vector of `count` consecutive bit patterns of the case's dtype, from `first` on. */
struct view data_pattern_vector(struct builder *b, uint64_t first, int64_t count);

/* All float32 patterns fall into blocks of 2^22: a block's number is the upper ten bits of its patterns. */
enum { PATTERN_BLOCK_BITS = 22, PATTERN_BLOCKS = 1 << (32 - PATTERN_BLOCK_BITS) };

/* Appends the case's operator on the vector of these patterns. */
void data_patterns(struct builder *b, uint64_t first, int64_t count);

/* Returns a uniformly random integer in [−magnitude, magnitude]. */
int32_t data_integer(struct philox *generator, int32_t magnitude);

/* Returns grad_output of a row-wise operator that reduces the dimensions in `attributes`: a random number of
 * size 1/8 to 4 for each row of `input`. If the attributes are invalid: a scalar, for a call that must be
 * refused. */
struct view data_row_gradients(struct builder *b, const struct attributes *attributes,
                               const struct view *input, enum layout layout);

/* Fills x with numbers that softmax could return for rows of `terms` elements: from P/2 to P, where 1/P is
 * the least power of two ≥ terms. With `logarithms`, that log_softmax could return: 1/2 to 1 below the
 * logarithm of P. */
void data_fill_probabilities(struct builder *b, const struct view *x, int tensor, int64_t terms,
                             bool logarithms);

#endif

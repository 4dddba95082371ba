/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVERSION_CONVERSION_RULES_H
#define ASSAY_REFERENCE_OPS_CONVERSION_CONVERSION_RULES_H

/* Converts an element to another dtype, for copy_, to and clone: one table of rules.
 *
 * Same dtype: every bit is kept, including −0 and the payload of a NaN. To a float: one rounding to nearest
 * even; beyond the greatest number by half its unit, infinity. From a float to an integer: truncated towards
 * zero; numbers beyond the target's range, infinities and NaN are undefined in PyTorch, so any result is
 * right. Between integers: modulo 2^bits. To bool: true if the element differs from zero, as NaN and 0.5 do.
 * From bool: 0 and 1.
 *
 * Sources: IEEE 754-2019 §5.4.2, 5.8; PyTorch, "Tensor attributes" and Tensor.to. All functions are pure. */

#include "reference/operator/op.h"

/* The kind of a conversion, which is sensitivity 0 of the element. */
enum conversion { CONVERSION_UNDEFINED = -1, CONVERSION_ROUNDS = 0, CONVERSION_MOVES = 1 };

/* Returns the element at `bytes` as the exact number that the dtype `to` gets before rounding; the acceptance
 * set rounds it. Both are real dtypes; the components of a moved complex64 are two float32. */
struct value conversion_of(enum dtype from, const void *bytes, enum dtype to, enum conversion *kind);

/* Members of a struct op whose only judged tensor has these values and this sensitivity. */
int conversion_sensitivities(const struct op_call *call, int output);
void conversion_accept(const struct bound_query *query, struct accept *accept);
bool conversion_is_defined(const struct bound_query *query);

#endif

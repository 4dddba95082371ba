/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVERSION_CONVERSION_RULES_H
#define ASSAY_REFERENCE_OPS_CONVERSION_CONVERSION_RULES_H

/* What an element becomes in another dtype, for copy_, to and clone: one table of rules for them all.
 *
 * The same dtype: every bit, −0 and the payload of a NaN too. Into a float: one rounding, to nearest even;
 * beyond the greatest number by half its unit, infinity. From a float into an integer: truncated towards
 * zero; PyTorch calls what lies beyond the target, infinities and NaN undefined, and so it is open. Between
 * integers: modulo 2^bits. Into bool: whether it differs from zero, which a NaN and 0.5 do. From bool: 0
 * and 1.
 *
 * Sources: IEEE 754-2019 §5.4.2, 5.8; PyTorch, "Tensor attributes" and Tensor.to. Pure functions. */

#include "reference/operator/op.h"

/* What stands beside a value, as its sensitivity 0. */
enum conversion { CONVERSION_UNDEFINED = -1, CONVERSION_ROUNDS = 0, CONVERSION_MOVES = 1 };

/* The element at `bytes` as a number of the dtype `to`, exact: rounding is the acceptance set's. Real dtypes,
 * but for a moved complex64's components, which are two of float32. */
struct value conversion_of(enum dtype from, const void *bytes, enum dtype to, enum conversion *kind);

/* Members of a struct op whose only judged tensor has these values and that sensitivity. */
int conversion_sensitivities(const struct op_call *call, int output);
void conversion_accept(const struct bound_query *query, struct accept *accept);
bool conversion_is_defined(const struct bound_query *query);

#endif

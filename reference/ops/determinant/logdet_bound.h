/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_LOGDET_BOUND_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_LOGDET_BOUND_H

/* Sensitivities of logdet and slogdet, and the callbacks of struct op (reference/operator/op.h) that compute
 * error bounds and acceptance sets from them; for logdet.c. */

#include "reference/operator/op.h"
#include "reference/ops/determinant/determinant.h"

/* Sensitivities of one matrix (determinant.h describes them); n coefficients of D start at
 * LOG2_COEFFICIENT. */
enum sensitivity {
    ORDER,           /* n */
    CONDITION,       /* C = tr(W); NaN if an entry is infinite, none is NaN, and n ≥ 2 */
    RADIUS,          /* spr(W) */
    UNDERFLOW_SUM,   /* underflow_sum of determinant.h */
    UNDERFLOW_FORMS, /* `underflow` of determinant_envelope.h: for every legal elimination, to first order */
    TRACE,           /* tr(W^k), k = 1 … DETERMINANT_TRACES */
    LOG_SUM = TRACE + DETERMINANT_TRACES, /* Σ|log|u_ii|| */
    NEAR_ONE,                             /* pivots in [1/2, 2] */
    LOG_HADAMARD,                         /* natural log of Π‖row‖₂ */
    LOG2_ABS,                             /* log2 |det| */
    LOG2_FROBENIUS,
    GREATEST, /* max |a_ij| */
    HAS_COEFFICIENTS,
    LOG2_COEFFICIENT
};

double logdet_bound(const struct bound_query *query);
double logdet_primitive_error(const struct bound_query *query);
bool logdet_naive_may_overflow(const struct bound_query *query);
void logdet_accept(const struct bound_query *query, struct accept *accept);
bool logdet_flipped_sign(const struct bound_query *query, void *bytes);
double logdet_resolving_power(const struct bound_query *query, const struct accept *accept);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_LOGDET_BOUND_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_LOGDET_BOUND_H

/* Sensitivities of logdet and slogdet, and what follows from them; for logdet.c. */

#include "reference/ops/determinant/determinant.h"
#include "reference/operator/op.h"

/* Sensitivities of one matrix; the coefficients of D follow LOG2_COEFFICIENT, n of them. */
enum sensitivity {
    ORDER,           /* n */
    CONDITION,       /* C = tr(W); NaN where an entry is infinite and n ≥ 2 */
    RADIUS,          /* spr(W) */
    UNDERFLOW_SUM,   /* what η in every entry does: underflow_sum of reference/ops/determinant/determinant.h */
    UNDERFLOW_FORMS, /* the same by any legal elimination, to first order: of reference/ops/determinant/determinant_envelope.h
                      */
    TRACE,           /* tr(W^k), k = 1 … DETERMINANT_TRACES */
    LOG_SUM = TRACE + DETERMINANT_TRACES, /* Σ|log|u_ii|| */
    NEAR_ONE,                             /* pivots in [1/2, 2] */
    LOG_HADAMARD,                         /* natural log of Π‖row‖₂ */
    LOG2_ABS,                             /* log2 |det| */
    LOG2_FROBENIUS,
    GREATEST, /* of the entries' sizes */
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

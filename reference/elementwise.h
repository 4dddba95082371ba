/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_ELEMENTWISE_H
#define ASSAY_REFERENCE_ELEMENTWISE_H

/* The element-wise kit: an operator on one tensor whose every result is a function of one number `x` is a row
 * of reference/ops/unary.c. A formula (reference/expression.h) is what it is and what a legal program
 * computes: truth, radius and E_compute come from it. Or, where every result is a number of the dtype, a
 * function of doubles. */

#include "reference/op.h"

struct elementwise {
    const char *formula; /* safe in range; NULL: `exact` */
    const char *naive; /* the form in common use, where that leaves the range though the result does not: what
                          it loses there is a finding of class RANGE under a profile with naive
                          intermediates, which elsewhere is held to the wider of both bounds; NULL: none */
    double (*exact)(double x);
    bool quotient;  /* the formula is one division, which IEEE 754 rounds once, and Vulkan does not */
    bool moves;     /* `exact` changes the sign bit alone: a NaN keeps its payload */
    bool open_zero; /* `exact`: a zero may have either sign (a maximum of zeros) */
};

bool elementwise_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason);

/* Of an exact function; int32 modulo 2^32. */
bool elementwise_exact(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_moves(const struct op_call *call);
void elementwise_accept(const struct bound_query *query, struct accept *accept);

/* Of a formula. */
bool elementwise_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int elementwise_sensitivities(const struct op_call *call, int output); /* one: the operand */
double elementwise_bound(const struct bound_query *query);
void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
bool elementwise_rounds_once(const struct bound_query *query);
bool elementwise_naive_escapes(const struct bound_query *query);

/* Rows: name, dtypes (bits), then the members of struct elementwise. */
#define ELEMENTWISE_OP(name_, dtypes_, row_, ...)                                                            \
    {                                                                                                        \
        .family = "elementwise", .name = name_, .operands = {{"input", OPERAND_READ}}, .outputs = 1,         \
        .elementwise = true, .dtypes = dtypes_, .row = row_, .signature = elementwise_signature, __VA_ARGS__ \
    }
#define ELEMENTWISE_FORMULA(name, dtypes, ...)                                                               \
    ELEMENTWISE_OP(name, dtypes, (&(const struct elementwise){.formula = __VA_ARGS__}),                      \
                   .truth = elementwise_truth, .enclose = elementwise_enclose,                               \
                   .certify = elementwise_certify, .sensitivities = elementwise_sensitivities,               \
                   .bound = elementwise_bound, .bounds = elementwise_bounds,                                 \
                   .one_rounding = elementwise_rounds_once, .naive_escapes = elementwise_naive_escapes)
#define ELEMENTWISE_EXACT(name, dtypes, ...)                                                                 \
    ELEMENTWISE_OP(name, dtypes, (&(const struct elementwise){.exact = __VA_ARGS__}),                        \
                   .truth = elementwise_exact, .one_rounding = op_rounds_once, .moves = elementwise_moves,   \
                   .accept = elementwise_accept)

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_PRIMITIVE_ERRORS_H
#define ASSAY_REFERENCE_OPERATOR_PRIMITIVE_ERRORS_H

/* The error classes of the operations that a formula consists of (reference/formula/expression.h), and the
 * primitive error that a profile allows each class. An operation of class c errs by at most of[c] times the
 * number named beside the class. */

#include "reference/operator/profile.h"

enum expression_class {
    EXPRESSION_ARITHMETIC, /* |value|, for + − × and for rounded constants */
    EXPRESSION_RESULT,     /* |value|, for the last operation, whose rounding may be that of the result */
    EXPRESSION_SUM,        /* Σ|terms| */
    EXPRESSION_MEAN,       /* Σ|terms|/n */
    EXPRESSION_DIVISION,   /* |value| */
    EXPRESSION_DIVISOR,    /* 1 where the divisor lies outside the range that the profile specifies */
    EXPRESSION_SQRT,       /* |value|; so for all that follow where nothing else is said */
    EXPRESSION_RSQRT,
    EXPRESSION_EXP,
    EXPRESSION_EXP_ARGUMENT, /* |value|·|argument| */
    EXPRESSION_LOG,          /* outside [1/2, 2] */
    EXPRESSION_LOG_NEAR_ONE, /* on [1/2, 2] */
    EXPRESSION_LOG_ABSOLUTE, /* 1 on [1/2, 2] */
    EXPRESSION_ANGLE,        /* sin, cos */
    EXPRESSION_TAN,          /* tan, atan */
    EXPRESSION_EXPM1,
    EXPRESSION_LOG1P,
    EXPRESSION_TANH,
    EXPRESSION_ERF, /* erf, erfc, erfinv */
    EXPRESSION_POW,
    EXPRESSION_GAMMA,       /* lgamma, digamma */
    EXPRESSION_GAMMA_PARTS, /* their parts by shift and reflection, which cancel near zeros */
    EXPRESSION_UNDERFLOW,   /* 1 for each product, quotient and function */
    EXPRESSION_FLUSH,       /* 1 for each addition, which errs near zero only where subnormals are flushed */
    EXPRESSION_JUMP,        /* |a − b| for a choice c ? a : b that rounding leaves open */
    EXPRESSION_CLASSES
};

struct primitive_errors {
    double of[EXPRESSION_CLASSES];
    double rounded; /* u·|truth| times this covers the last rounding: 1 + 2u */
    bool eta; /* the η that acceptance adds to the result also covers what the last operation loses near
                 zero */
    enum dtype type;                    /* type of intermediates: its range, and the constants that it can
                                           hold */
    double divisor_least, divisor_most; /* the range of divisors for which division is specified */
    bool to_nearest;                    /* an overflow gives an infinity, never the greatest number */
};

/* Returns the primitive errors that a profile allows an operator on `dtype` whose rows have n elements.
 * `exact` is an exactness probe, for which + − × do not err. `h` is the number of roundings that any one of n
 * terms goes through; < 0: as the profile declares. */
struct primitive_errors primitive_errors_of(const struct profile *profile, enum dtype dtype, double n,
                                            double h, bool exact);
/* Returns the greater primitive errors of both, class by class; both must have the same `type`. */
struct primitive_errors primitive_errors_join(const struct primitive_errors *a,
                                              const struct primitive_errors *b);

#endif

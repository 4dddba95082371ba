/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_PRIMITIVE_ERRORS_H
#define ASSAY_REFERENCE_OPERATOR_PRIMITIVE_ERRORS_H

/* The classes of errors of the operations that a formula is made of (reference/formula/expression.h), and
 * what a profile allows each class. An operation of class c errs by at most of[c] times the number that
 * stands beside the class. */

#include "reference/operator/profile.h"

enum expression_class {
    EXPRESSION_ARITHMETIC, /* |value| of + − ×, and of constants that are rounded */
    EXPRESSION_RESULT,     /* the same of the last operation, whose rounding may be that of the result */
    EXPRESSION_SUM,        /* Σ|terms| */
    EXPRESSION_MEAN,       /* Σ|terms|/n */
    EXPRESSION_DIVISION,   /* |value| */
    EXPRESSION_DIVISOR,    /* 1 where the divisor is beyond what the profile specifies */
    EXPRESSION_SQRT,       /* |value|, as of all that follow where nothing else is said */
    EXPRESSION_RSQRT,
    EXPRESSION_EXP,
    EXPRESSION_EXP_ARGUMENT, /* |value|·|argument| */
    EXPRESSION_LOG,          /* beyond [1/2, 2] */
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
    EXPRESSION_GAMMA_PARTS, /* what their parts by shift and reflection may be, which cancel near zeros */
    EXPRESSION_UNDERFLOW,   /* 1 of each product, quotient and function */
    EXPRESSION_FLUSH,       /* 1 of each addition, which errs near zero only where subnormals are flushed */
    EXPRESSION_JUMP,        /* |a − b| of a choice c ? a : b that rounding leaves open */
    EXPRESSION_CLASSES
};

struct primitive_errors {
    double of[EXPRESSION_CLASSES];
    double rounded; /* what u·|truth| lacks of the last rounding: 1 + 2u */
    bool eta; /* η of the result, which acceptance adds, holds what the last operation loses near zero, too */
    enum dtype type;                    /* that intermediates have: its range, and the constants it holds */
    double divisor_least, divisor_most; /* what division is specified for */
    bool to_nearest;                    /* what overflows is infinite, never the greatest number */
};

/* Of a profile, for an operator on `dtype` whose rows have n elements; `exact`: a probe of exactness, + − ×
 * err by nothing. `h`: the roundings that any one of n terms goes through, < 0: as the profile declares. */
struct primitive_errors primitive_errors_of(const struct profile *profile, enum dtype dtype,
                                                      double n, double h, bool exact);
/* The greater of both, class by class; of one type. */
struct primitive_errors primitive_errors_join(const struct primitive_errors *a,
                                                        const struct primitive_errors *b);

#endif

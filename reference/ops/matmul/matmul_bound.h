/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_BOUND_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_BOUND_H

/* Sensitivities of matmul, mv and linear, and the callbacks of struct op (reference/operator/op.h) that
 * compute error bounds and acceptance sets from them; for matmul.c. Derived in matmul_bound.c. */

#include "reference/operator/op.h"

enum {
    TERMS,         /* K */
    MAGNITUDE,     /* (|A||B| + |bias|)_ij */
    SUBNORMAL,     /* the part of MAGNITUDE whose terms have a factor that is subnormal after the cast */
    BIAS,          /* 1 if there is a bias */
    CAST_INFINITE, /* 1 if the cast may overflow a finite factor */
    CAST_OTHER,    /* the most that the sum may change if casts round to the other neighbour */
    ONE_SIGN,      /* 1 if all nonzero terms have the same sign */
    GREATEST,      /* max|A|·max|B| over the finite elements of both matrices */
    HAS_SPECIAL,   /* 1 if either matrix has a NaN or an infinity */
    MATMUL_SENSITIVITIES
};

double matmul_bound(const struct bound_query *query);
double matmul_primitive_error(const struct bound_query *query);
bool matmul_may_overflow(const struct bound_query *query);
void matmul_accept(const struct bound_query *query, struct accept *accept);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_SUM_BOUND_H
#define ASSAY_REFERENCE_OPS_PRODUCT_SUM_PRODUCT_SUM_BOUND_H

/* Sensitivities of sums of products, and the callbacks of struct op (reference/operator/op.h) that compute
 * error bounds and acceptance sets from them. Derived in product_sum_bound.c. */

#include "reference/operator/op.h"

enum {
    TERMS,          /* K, the number of products */
    PADDED,         /* K with the exact zeros that an implementation may add; ≥ TERMS */
    MAGNITUDE,      /* (|A||B| + |bias|)_ij */
    SUBNORMAL,      /* the part of MAGNITUDE whose terms have a factor that is subnormal after the cast */
    BIAS,           /* 1 if there is a bias */
    CAST_INFINITE,  /* 1 if the cast may overflow a finite factor */
    CAST_OTHER,     /* the most that the sum may change if casts round to the other neighbour */
    ONE_SIGN,       /* 1 if all nonzero terms have the same sign */
    GREATEST,       /* max|A|·max|B| over the finite elements of both matrices */
    HAS_SPECIAL,    /* 1 if either matrix has a NaN or an infinity */
    BORDER_SPECIAL, /* 1 if the other factor of an absent term is a NaN or an infinity */
    PLAIN_SUM,      /* 1 if the terms are elements, not products */
    PRODUCT_SUM_SENSITIVITIES
};

double product_sum_bound(const struct bound_query *query);
double product_sum_primitive_error(const struct bound_query *query);
bool product_sum_may_overflow(const struct bound_query *query);
void product_sum_accept(const struct bound_query *query, struct accept *accept);

#endif

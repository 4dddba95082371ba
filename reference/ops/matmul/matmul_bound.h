/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_BOUND_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_BOUND_H

/* Sensitivities of matmul, mv and linear, and what follows from them; for matmul.c. */

#include "reference/operator/op.h"

/* Of each element: K, |A||B| + |bias|, the part of it whose factors are subnormal after the cast, whether
 * there is a bias, whether the cast can make an infinity of a finite factor, what the cast's other
 * neighbours of the factors would change, whether all terms that are not zero have one sign; of the two
 * matrices max|A|·max|B| over what is finite, and whether not all is. */
enum {
    TERMS,
    MAGNITUDE,
    SUBNORMAL,
    BIAS,
    CAST_INFINITE,
    CAST_OTHER,
    ONE_SIGN,
    GREATEST,
    HAS_SPECIAL,
    MATMUL_SENSITIVITIES
};

double matmul_bound(const struct bound_query *query);
double matmul_primitive_error(const struct bound_query *query);
bool matmul_may_overflow(const struct bound_query *query);
void matmul_accept(const struct bound_query *query, struct accept *accept);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_REDUCTION_H
#define ASSAY_REFERENCE_OPERATOR_REDUCTION_H

/* Which elements of a tensor each element of a reduction over some of its dimensions is made of. */

#include "reference/base/tensor.h"

struct reduction {
    int64_t terms, outputs;
    int64_t *term, *base; /* element number = base[output] + term[k] */
};

/* Bit d of `mask`: dimension d is reduced. False when out of memory; clear then as well. */
bool reduction_create(struct reduction *r, const struct shape *shape, unsigned mask);
void reduction_clear(struct reduction *r);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_REDUCTION_H
#define ASSAY_REFERENCE_OPERATOR_REDUCTION_H

/* The elements of a tensor that each element of a reduction over some of its dimensions is computed from. */

#include "reference/base/tensor.h"

struct reduction {
    int64_t terms, outputs;
    int64_t *term, *base; /* element number = base[output] + term[k] */
};

/* Fills the index lists for the reduction of the dimensions whose bit is set in `mask`. Returns false when
 * out of memory; call reduction_clear then too. */
bool reduction_create(struct reduction *r, const struct shape *shape, unsigned mask);
void reduction_clear(struct reduction *r);

#endif

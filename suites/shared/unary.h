/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_UNARY_H
#define ASSAY_SUITES_SHARED_UNARY_H

/* What functions of one number are asked with: where they are defined, and where something happens. */

#include "suites/build.h"

struct unary {
    const char *name;
    bool positive;      /* defined for positive numbers alone */
    double least, most; /* where the result is an ordinary number; in the narrow formats less */
    double turn[8];     /* numbers at and about which an implementation may change its form; ended by 0 */
};

/* NULL: no operator of the kit (reference/ops/unary.c). */
const struct unary *unary_named(const char *name);
int unary_count(void);
const struct unary *unary_at(int index);

/* Fills with full significands: signs and exponents from 2^-4 to 2^4, positive where the function asks it. */
void unary_fill(struct builder *b, const struct unary *unary, const struct view *x);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORMS_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_TEST_FORMS_H

/* The bench of algebraic forms: each table lists, for one operator and one choice of its attributes, the
 * formulas by which programs compute it. A formula is evaluated in the arithmetic of a dtype by correctly
 * rounded operations, once as it is written and once with every product that an addition follows contracted
 * into a fused multiply-add, and every result is judged by the operator's own acceptance set under a strict
 * profile (round to nearest, subnormals kept, a C library's primitives).
 * docs/explanation/families/elementwise-forms.md and docs/explanation/families/loss-forms.md say who computes
 * each form. */

#include "reference/ops/elementwise/elementwise.h"

#include <stddef.h>

enum form_status {
    FORM_LEGAL, /* No result may be refused. */
    FORM_NAIVE, /* An intermediate leaves the range of the dtype where the result does not. No other result
                   may be refused, and under a profile with naive intermediates those are findings of class
                   RANGE. */
    FORM_OVERFLOWS,  /* As FORM_NAIVE, but such a result is a failure under every profile. */
    FORM_DOCUMENTED, /* Refused by default, legal under a profile whose `documented` names the operator. */
    FORM_REFUSED     /* Some result must be refused under every profile. */
};

/* The numbers that an operand takes. */
enum form_domain {
    DOMAIN_ANY,
    DOMAIN_UNIT,        /* [0, 1] */
    DOMAIN_SIGNED_UNIT, /* [−1, 1] */
    DOMAIN_POSITIVE,    /* ≥ 0 */
    DOMAIN_ABOVE_ONE,   /* ≥ 1 */
    DOMAIN_INSIDE,      /* [2^-20, 1 − 2^-8] */
    DOMAIN_LOGARITHM,   /* (−60, 0] */
    DOMAIN_BELOW_END,   /* at most a quarter of the greatest number, and infinities: next to it, rounding
                           decides whether a difference leaves the range, and the form gives no bound there */
    DOMAIN_MODERATE,    /* (−1024, 1024) and infinities */
    DOMAIN_WEIGHT,      /* [0, 1024) and +inf */
    DOMAIN_ONE          /* 1: as if the operand were left out */
};

enum { FORMS_MOST = 8, FORM_OPERANDS = 5 };

struct forms {
    const char *op;
    const char *attributes;                 /* "alpha=1.7 reduction=none"; NULL: none */
    enum form_domain domain[FORM_OPERANDS]; /* of each operand */
    enum elementwise_views views; /* VIEWS_HALVES: x and y are the halves of the last operand, and half is 1
                                     where the gradient of y is computed; VIEWS_CHANNELS: y is the weight */
    struct form {
        enum form_status status;
        const char *formula; /* by expression.h; operands are grad, x, y, z, pos_weight, and half */
    } form[FORMS_MOST];      /* a NULL formula ends them */
};

/* Judges every form of a table at `each` inputs of each of ten kinds and each floating dtype. */
void forms_judge(const struct forms *table, size_t count, int each);

#endif

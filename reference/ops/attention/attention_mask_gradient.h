/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_MASK_GRADIENT_H
#define ASSAY_REFERENCE_OPS_ATTENTION_ATTENTION_MASK_GRADIENT_H

/* The gradient of a mask of numbers: dS, summed over the scores that an element of the mask is added to. */

#include "reference/ops/attention/attention_sums.h"

struct attention_mask_gradient {
    const struct attention *a;
    struct truth *truth;
    int64_t elements, each;      /* of the mask; scores that each is added to. elements = 0: no gradient */
    double *term;                /* elements × each: dS */
    int64_t *count;              /* terms so far */
    double *sum;                 /* elements × TERMS */
    struct attention_group most; /* what the sensitivities take of all groups */
};

/* Returns false when out of memory; must be cleared in either case. Does nothing if the truth has no such
 * output. */
bool attention_mask_gradient_create(struct attention_mask_gradient *m, const struct attention *a,
                                    struct truth *truth);
void attention_mask_gradient_clear(struct attention_mask_gradient *m);

/* Adds the scores of a computed group. */
void attention_mask_gradient_add(struct attention_mask_gradient *m, const struct attention_group *g);

/* Fills the output after all groups were added. */
bool attention_mask_gradient_fill(struct attention_mask_gradient *m, struct attention_gradient_exact *exact,
                                  bool certain, struct error *error);

bool attention_mask_gradient_certify(struct attention_gradient_exact *exact, struct truth *truth,
                                     int64_t element, struct error *error);

#endif

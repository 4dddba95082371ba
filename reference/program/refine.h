/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_REFINE_H
#define ASSAY_REFERENCE_PROGRAM_REFINE_H

/* Certify the decision, not the digits: a value within a radius (struct truth_output) is as good as the truth
 * while no question that is asked of it turns on where in there the truth lies.
 *
 * An element is decided once
 *
 *   - RN(value − radius) and RN(value + radius) are the same number of its dtype, and
 *   - radius ≤ 2^-10·max(|got − value|, ulp), and radius ≤ 2^-10·limit, for its least limit, B or Q;
 *   - the error is not so near either limit that the radius, four times over, or 2^-9 of it reaches there:
 *     whichever is less;
 *
 * or once the truth lies with its radius beyond twice the greatest number of its dtype and the result is
 * none. Else it is certified from the operands. What came of that belongs to this result alone, and goes into
 * no cache: cold, warm and another backend first give equal records. One thread at a time. */

#include "reference/program/slices.h"

#include <pthread.h>

/* The operands of one step of a program, gathered once an element needs them; or a call. */
struct refine {
    const struct program *program; /* NULL: it is about a call */
    const struct program_truth *of;
    int step;            /* of the program, in hand */
    struct truth *truth; /* its truth, or the slice of it in hand, whose values it changes; NULL: none */
    struct op_call call;
    bool gathered;
    pthread_mutex_t *lock; /* of a truth that several threads certify elements of; NULL: one thread */
    struct tensor input[OPERANDS_MAX], flushed[OPERANDS_MAX];
};

void refine_open(struct refine *refine, const struct program *program, const struct program_truth *truth);
/* The same about a call, asked with `enclosed`, and its truth, both borrowed. */
void refine_open_call(struct refine *refine, const struct op_call *call, struct truth *truth);
void refine_close(struct refine *refine);

/* Around what several threads must not do at once. */
void refine_lock(struct refine *refine);
void refine_unlock(struct refine *refine);

/* To be called once another step or slice is in hand; step 0 is at the start. */
void refine_seek(struct refine *refine, int step);

/* Whether elements of a judged tensor may be undecided at all. */
bool refine_concerns(const struct refine *refine, int output);

/* One element as it is judged: a query of this truth and what came of it; `got`: bytes of its dtype. */
struct refine_view {
    const struct bound_query *query;
    const void *got;
    const struct accept *accept;
    const struct envelope_limit *limit;
    double error_over_bound; /* of accept_judge */
};

/* Certifies the element where that leaves it undecided; *certified then, and it is to be judged again. */
bool refine_element(struct refine *refine, const struct refine_view *view, bool *certified,
                    struct error *error);

/* Certifies an element whose radius is more than `most`, unless that is costly: as struct op says, or of
 * 4,096 numbers or more for each element of the result; *certified then. */
bool refine_within(struct refine *refine, int output, int64_t element, double most, bool *certified,
                   struct error *error);

/* Certifies an element that is about to be shown, unless that is costly (struct op): it then has as many
 * digits as its radius leaves certain. */
bool refine_certify(struct refine *refine, int output, int64_t element, struct error *error);

/* Certified relative bits of elements [first, end) of a judged tensor as they now are, and of what has no
 * radius in the whole truth: the least over all that are not exact; INT_MAX when all are. */
int refine_bits(const struct truth *truth, int output, int64_t first, int64_t end);

/* A number has at least as many where it is this many times its radius or more; infinite where there are none
 * to have. */
double refine_bits_scale(int bits);

#endif

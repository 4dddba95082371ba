/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_REFINE_H
#define ASSAY_REFERENCE_PROGRAM_REFINE_H

/* Refinement on demand (Ziv's test): a value within a radius (struct truth_output) is as good as the
 * certified truth while the verdict does not depend on where within the radius the truth lies. refine_element
 * certifies an element only where its verdict needs it.
 *
 * An element is decided if
 *
 *   - RN(value − radius) and RN(value + radius) are the same number of its dtype, and
 *   - radius ≤ 2^-10·max(|got − value|, ulp), and radius ≤ 2^-10 times its least bound, B or Q, and
 *   - the error over bound differs from 1, for B and for Q, by more than the lesser of 2^-9 and four times
 * the radius over the least bound;
 *
 * or if every number within the radius lies beyond twice the greatest number of its dtype and the result is
 * not finite. Otherwise the element is certified from the operands. A certified value belongs to this result
 * alone and enters no cache, so that cold and warm caches and any order of backends give equal records. Each
 * thread needs its own struct refine; `lock` protects a truth that several of them change. */

#include "reference/program/slices.h"

#include <pthread.h>

/* The state of refinement for one program or one call. The operands of the current step are gathered when the
 * first element needs them. */
struct refine {
    const struct program *program; /* NULL: the truth belongs to a call */
    const struct program_truth *of;
    int step;            /* the current step */
    struct truth *truth; /* the truth of the step, or its current slice, whose values refinement changes;
                            NULL: none */
    struct op_call call;
    bool gathered;
    pthread_mutex_t *lock; /* locks a truth of which several threads certify elements; NULL: one thread */
    struct tensor input[OPERANDS_MAX], flushed[OPERANDS_MAX];
};

void refine_open(struct refine *refine, const struct program *program, const struct program_truth *truth);
/* Opens refinement for a call, made with `enclosed`, and its truth. Both stay the caller's and must outlive
 * the struct. */
void refine_open_call(struct refine *refine, const struct op_call *call, struct truth *truth);
void refine_close(struct refine *refine);

/* Lock and unlock what several threads must not do at once; they do nothing without `lock`. */
void refine_lock(struct refine *refine);
void refine_unlock(struct refine *refine);

/* Moves to another step, or to the slice that truth_slices has moved to. refine_open starts at step 0. */
void refine_seek(struct refine *refine, int step);

/* Returns whether elements of a judged tensor can be undecided: the truth, or that of flushed operands, has
 * radii. */
bool refine_concerns(const struct refine *refine, int output);

/* One judged element: the query of this truth, the result (`got`, in the bytes of its dtype) and its verdict.
 */
struct refine_view {
    const struct bound_query *query;
    const void *got;
    const struct accept *accept;
    const struct envelope_limit *limit;
    double error_over_bound; /* as accept_judge returned it */
};

/* Certifies the element if the verdict leaves it undecided. *certified says whether it did; the element must
 * then be judged again. Returns false with the reason. */
bool refine_element(struct refine *refine, const struct refine_view *view, bool *certified,
                    struct error *error);

/* Certifies an element whose radius is more than `most`, unless that is costly: because struct op says so, or
 * because an operand has 4,096 elements or more for each element of the result. *certified says whether it
 * did. */
bool refine_within(struct refine *refine, int output, int64_t element, double most, bool *certified,
                   struct error *error);

/* Certifies an element that is about to be shown, unless that is costly (refine_within). A costly one has as
 * many digits as its radius leaves certain. */
bool refine_certify(struct refine *refine, int output, int64_t element, struct error *error);

/* Returns the least number of certified relative bits over elements [first, end) of a judged tensor as they
 * are now and over the values without radius of the whole truth; INT_MAX if all are exact. */
int refine_bits(const struct truth *truth, int output, int64_t first, int64_t end);

/* Returns the factor f such that a number has at least `bits` certified bits where it is at least f times its
 * radius; infinity for 1000 bits or more. */
double refine_bits_scale(int bits);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_EVIDENCE_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_EVIDENCE_H

/* What the judged tensors of a case prove beyond the acceptance of each element: the envelope's statistics
 * (docs/explanation/envelope.md), the wrong classes that the error bounds exclude, and the resolution.
 *
 *   T  root mean square of max(0, |error| − N)/S over the elements of a tensor
 *   G  |Σ c/S_c²|/sqrt(Σ 1/S_c²) over groups, c = ⟨e, t⟩/⟨t, t⟩ the common scale error of a group, with N
 *      taken off e
 *
 * The *resolution* is the least |δ| for which RN(truth·(1 + δ)) in place of the whole tensor would fail, by
 * B, or by Q, T or G if the envelope may fail the case; infinity if none would.
 *
 * A *wrong class* is −truth, 2·truth, zeros (truth + 1 if all truths are zero) or a determinant of the other
 * sign, in every element of a tensor. A case whose error bounds accept one proves nothing.
 *
 * For each tensor: evidence_open, then evidence_add for each element and evidence_end_slice after each slice,
 * then evidence_measure and evidence_accepts_class. */

#include "reference/operator/op.h"

#include <math.h>

enum { EVIDENCE_T_LIMIT = 4, EVIDENCE_G_LIMIT = 6, EVIDENCE_LEAST_GROUPS = 16 };

enum wrong_class { WRONG_NEGATED, WRONG_DOUBLED, WRONG_ZEROS, WRONG_SIGN, WRONG_ONE_MORE, WRONG_CLASSES };

/* The sums of T and G, in evidence_sums.c. */
struct evidence_sums {
    int64_t count, groups;      /* elements and groups that are in the sums */
    double square;              /* T²·count */
    double along, weight;       /* Σ c/S_c², Σ 1/S_c² */
    struct evidence_step *step; /* T and G of truth·(1 + δ), to be found later; NULL: they fail nothing */
};
bool evidence_sums_open(struct evidence_sums *sums, bool may_fail);
void evidence_sums_close(struct evidence_sums *sums);
void evidence_sums_merge(struct evidence_sums *to, const struct evidence_sums *from);

/* The evidence of one judged tensor. */
struct evidence {
    bool may_fail; /* random data under a profile that declares round to nearest */
    enum dtype dtype;
    struct evidence_sums sums;

    /* The current slice: */
    int64_t capacity, count;                  /* room; elements that an envelope decides */
    double *truth, *error, *spread, *certain; /* of each: truth, signed error, S, N */
    int64_t *group;
    double *group_spread;

    double greatest_q;                      /* greatest |error|/Q */
    int64_t greatest_at;                    /* its element; −1: none */
    double limit_resolution;                /* resolution by B and Q alone */
    int64_t elements, tried[WRONG_CLASSES]; /* of the tensor; on which a wrong class was tried */
    bool excluded[WRONG_CLASSES];
    double class_square[WRONG_CLASSES]; /* Σ (max(0, |wrong − t| − N)/S)² of a class that is not excluded */
};

/* `capacity`: elements of the largest slice. False if out of memory; evidence_close must be called in either
 * case. */
bool evidence_open(struct evidence *evidence, int64_t capacity, enum dtype dtype, bool may_fail);
void evidence_close(struct evidence *evidence);

/* --- parts of evidence_add, for the batch judge (bounded.h) */

/* The resolution by B and Q so far, raised by a factor 1 + 2^-40 against rounding in the comparison, at most
 * 2^1000. An element that resolves no less cannot lower the resolution and needs no evidence_resolve. */
static inline double evidence_known(const struct evidence *e)
{
    return (1 + 0x1p-40) * (e->limit_resolution < 0x1p1000 ? e->limit_resolution : 0x1p1000);
}

/* True if an element of this truth with error bound `limit` certainly resolves no less than evidence_known.
 * u: the unit roundoff of the dtype. */
static inline bool evidence_is_resolved(const struct evidence *e, double u, double truth, double limit)
{
    double half = u * (fabs(truth) + limit); /* no less than half a spacing there */
    return !(limit < INFINITY) | (limit - half >= evidence_known(e) * fabs(truth));
}

/* evidence_resolve lowers the resolution to that of an element with this truth, a number that is not 0.
 * evidence_keep stores an element for T and G. */
void evidence_resolve(struct evidence *evidence, double truth, double limit);
void evidence_keep(struct evidence *evidence, double truth, double error, const struct envelope_limit *limit);

/* --- whole elements */

/* Adds one element: its acceptance set, its envelope and the result. Returns |error|/Q; infinity if a special
 * value or sign differs that rounding cannot change; 0 if no envelope decides. */
double evidence_add(struct evidence *evidence, const struct bound_query *query, const struct accept *accept,
                    const struct envelope_limit *limit, const void *got);

/* To be called after the last element of a slice; no group lies in two slices. False if out of memory. */
bool evidence_end_slice(struct evidence *evidence);

/* Adds the ended slices of another part of the same tensor. */
void evidence_merge(struct evidence *to, const struct evidence *from);

/* True if the element has an envelope and its N does not exceed B, or class and sign of the truth are
 * certain. */
bool evidence_decides(const struct accept *accept, const struct envelope_limit *limit);

/* got − truth, of finite numbers. The truth of flushed operands is used if it is nearer and the profile may
 * flush. */
double evidence_error(const struct bound_query *query, double got);

/* |error|/Q of one number, as evidence_add returns it. *error is got − truth, 0 if either is not finite. */
double evidence_beyond(const struct bound_query *query, const struct envelope_limit *limit, double got,
                       double *error);

/* True if the element's error bounds refuse `got`: by B, or by Q if may_fail and the envelope decides. *error
 * is as in evidence_beyond, and 0 if the envelope does not decide. */
bool evidence_refuses(const struct bound_query *query, const struct accept *accept,
                      const struct envelope_limit *limit, bool may_fail, const void *got, double *error);

/* The greatest distance from the truth at which B accepts a number; infinity if it refuses none on one side.
 */
double evidence_reach(const struct accept *accept);

/* --- once all slices are ended */

struct evidence_statistics {
    double t, g;              /* 0 if nothing was measured */
    int64_t elements, groups; /* that are in T, and in G */
    double resolution;
};
void evidence_measure(const struct evidence *evidence, struct evidence_statistics *s);

/* The name of a wrong class that would pass as the whole tensor, a static text; NULL if none would. */
const char *evidence_accepts_class(const struct evidence *evidence);

/* Copies `accept`, narrowed to an envelope that decides: only results within min(B, Q) of the truth remain.
 * The resolving power is computed from it. */
void evidence_narrow(struct accept *narrow, const struct accept *accept, const struct envelope_limit *limit);

#endif

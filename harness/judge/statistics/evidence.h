/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_STATISTICS_EVIDENCE_H
#define ASSAY_HARNESS_JUDGE_STATISTICS_EVIDENCE_H

/* What the judged tensors of a case prove, beside each element's acceptance: the envelope's statistics
 * (docs/explanation/envelope.md), the wrong classes that the limits exclude, and what the case resolves.
 *
 *   T  root mean square of max(0, |error| − N)/S over the elements of a tensor
 *   G  |Σ c/S_c²|/sqrt(Σ 1/S_c²) over groups, c = ⟨e, t⟩/⟨t, t⟩ the common scale error of a group, with N
 *      taken off e
 *
 * The *resolution* is the least |δ| for which RN(truth·(1 + δ)) in place of the whole tensor would fail, by
 * B, or by Q, T or G where the envelope may fail the case; infinity where none would.
 *
 * A *wrong class* is −truth, 2·truth, zeros (truth + 1 where all truths are zero), or a determinant's other
 * sign, in every element of a tensor: a case whose limits would accept one is evidence of nothing. */

#include "reference/operator/op.h"

#include <math.h>

enum { EVIDENCE_T_LIMIT = 4, EVIDENCE_G_LIMIT = 6, EVIDENCE_LEAST_GROUPS = 16 };

enum wrong_class { WRONG_NEGATED, WRONG_DOUBLED, WRONG_ZEROS, WRONG_SIGN, WRONG_ONE_MORE, WRONG_CLASSES };

/* T and G so far, in evidence_sums.c. */
struct evidence_sums {
    int64_t count, groups;      /* elements and groups that took part */
    double square;              /* T²·count */
    double along, weight;       /* Σ c/S_c², Σ 1/S_c² */
    struct evidence_step *step; /* what T and G of truth·(1 + δ) would be; NULL: they fail nothing */
};
bool evidence_sums_open(struct evidence_sums *sums, bool may_fail);
void evidence_sums_close(struct evidence_sums *sums);
void evidence_sums_merge(struct evidence_sums *to, const struct evidence_sums *from);

/* One judged tensor, from its first element to its last. */
struct evidence {
    bool may_fail; /* random data under a profile that declares round to nearest */
    enum dtype dtype;
    struct evidence_sums sums;

    /* The slice in hand: */
    int64_t capacity, count;                  /* elements that an envelope decides */
    double *truth, *error, *spread, *certain; /* |t|, signed error; S, N: of each of them */
    int64_t *group;
    double *group_spread;

    double greatest_q;                      /* |error|/Q */
    int64_t greatest_at;                    /* element of it */
    double limit_resolution;                /* by B and Q */
    int64_t elements, tried[WRONG_CLASSES]; /* of the tensor; that a wrong class was tried on */
    bool excluded[WRONG_CLASSES];
    double class_square[WRONG_CLASSES]; /* Σ (max(0, |wrong − t| − N)/S)² while it is not excluded */
};

/* `capacity`: elements of the greatest slice. False when out of memory; close then as well. */
bool evidence_open(struct evidence *evidence, int64_t capacity, enum dtype dtype, bool may_fail);
void evidence_close(struct evidence *evidence);

/* --- parts of evidence_add, for who knows the rest (bounded.h) */

/* What the tensor resolves so far, with room for whatever rounds in asking: nothing that resolves more needs
 * evidence_resolve, nor does anything beyond 2^1000. */
static inline double evidence_known(const struct evidence *e)
{
    return (1 + 0x1p-40) * (e->limit_resolution < 0x1p1000 ? e->limit_resolution : 0x1p1000);
}

/* Whether an element of this truth, held to within `limit`, resolves no less for sure; u: the unit roundoff
 * of the dtype. */
static inline bool evidence_is_resolved(const struct evidence *e, double u, double truth, double limit)
{
    double half = u * (fabs(truth) + limit); /* of a spacing there, at most */
    return !(limit < INFINITY) | (limit - half >= evidence_known(e) * fabs(truth));
}

/* What resolves an element of this truth, a number that is not 0; and its part in T and G. */
void evidence_resolve(struct evidence *evidence, double truth, double limit);
void evidence_keep(struct evidence *evidence, double truth, double error, const struct envelope_limit *limit);

/* --- whole elements */

/* One element: its acceptance set, what came back, and its envelope. Returns |error|/Q, infinity where a
 * special value or sign differs that rounding cannot change, 0 where no envelope decides. */
double evidence_add(struct evidence *evidence, const struct bound_query *query, const struct accept *accept,
                    const struct envelope_limit *limit, const void *got);

/* Behind the last element of a slice, to which its groups belong as a whole. False when out of memory. */
bool evidence_end_slice(struct evidence *evidence);

/* Adds ended slices of the same tensor. */
void evidence_merge(struct evidence *to, const struct evidence *from);

/* Whether the envelope says anything of an element: not where N alone exceeds B. */
bool evidence_decides(const struct accept *accept, const struct envelope_limit *limit);

/* got − truth, of finite ones: from the truth of flushed operands where that is nearer and may be. */
double evidence_error(const struct bound_query *query, double got);

/* |error|/Q of one number, as evidence_add returns it; *error: 0 where either is not finite. */
double evidence_beyond(const struct bound_query *query, const struct envelope_limit *limit, double got,
                       double *error);

/* Whether the limits of one element refuse `got` in its place: B does, or Q where the envelope decides and
 * may_fail. *error: as evidence_beyond gives it, 0 where the envelope does not decide. */
bool evidence_refuses(const struct bound_query *query, const struct accept *accept,
                      const struct envelope_limit *limit, bool may_fail, const void *got, double *error);

/* The greatest distance from the truth that B accepts of a number; infinity where none is refused. */
double evidence_reach(const struct accept *accept);

/* --- once all slices are ended */

struct evidence_statistics {
    double t, g;              /* 0 where nothing was measured */
    int64_t elements, groups; /* that took part */
    double resolution;
};
void evidence_measure(const struct evidence *evidence, struct evidence_statistics *s);

/* The name of a wrong class that would pass as the whole tensor; NULL when none would. */
const char *evidence_accepts_class(const struct evidence *evidence);

/* `accept` narrowed to an envelope that decides, for the resolving power: nothing but min(B, Q) around the
 * truth. */
void evidence_narrow(struct accept *narrow, const struct accept *accept, const struct envelope_limit *limit);

#endif

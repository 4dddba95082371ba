/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_WRONG_ELEMENTS_H
#define ASSAY_HARNESS_BENCH_WRONG_ELEMENTS_H

/* Which single wrong elements the judge accepts: those of wrong_answer.h, for every element of a judged case
 * whose truth is finite and rounds to a number other than zero. The limit in force is B, or min(B, Q) where
 * the envelope may fail the case.
 *
 * An answer is *taken* where the limits of the element, B and Q, do not refuse it (evidence_refuses). It is a
 * *hole* where, in addition, the case is not vacuous, and the judge does not fail the case with that one
 * element in place of the computed one (T, G, the bias and `verify` can still fail it). */

#include "harness/bench/wrong_answer.h"
#include "harness/judge/case.h"

/* Why an answer is accepted. */
enum opening {
    OPENING_UNLIMITED, /* B is infinite: an intermediate of a legal form may leave the range */
    OPENING_ANOTHER,   /* it is farther from the truth than B: another result is right as well (flushed
                          operands, an operator's own set), or everything on one side is */
    OPENING_SUBNORMAL, /* |truth| is below 4 times the least normal number, where underflow counts */
    OPENING_SMALL, /* |truth| is below a tenth of what limits are compared with in the tensor: cancellation */
    OPENING_WIDE,  /* none of these: the limit is as wide as the truth is large */
    OPENINGS
};

const char *opening_name(enum opening opening);

enum { WRONG_EXAMPLE = 192 };

/* Elements of which one mistake was tried. */
struct mistake_counts {
    int64_t tried, taken, in_vacuous, holes; /* taken: in all cases; in_vacuous: of these in vacuous ones */
};

/* The holes that one opening leaves. */
struct opening_counts {
    int64_t holes;
    double least, most;          /* |truth| of these */
    double relative;             /* greatest |truth| over the greatest of its tensor */
    double limit;                /* greatest limit in force over |truth| */
    char example[WRONG_EXAMPLE]; /* the case and the element of `relative` */
};

/* What was seen of one operator in one dtype; zeroed before the first case. */
struct wrong_elements {
    int cases, vacuous; /* with elements that mistakes were tried on; of these vacuous ones */
    int mostly;   /* that are not vacuous, though more than half of their elements would be taken as zeros */
    int unjudged; /* cases that failed or had no answer, which count nowhere else */
    int64_t elements, in_vacuous; /* that mistakes were tried on; of these in vacuous cases */
    struct mistake_counts mistake[MISTAKES];
    struct opening_counts opening[OPENINGS];
};

/* The CPU backend computes, and its results are judged under the profile that another backend declares. */
struct wrong_backend {
    struct backend_class class;
    struct backend *backend;
};

/* `name`: as --backend takes it. To be closed also where it failed. */
bool wrong_backend_open(struct wrong_backend *backend, const char *name, struct error *error);
void wrong_backend_close(struct wrong_backend *backend);

/* Adds one case with `seed`. Of each judged tensor of the operator on random data at most `most` elements are
 * tried, evenly spread; `any`: on any data. False with the reason where memory is short. */
bool wrong_elements_add(struct wrong_elements *to, const struct suite_case *c, const char *id, uint64_t seed,
                        bool any, int most, const struct wrong_backend *backend, struct error *error);

#endif

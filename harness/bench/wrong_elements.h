/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_WRONG_ELEMENTS_H
#define ASSAY_HARNESS_BENCH_WRONG_ELEMENTS_H

/* Finds single wrong elements that the judge accepts: those of wrong_answer.h, for every element of a judged
 * case whose truth is finite and rounds to a number other than zero. The error bound in force is B, or min(B,
 * Q) where the envelope may fail the case.
 *
 * A wrong answer is *taken* if the element's bounds B and Q do not refuse it (evidence_refuses). It is a
 * *hole* if in addition the case is not vacuous and the judge does not fail the case with this one element
 * replaced (T, G, the bias and `verify` can still fail it). */

#include "harness/bench/wrong_answer.h"
#include "harness/judge/case.h"

/* Why a wrong answer is accepted. */
enum opening {
    OPENING_UNLIMITED, /* B is infinite: an intermediate of a legal form may leave the range */
    /* the answer is farther from the truth than B: another result is legal as well (flushed operands, a set
     * of the operator's own), or everything on one side is */
    OPENING_ANOTHER,
    OPENING_SUBNORMAL, /* |truth| is below 4 times the least normal number, where underflow counts */
    OPENING_SMALL,     /* |truth| is below a tenth of the tensor's scale: cancellation */
    OPENING_WIDE,      /* none of these: the error bound is as wide as the truth is large */
    OPENINGS
};

const char *opening_name(enum opening opening);

enum { WRONG_EXAMPLE = 192 };

/* Counts of elements on which one mistake was tried. */
struct mistake_counts {
    /* taken: in all cases; in_vacuous: those of them in vacuous cases */
    int64_t tried, taken, in_vacuous, holes;
};

/* The holes with one cause. */
struct opening_counts {
    int64_t holes;
    double least, most;          /* range of |truth| of these holes */
    double relative;             /* greatest |truth| over its tensor's scale */
    double limit;                /* greatest error bound in force over |truth| */
    char example[WRONG_EXAMPLE]; /* case and element with that `relative` */
};

/* The counts of one operator and dtype; zero it before the first case. */
struct wrong_elements {
    int cases, vacuous; /* cases with tried elements, and the vacuous ones among them */
    /* cases that are not vacuous although more than half of their elements would be accepted as zeros */
    int mostly;
    int unjudged;                 /* cases that failed or had no answer; they count nowhere else */
    int64_t elements, in_vacuous; /* tried elements, and those of them in vacuous cases */
    struct mistake_counts mistake[MISTAKES];
    struct opening_counts opening[OPENINGS];
};

/* A backend whose declared profile is the one under which the results of the CPU backend are judged. */
struct wrong_backend {
    struct backend_class class;
    struct backend *backend;
};

/* Opens the backend. `name`: as --backend takes it. Close it in either case. */
bool wrong_backend_open(struct wrong_backend *backend, const char *name, struct error *error);
void wrong_backend_close(struct wrong_backend *backend);

/* Adds one case with this seed. Tries at most `most` elements, evenly spread, of each judged tensor of the
 * operator on random data (`any`: on any data). Returns false with the reason where memory runs out. */
bool wrong_elements_add(struct wrong_elements *to, const struct suite_case *c, const char *id, uint64_t seed,
                        bool any, int most, const struct wrong_backend *backend, struct error *error);

#endif

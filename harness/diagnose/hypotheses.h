/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_H
#define ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_H

/* Why a wrong result is wrong: each hypothesis is a truth of its own, either the reference's on changed
 * operands or attributes (rounded to TF32, misread, ε in float32, …) or the truth transformed (negated,
 * scaled, its rows permuted, …).
 *
 * A hypothesis *explains* the result iff every element lies within its limits, B and where the envelope
 * decides Q, T is at most 4, and an element that the truth refuses is at least four of these limits away from
 * the truth (or a T above 4 falls to a quarter): a limit so wide that it holds nearly anything explains
 * nothing. Among several the one of the smallest T counts, where everything up to T = 1 is alike; of equals
 * the simplest, which is tried first.
 *
 * Pure functions of their arguments but for the clock, which ends the search. */

#include "harness/judge/memory/images.h"
#include "reference/operator/op.h"

/* One call and what came of it. */
struct hypothesis_case {
    const struct op_call *call; /* the inputs as before the call */
    const struct truth *truth;
    const struct profile *profile; /* as it holds for the operator */
    const struct tensor *got;      /* the judged tensors */
    const struct tensor *before;   /* what their memory held before the call */
    const struct tensor *packed;   /* inputs as they would be if strides were ignored: no data where
                                      there are none to ignore; NULL: none of them */
    double seconds;                /* when to stop trying; 0: never */
    void (*progress)(void *user);  /* before each recomputation; may be NULL */
    void *user;
};

struct hypothesis {
    char name[NAME_MOST + 16]; /* "operands-tf32", "ATTRIBUTE-FORMAT"; empty: not explained */
    char text[200];            /* what happened, a clause: "the operands were rounded to TF32" */
    char also[240];            /* names of others that explain it as well, "a, b"; may be empty, ends with
                                  "…" where there are more than it holds */
    double t;                  /* root mean square of max(0, |error| − N)/S; 0 where there is no envelope */
    bool wrong;                /* there was something to explain */
    bool cut;                  /* time was up before all were tried */
};

/* Looks for one. False when out of memory. */
bool hypotheses_explain(const struct hypothesis_case *of, struct hypothesis *best);

/* The same of a program of one step, for 20 seconds; of several steps, and of an operator with a `verify` of
 * its own, nothing is found. `images`: what run 0 left. */
enum { HYPOTHESES_MOST = 1 << 22 }; /* elements of a truth in slices that is made whole; more are not tried */
bool hypotheses_of_program(const struct program *program, struct program_truth *truth,
                           const struct images *images, const struct profile *profile,
                           void (*progress)(void *user), void *user, struct hypothesis *best);

#endif

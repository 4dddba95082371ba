/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_H
#define ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_H

/* Diagnosis: names the likely cause of a wrong result. A hypothesis is a truth of its own: the reference's
 * truth of changed operands or attributes (rounded to TF32, misread, ε in float32, …) or the truth
 * transformed (negated, scaled, its rows permuted, …).
 *
 * A hypothesis *explains* the result iff three things hold. Every element lies within its error bounds, B,
 * and Q if the envelope decides. Its T is at most 4. It is sharp: some element that the truth refuses lies at
 * least four of these bounds away from the truth, or a T above 4 falls to a quarter; a bound so wide that it
 * accepts nearly anything explains nothing. Of several the one with the smallest T wins, where all T ≤ 1 are
 * equal; of equals the simplest, which is tried first.
 *
 * The functions depend on their arguments alone, and on the clock, which ends the search. */

#include "harness/judge/memory/images.h"
#include "reference/operator/op.h"

/* One call and its result. */
struct hypothesis_case {
    const struct op_call *call; /* its inputs are those before the call */
    const struct truth *truth;
    const struct profile *profile; /* as it holds for the operator */
    const struct tensor *got;      /* the judged tensors */
    const struct tensor *before;   /* the contents of their memory before the call */
    const struct tensor *packed;   /* the inputs as they are read if strides are ignored, without data where
                                      they have no strides to ignore; NULL: not available */
    double seconds;                /* the time limit of the search; 0: none */
    void (*progress)(void *user);  /* called before each recomputation; may be NULL */
    void *user;
};

struct hypothesis {
    char name[NAME_MOST + 16]; /* "operands-tf32", "ATTRIBUTE-FORMAT"; empty: not explained */
    char text[200];            /* what happened, as a clause: "the operands were rounded to TF32" */
    char also[240]; /* names of other hypotheses that explain the result: "a, b"; may be empty, ends with "…"
                       if not all have room */
    double t;       /* T of the result under the hypothesis; 0 if there is no envelope */
    bool wrong;     /* the result is wrong, so that there is something to explain */
    int64_t undefined;    /* number of elements that are converted from beyond the range of the target type */
    int64_t undefined_at; /* the first of them */
    bool cut;             /* time ended, or the truth was too large, before all hypotheses were tried */
};

/* Searches for the best hypothesis. False if out of memory. */
bool hypotheses_explain(const struct hypothesis_case *of, struct hypothesis *best);

/* The same for the only step of a program, or for one of a program with observed steps, with a time limit of
 * 20 seconds. It finds nothing for step −1, for a step of another chain, or for an operator with a `verify`
 * of its own. `images` are those that run 0 left. */
enum { HYPOTHESES_MOST = 1 << 22 }; /* elements; of a larger truth in slices no hypothesis is tried */
bool hypotheses_of_program(const struct program *program, struct program_truth *truth,
                           const struct images *images, const struct profile *profile, int step,
                           void (*progress)(void *user), void *user, struct hypothesis *best);

/* Returns the step of a program that a record names as the first wrong one; that of a program of one step is
 * step 0. −1: none. */
int hypotheses_step(const struct program *program, const char *wrong_step);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_LEGAL_H
#define ASSAY_HARNESS_JUDGE_TEST_LEGAL_H

/* Legal implementations of the operators of suites/problems.h. They are written from the definitions and
 * share nothing with the reference or the CPU backend: every intermediate is rounded to the accumulating
 * type, and sums are taken in the order that a form names. */

#include "reference/base/philox.h"
#include "reference/program/program.h"

/* An order of summation. Statistics and eliminations follow it as their files say. */
enum legal_form {
    LEGAL_SEQUENTIAL,
    LEGAL_REVERSED,
    LEGAL_PERMUTED,
    LEGAL_PAIRWISE,
    LEGAL_BLOCKED_32,
    LEGAL_BLOCKED_1024,
    LEGAL_LANES, /* eight running sums */
    LEGAL_FUSED, /* multiply-adds */
    LEGAL_KAHAN,
    LEGAL_FORMS
};

struct legal {
    enum legal_form form;
    enum dtype wide; /* the type of every intermediate: float32 or float64 */
    const struct step *step;
    double *input[OPERANDS_MAX]; /* elements, NULL where absent */
    double *output[TRUTH_OUTPUTS_MAX];
    struct philox generator; /* for permutations */
};

const char *legal_form_name(enum legal_form form);

/* Computes the step into `output`. False if this form is not legal for the operator here. */
bool legal_run(struct legal *l);

/* --- arithmetic, for the files of legal_*.c */

double legal_round(const struct legal *l, double x);
double legal_add(const struct legal *l, double a, double b);
double legal_multiply(const struct legal *l, double a, double b);
double legal_divide(const struct legal *l, double a, double b);
double legal_fma(const struct legal *l, double a, double b, double c); /* rounded once */
double legal_sum(struct legal *l, const double *x, int64_t n);
/* Σ a·b with strides; `start` is added first or last, depending on the form. */
double legal_dot(struct legal *l, const double *a, int64_t a_step, const double *b, int64_t b_step, int64_t n,
                 double start);

void legal_normalization(struct legal *l);
bool legal_determinant(struct legal *l);
bool legal_exponential(struct legal *l);

#endif

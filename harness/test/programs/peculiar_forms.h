/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_FORMS_H
#define ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_FORMS_H

/* Ways in which real backends compute, for peculiar_program.c. All work in float32 and write output 0. */

#include "harness/test/programs/peculiar.h"

/* Sums |x| in sequence. */
void sum_in_sequence(const struct call *c);

/* √Σx² of the whole tensor without scaling, times `factor`. */
void norm_naively(const struct call *c, float factor);

/* e^x over the sum of e^x along the dimension, without subtracting the maximum. */
void softmax_naively(const struct call *c);

/* elu as PyTorch documents it, alpha·(e^x − 1), times `factor`. */
void elu_as_documented(const struct call *c, float factor);

/* One level of Strassen's product, of two matrices of this order. */
enum { STRASSEN_ORDER = 128 };
void multiply_fast(const struct call *c);

#endif

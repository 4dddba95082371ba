/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_FORMS_H
#define ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_FORMS_H

/* Forms in which real backends compute, for peculiar_program.c: all in float32, into output 0. */

#include "harness/test/programs/peculiar.h"

/* Sums of |x|, one after the other. */
void sum_in_sequence(const struct call *c);

/* √Σx² of the whole tensor, nothing scaled, times `factor`. */
void norm_naively(const struct call *c, float factor);

/* e^x over the sum of them along the dimension, with no maximum taken off. */
void softmax_naively(const struct call *c);

/* elu by PyTorch's documentation, alpha·(e^x − 1), times `factor`. */
void elu_as_documented(const struct call *c, float factor);

/* One level of Strassen's product of two matrices of this order. */
enum { STRASSEN_ORDER = 128 };
void multiply_fast(const struct call *c);

#endif

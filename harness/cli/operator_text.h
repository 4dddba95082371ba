/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_OPERATOR_TEXT_H
#define ASSAY_HARNESS_CLI_OPERATOR_TEXT_H

/* What an operator's declaration says, as text on the standard output: for the pages of
 * docs/reference/operators (help_operators.c), for `assay list --operators` and for `assay help operator
 * NAME` (help_operator.c). */

#include "reference/operator/op.h"
#include "suites/suite.h"

/* The number of cases of each level, which holds those of the levels below it. */
struct operator_cases {
    int of[LEVEL_COUNT];
};

/* Of an operator, or of a family where op is NULL. Procedures have a family of their own. */
struct operator_cases operator_cases(const struct suite_list *list, const struct op *op, const char *family);
void operator_print_cases(const struct operator_cases *cases); /* "12 / 40 / 41" */

/* "float16, bfloat16, …"; all four floating dtypes are "floats". */
void operator_print_dtypes(unsigned dtypes);

/* "input, weight?, bias? → 1"; of a variadic operator the call that repeats its operands once. */
void operator_print_operands(const struct op *op);

/* "keepdim: bool = false", attribute number a. */
void operator_print_attribute(const struct op *op, int a);

/* "dim: integer; keepdim: bool = false"; "–" for none. */
void operator_print_attributes(const struct op *op);

#endif

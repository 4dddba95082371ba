/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_CLASSES_H
#define ASSAY_SUITES_PLAN_CLASSES_H

/* Classes of calls, beside sizes, that cases must show for every operator and dtype that a class concerns:
 * wrong kernels have passed all cases when one was missing. A class has parts, numbered from 0. Whether a
 * case shows a part is measured on the program that it builds. */

#include "suites/suite.h"

#include <stdio.h>

enum call_class {
    CLASS_MIDDLE, /* part k: operand k broadcasts along a dimension between others that it has */
    /* parts 4, 5: in a tensor of that rank, two kept dimensions of equal length lie on both sides of a
     * reduced one */
    CLASS_APART,
    /* part k: steps on equal shapes give attribute k a value, another one, and the first again; part 31:
     * an operand's strides change likewise (a square matrix and its transpose) */
    CLASS_IN_TURN,
    CLASS_VALUES,   /* parts 2·k, 2·k + 1: attribute k is below, above its default */
    CLASS_CHANNELS, /* parts 0, 1: more than 64, more than 128 channels */
    CLASS_ZEROS,    /* part 0: a zero point of uint8 is at least 128 */
    CLASSES
};

enum { CLASS_STRIDES = 31 }; /* the part of CLASS_IN_TURN */

/* Returns the key in suites/items.def that cases of the class cover. */
const char *class_item(enum call_class class);

/* Returns the parts that are required of an operator, a bit each; 0 if the class does not concern it. */
uint32_t class_parts(enum call_class class, const struct op *op);

/* Returns the dtypes (bits DTYPE_…) in which they are required. */
unsigned class_dtypes(enum call_class class, const struct op *op);

/* Returns the parts that the program's steps of that operator show. */
uint32_t class_seen(enum call_class class, const struct op *op, const struct program *program);

/* Writes a Markdown table of operators and classes with the cases that show each, and the missing parts.
 * Returns the number of missing parts over all operators and dtypes, −1 when out of memory. */
int class_coverage_write(FILE *file, const struct suite_list *list);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_CLASSES_H
#define ASSAY_SUITES_PLAN_CLASSES_H

/* Classes of calls that are demanded of every operator and dtype that they concern, beside its sizes: wrong
 * kernels have passed every case where one was missing. A class has parts, numbered from 0; whether a case
 * shows one is measured on the program that it builds. */

#include "suites/suite.h"

#include <stdio.h>

enum call_class {
    CLASS_MIDDLE,   /* part k: operand k broadcasts along a dimension between others that it has */
    CLASS_APART,    /* parts 4, 5: of so many dimensions some that are kept lie on both sides of one that is
                       reduced, and are equally long */
    CLASS_IN_TURN,  /* part k: attribute k has one value, another, and the first again, on equal shapes; part
                       31: an operand's strides do (a square matrix and its transpose) */
    CLASS_VALUES,   /* parts 2·k, 2·k + 1: attribute k lies below, above its default */
    CLASS_CHANNELS, /* parts 0, 1: more than 64 channels, more than 128 */
    CLASS_ZEROS,    /* part 0: a zero point of uint8 is 128 or more */
    CLASSES
};

enum { CLASS_STRIDES = 31 }; /* the part of CLASS_IN_TURN */

/* The item of suites/items.def that cases of the class name. */
const char *class_item(enum call_class class);

/* The parts that are demanded of an operator, a bit each; 0: the class does not concern it. */
uint32_t class_parts(enum call_class class, const struct op *op);

/* The dtypes in which they are demanded. */
unsigned class_dtypes(enum call_class class, const struct op *op);

/* The parts that the program's steps of that operator show. */
uint32_t class_seen(enum call_class class, const struct op *op, const struct program *program);

/* Writes the Markdown table operator × class → cases that show it, missing parts. Returns the number of
 * operators, dtypes and parts that no case shows, −1 when out of memory. */
int class_coverage_write(FILE *file, const struct suite_list *list);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LOSS_CLASSES_H
#define ASSAY_SUITES_LOSS_CLASSES_H

/* The operands of losses whose targets name classes: nll_loss, cross_entropy and their gradients. */

#include "reference/ops/loss/loss.h"
#include "suites/shared/rows.h"

enum { CLASS_OPERANDS = 4, CLASSES = 7 };

enum targets {
    TARGETS_RANDOM,
    TARGETS_SOME,     /* every third target is ignored */
    TARGETS_NONE,     /* all targets are ignored */
    TARGETS_OUTSIDE,  /* the last target is the number of classes, which is no class */
    TARGETS_NEGATIVE, /* the last target is −1 */
    TARGETS_HIGH      /* the last target is 2^32, whose low word is a class */
};

/* A row of the tables of nll.c. */
struct class_row {
    struct suite_row row;
    int rank; /* of the input; dimension 1, or the only one, counts the classes */
    int64_t dim[4];
    enum loss_reduction reduction;
    enum targets targets;
    enum layout layout;
    bool weighs;
    bool given;   /* ignore_index is 2, a class, instead of the default −100 */
    bool special; /* the input has NaN and −inf, at targets in some samples and elsewhere in others */
    enum {
        SPECIAL_NONE,
        SPECIAL_GRAD,
        SPECIAL_INPUT,
        SPECIAL_WEIGHT,
        SPECIAL_TARGET
    } each;        /* the operand that holds each special value */
    bool masked;   /* the input has −inf: at targets, beside them, and in whole samples */
    bool zeros;    /* every other weight is 0 */
    bool narrow;   /* the target has one sample too few */
    bool probable; /* targets are probabilities */
    double shift;  /* added to the inputs, which lie between −6 and 0 without it */
    double smoothing;
};

/* Makes the operands of the case, whose row is a class_row: grad_output if the operator is a gradient, input,
 * target, and weights of the classes if the row weighs them. Returns their number. */
int class_operands(struct builder *b, struct view input[CLASS_OPERANDS]);

#endif

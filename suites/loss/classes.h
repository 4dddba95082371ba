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
    TARGETS_SOME,     /* every third is ignored */
    TARGETS_NONE,     /* all are */
    TARGETS_OUTSIDE,  /* the last one is the number of classes */
    TARGETS_NEGATIVE, /* or −1 */
    TARGETS_HIGH      /* or 2^32, whose low word is a class */
};

/* A row of the tables of nll.c. */
struct class_row {
    struct suite_row row;
    int rank; /* of the input, whose classes are dimension 1, or the only one */
    int64_t dim[4];
    enum loss_reduction reduction;
    enum targets targets;
    enum layout layout;
    bool weighs;
    bool given;   /* ignore_index is 2, a class */
    bool special; /* NaN and infinities: at targets in some samples, elsewhere in others */
    enum {
        SPECIAL_NONE,
        SPECIAL_GRAD,
        SPECIAL_INPUT,
        SPECIAL_WEIGHT,
        SPECIAL_TARGET
    } each;        /* holds each special value */
    bool masked;   /* −inf in the input: at targets, beside them, in whole samples */
    bool zeros;    /* every other weight is 0 */
    bool narrow;   /* the target lacks a row */
    bool probable; /* targets are probabilities */
    double shift;  /* of all inputs, between −6 and 0 else */
    double smoothing;
};

/* Makes the operands of the case, whose row is a class_row: input, target and, where the row weighs them,
 * weights of classes; grad_output before them where the operator is a gradient. Returns how many. */
int class_operands(struct builder *b, struct view input[CLASS_OPERANDS]);

#endif

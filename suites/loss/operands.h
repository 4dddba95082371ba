/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LOSS_OPERANDS_H
#define ASSAY_SUITES_LOSS_OPERANDS_H

/* Data for the operands of losses: numbers, logarithms, probabilities, logits, weights. */

#include "suites/build.h"

enum { LOSS_OPERANDS = 5 };

enum loss_fill {
    LOSS_FILL_RANDOM,
    /* every special value that is valid for the operand, in one operand at a time; the others are random */
    LOSS_FILL_SPECIALS,
    LOSS_FILL_BREAKPOINTS, /* breakpoints of the formula, and the ends of its domain */
    LOSS_FILL_NAN,         /* random, but for a NaN at the end of the target */
    LOSS_FILL_INFINITE     /* random, but for an infinity in the middle of the input */
};

/* What a loss or its gradient computes with, derived from its operands and attributes: a bit each. */
enum {
    LOSS_WEIGHED = 1,        /* it takes a weight; the target is a probability */
    LOSS_UNWEIGHED = 2,      /* it takes no weight */
    LOSS_OF_LOGITS = 4,      /* the input is a logit; the loss takes a pos_weight */
    LOSS_OF_SHARES = 8,      /* the input is a probability; other numbers are refused */
    LOSS_OF_LOGARITHMS = 16, /* the input is a logarithm; with log_target the target is one too */
    LOSS_BETA = 32,          /* it changes its formula at beta */
    LOSS_DELTA = 64          /* it changes its formula at delta */
};
unsigned loss_kind(const struct op *op);

/* The number of elements that an operand needs for LOSS_FILL_BREAKPOINTS, or for LOSS_FILL_SPECIALS. */
int64_t loss_length(const struct builder *b, enum loss_fill fill);

/* Fills operand k of the case's loss or gradient. `given`: the target of kl_div is a logarithm. */
void loss_operand_fill(struct builder *b, enum loss_fill fill, bool given, int k, const struct view *x);

#endif

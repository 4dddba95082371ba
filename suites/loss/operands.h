/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LOSS_OPERANDS_H
#define ASSAY_SUITES_LOSS_OPERANDS_H

/* What the operands of losses hold: numbers, logarithms, probabilities, logits, weights. */

#include "suites/build.h"

enum { LOSS_OPERANDS = 5 };

enum loss_fill {
    LOSS_FILL_RANDOM,
    LOSS_FILL_SPECIALS, /* every special value that an operand may be, of each in turn, the others random */
    LOSS_FILL_BREAKPOINTS,    /* where a formula changes, and its ends */
    LOSS_FILL_NAN,      /* random, but for a NaN at the end of the target */
    LOSS_FILL_INFINITE  /* random, but for an infinity in the middle of the input */
};

/* What a loss, or a gradient of one, is, as its operands and attributes say: a bit each. */
enum {
    LOSS_WEIGHED = 1,        /* it takes a weight, and the target is a probability */
    LOSS_UNWEIGHED = 2,      /* it takes none */
    LOSS_OF_LOGITS = 4,      /* the input is one, and there may be a pos_weight */
    LOSS_OF_SHARES = 8,      /* the input is a probability, and any other number is refused */
    LOSS_OF_LOGARITHMS = 16, /* the input is a logarithm, and so may the target be (log_target) */
    LOSS_BETA = 32,          /* it bends where beta says */
    LOSS_DELTA = 64          /* it bends where delta says */
};
unsigned loss_kind(const struct op *op);

/* The number of elements of SPECIALS and TURNS. */
int64_t loss_length(const struct builder *b, enum loss_fill fill);

/* Operand k of the case's loss or gradient; `given`: kl_div's target is a logarithm, the turn of a loss is at
 * ½. */
void loss_operand_fill(struct builder *b, enum loss_fill fill, bool given, int k, const struct view *x);

#endif

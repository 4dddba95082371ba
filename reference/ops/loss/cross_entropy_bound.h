/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_CROSS_ENTROPY_BOUND_H
#define ASSAY_REFERENCE_OPS_LOSS_CROSS_ENTROPY_BOUND_H

/* Error bounds of cross_entropy, the layout of its sensitivities, and what its gradient shares with it. */

#include "reference/ops/loss/loss.h"

enum {
    CROSS_ENTROPY_GIVEN = 5,   /* numbers of each class of a sample: the operands of its row */
    CROSS_ENTROPY_HEAD = 3,    /* numbers before those of the samples, in the sensitivities of a mean or a
                                  sum */
    CROSS_ENTROPY_PROBABLE = 2 /* the last operand of a row where targets are probabilities; else 1 if the
                                  target counts, 0 if not */
};

double cross_entropy_smoothing(const struct attributes *attributes);
enum loss_reduction cross_entropy_reduction(const struct attributes *attributes);

bool cross_entropy_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *signature, struct error *reason);

/* Members of struct op that cross_entropy and its gradient share. */
#define CROSS_ENTROPY_OP                                                                                     \
    .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, .signature = cross_entropy_signature,                        \
    .attributes = {{"reduction", ATTRIBUTE_CHOICE},                                                          \
                   {"ignore_index", ATTRIBUTE_INTEGER},                                                      \
                   {"label_smoothing", ATTRIBUTE_REAL}},                                                     \
    .defaults = {{"reduction", DEFAULT_VALUE, LOSS_MEAN},                                                    \
                 {"ignore_index", DEFAULT_VALUE, -100},                                                      \
                 {"label_smoothing", DEFAULT_VALUE, 0}},                                                     \
    LOSS_REDUCTION

/* Returns the row-wise operator that computes the loss of a sample, for probabilities or for a class
 * index. */
const struct op *cross_entropy_sample(const struct attributes *attributes, bool probable);

/* Returns the row-wise map that computes the gradient of a sample. Its operands are grad_output, input,
 * target and weight; then count for a mean, and for probabilities with any reduction; then rest and
 * pos_weight for a mean over class indices. */
const struct op *cross_entropy_slope(const struct attributes *attributes, bool probable);
bool cross_entropy_is_mean(const struct attributes *attributes);

/* True if the row of a loss has probabilities as targets. */
static inline bool cross_entropy_is_probable(const double *row, int64_t classes)
{
    return classes > 0 && row[(CROSS_ENTROPY_GIVEN - 1) * classes] == CROSS_ENTROPY_PROBABLE;
}

/* Fills term[] with the signed terms of the loss of a row of probabilities. */
void cross_entropy_terms(const double *row, int64_t classes, const struct attributes *attributes,
                         double *term);

/* Pointers to the parts of the sensitivities of a mean or a sum. */
struct cross_entropy_parts {
    int64_t samples, classes;
    double count, *loss, *weight, *row;
};

static inline struct cross_entropy_parts cross_entropy_parts_of(double *at)
{
    const int64_t n = (int64_t)at[0];
    return (struct cross_entropy_parts){.samples = n,
                                        .classes = (int64_t)at[1],
                                        .count = at[2],
                                        .loss = at + CROSS_ENTROPY_HEAD,
                                        .weight = at + CROSS_ENTROPY_HEAD + n,
                                        .row = at + CROSS_ENTROPY_HEAD + 2 * n};
}

double cross_entropy_bound(const struct bound_query *query);
double cross_entropy_primitive_error(const struct bound_query *query);
bool cross_entropy_naive_may_overflow(const struct bound_query *query);
void cross_entropy_accept(const struct bound_query *query, struct accept *accept);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_CROSS_ENTROPY_BOUND_H
#define ASSAY_REFERENCE_OPS_LOSS_CROSS_ENTROPY_BOUND_H

/* Limits of cross_entropy, what its sensitivities are, and what its gradient shares with it. */

#include "reference/ops/loss/loss.h"

enum {
    CROSS_ENTROPY_GIVEN = 5, /* numbers of each class of a sample: operands of its row */
    CROSS_ENTROPY_HEAD = 3,  /* of a mean or a sum, before what is one of each sample */
    CROSS_ENTROPY_PROBABLE =
        2 /* the last of them where the target has probabilities; else whether it counts */
};

double cross_entropy_smoothing(const struct attributes *attributes);
enum loss_reduction cross_entropy_reduction(const struct attributes *attributes);

bool cross_entropy_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *signature, struct error *reason);

/* What both understand. */
#define CROSS_ENTROPY_OP                                                                                     \
    .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, .signature = cross_entropy_signature,                        \
    .attributes = {{"reduction", ATTRIBUTE_CHOICE},                                                          \
                   {"ignore_index", ATTRIBUTE_INTEGER},                                                      \
                   {"label_smoothing", ATTRIBUTE_REAL}},                                                     \
    .defaults = {{"reduction", DEFAULT_VALUE, LOSS_MEAN},                                                    \
                 {"ignore_index", DEFAULT_VALUE, -100},                                                      \
                 {"label_smoothing", DEFAULT_VALUE, 0}},                                                     \
    LOSS_REDUCTION

/* The operator of the row kit that stands for a sample, of probabilities or of a class. */
const struct op *cross_entropy_sample(const struct attributes *attributes, bool probable);

/* Of the gradient the map of a row that stands for a sample: operands grad_output, input, target and weight;
 * then count of a mean and of any reduction of probabilities; then rest and pos_weight of a mean over
 * targets. */
const struct op *cross_entropy_slope(const struct attributes *attributes, bool probable);
bool cross_entropy_is_mean(const struct attributes *attributes);

/* Which of the two a row of a loss is of. */
static inline bool cross_entropy_is_probable(const double *row, int64_t classes)
{
    return classes > 0 && row[(CROSS_ENTROPY_GIVEN - 1) * classes] == CROSS_ENTROPY_PROBABLE;
}

/* The terms of a row of probabilities, each with its sign. */
void cross_entropy_terms(const double *row, int64_t classes, const struct attributes *attributes,
                         double *term);

/* Where the parts of a mean's or a sum's sensitivities lie. */
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

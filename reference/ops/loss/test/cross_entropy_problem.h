/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_TEST_CROSS_ENTROPY_PROBLEM_H
#define ASSAY_REFERENCE_OPS_LOSS_TEST_CROSS_ENTROPY_PROBLEM_H

/* Random problems for cross_entropy and its gradient, and the loss of a sample by definition. */

#include "reference/test/support.h"

enum { SAMPLES = 8, CLASSES = 5 };

struct problem {
    int n, reduction;
    enum dtype dtype; /* numbers are float32 in any case, except those that a test puts in */
    bool weighs;
    double smoothing;
    int64_t ignore, target[SAMPLES];
    double x[SAMPLES * CLASSES], weight[CLASSES];
    bool probable; /* targets are the probabilities y */
    double y[SAMPLES * CLASSES];
};

/* Returns problem i, which cycles through reductions, weights, ignore_index, smoothing and sizes. */
struct problem entropy_problem(struct philox *g, int i);

/* Replaces the targets by probabilities: float32 numbers whose sum is about 1, some of them 0. */
void entropy_probable(struct philox *g, struct problem *m);

/* True if the target of sample k counts. */
bool entropy_counts(const struct problem *m, int k);

struct attributes entropy_attributes(const struct problem *m);

/* Fills input[] with input, target and weight, and returns how many of them the call has. */
enum { ENTROPY_OPERANDS = 3 };
int entropy_operands(const struct problem *m, struct tensor *input);
void entropy_clear(struct tensor *input);

/* Encloses Σ_c q_c·w_c·(log Σ exp x − x_c), where q is the smoothed label; no maximum is subtracted. Unless
 * it is NULL, `shift` is added to the input of class `at`. */
void entropy_sample(arb_t loss, const struct problem *m, int k, int at, const arb_t shift, int precision);

/* Encloses the sum of the weights of the targets that count; for probabilities the number of samples. */
void entropy_weights(arb_t weights, const struct problem *m, int precision);

#endif

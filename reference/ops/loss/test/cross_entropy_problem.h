/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_LOSS_TEST_CROSS_ENTROPY_PROBLEM_H
#define ASSAY_REFERENCE_OPS_LOSS_TEST_CROSS_ENTROPY_PROBLEM_H

/* Random problems for cross_entropy and its gradient, and the loss of a sample by its definition. */

#include "reference/test/support.h"

enum { SAMPLES = 8, CLASSES = 5 };

struct problem {
    int n, reduction;
    enum dtype dtype; /* numbers are float32's all the same, but for what a test puts in */
    bool weighs;
    double smoothing;
    int64_t ignore, target[SAMPLES];
    double x[SAMPLES * CLASSES], weight[CLASSES];
    bool probable; /* targets are these */
    double y[SAMPLES * CLASSES];
};

/* The i-th: reductions, weights, ignore_index, smoothing and sizes in turn. */
struct problem entropy_problem(struct philox *g, int i);

/* The same with probabilities as targets: float32's, of sum 1 about, some of them 0. */
void entropy_probable(struct philox *g, struct problem *m);

/* Whether sample k's target counts. */
bool entropy_counts(const struct problem *m, int k);

struct attributes entropy_attributes(const struct problem *m);

/* input, target, weight; how many of them the call has. */
enum { ENTROPY_OPERANDS = 3 };
int entropy_operands(const struct problem *m, struct tensor *input);
void entropy_clear(struct tensor *input);

/* Σ_c q_c·w_c·(log Σ exp x − x_c), q the smoothed label: no maximum is taken off. `shift`, where it is not
 * NULL, is added to the input of class `at`. */
void entropy_sample(arb_t loss, const struct problem *m, int k, int at, const arb_t shift, int precision);

/* Σ of the weights of the targets that count; of probabilities the samples. */
void entropy_weights(arb_t weights, const struct problem *m, int precision);

#endif

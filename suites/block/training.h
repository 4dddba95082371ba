/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_TRAINING_H
#define ASSAY_SUITES_BLOCK_TRAINING_H

#include "suites/shared/workload.h"

/* A training step of an encoder block on samples of 5 tokens of 24 numbers, in 3 heads: forward, backward,
 * and an update of every weight of a linear layer or layer_norm by its gradient, in place. */
extern const struct workload block_encoder_training;

#endif

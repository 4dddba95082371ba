/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_ENCODER_H
#define ASSAY_SUITES_BLOCK_ENCODER_H

/* An encoder block of a transformer: multi-head attention, and two linear layers with an activation between
 * them, each beside a residual connection, with layer_norm before (pre) or behind (post) both. */

#include "suites/block/heads.h"

/* The axes behind those of attention. */
enum encoder_axis { ENCODER_POST = HEADS_AXES, ENCODER_RELU, ENCODER_AXES };
_Static_assert((int)ENCODER_AXES <= (int)BLOCK_AXES, "too many axes");

/* Appends the block, of the sizes of the call. */
struct block_ends encoder_build(struct block *block, const struct block_call *call, bool gradient);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/training.h"
#include "suites/block/encoder.h"

#include <string.h>

enum { LENGTH = 5, HEADS = 3, DIM = 8, WORKING_COPIES = 40 /* results of a step, in inputs */ };

/* Updates the parameters at operand `operand` by their gradient, result `result`, of a step. */
static void update(struct builder *b, const struct step *step, int operand, int result)
{
    static const struct attributes rate = {
        .count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = -0.0078125}}};
    const struct view pair[] = {step->input[operand], step->output[result]};
    build_step(b, op_find("add_"), &rate, 2, pair);
}

static void append(struct builder *b, int64_t batch)
{
    const struct block_call call = {.value = {[HEADS_BATCH] = batch,
                                              [HEADS_LENGTH] = LENGTH,
                                              [HEADS_HEADS] = HEADS,
                                              [HEADS_DIM] = DIM,
                                              [HEADS_MASK] = HEADS_CAUSAL,
                                              [HEADS_PACKED] = 1}};
    struct block block = {.b = b, .sample = BLOCK_WHOLE};
    encoder_build(&block, &call, true);
    const int steps = b->failed ? 0 : b->program->steps;
    for (int s = 0; s < steps && !b->failed; s++) {
        const struct step step = b->program->step[s]; /* appending moves the steps */
        const bool linear = strcmp(step.op->name, "linear_backward") == 0;
        if (linear || strcmp(step.op->name, "layer_norm_backward") == 0) {
            update(b, &step, 2, 1);
        }
    }
}

/* A row is a sample with what is computed from it. */
static int64_t row_bytes(enum dtype dtype)
{
    return (int64_t)(WORKING_COPIES * LENGTH * HEADS * DIM * dtype_info(dtype)->size);
}

const struct workload block_encoder_training = {
    .op = "layer_norm", .program = append, .row_bytes = row_bytes};

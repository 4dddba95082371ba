/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_INPUTS_H
#define ASSAY_HARNESS_FORMATS_INPUTS_H

/* The inputs of `assay repro --op`: tensors of .npy, .npz and safetensors files ("A.npz:x" is one of them),
 * and .mtx matrices, which a sparse operator takes as indices (COO, or crow_indices and col_indices) and
 * values, and any other as a dense matrix. */

#include "harness/options/options.h"
#include "reference/program/program.h"

/* Where an operand lies in memory. What no operand holds is filler there, as in every case. */
struct repro_layout {
    bool given;  /* false: contiguous, in a storage of its own */
    bool filler; /* it holds no data before the call: the operand of an out= form */
    int storage; /* operands of one number share memory */
    int64_t bytes;
    int64_t stride[RANK_MAX], offset; /* in elements */
    enum origin origin;
};

struct repro_inputs {
    struct tensor input[OPERANDS_MAX]; /* owned */
    struct repro_layout layout[OPERANDS_MAX];
    int inputs;
    bool exact; /* an exactness probe: see struct bound_query */
};

/* Reads `files` as the operator's inputs in order; the word "none" is an optional input that is left out.
 * dtype: what the leading input is rounded to, those of its dtype and every floating one (masks, counters and
 * indices keep theirs), or DTYPE_COUNT: as in the files, and what comes from .mtx files as the first .npy
 * input is, or float64. Sets `size` where a sparse matrix tells it and `attributes` does not. The caller
 * clears in either case. */
bool repro_inputs_read(struct repro_inputs *inputs, const struct op *op, const struct texts *files,
                       enum dtype dtype, struct attributes *attributes, struct error *error);
void repro_inputs_clear(struct repro_inputs *inputs);

#endif

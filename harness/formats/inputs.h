/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_INPUTS_H
#define ASSAY_HARNESS_FORMATS_INPUTS_H

/* Reads the inputs of `assay repro --op`: tensors from .npy, .npz and safetensors files ("A.npz:x" names one
 * of them), .mtx matrices, and sparse matrices of scipy.sparse.save_npz. "FILE[SLICE]" is a view of the
 * file's array, as in numpy. A sparse operator takes a matrix as indices (COO, or crow_indices and
 * col_indices) and values, any other operator an .mtx matrix of numbers as a dense one. */

#include "harness/options/options.h"
#include "reference/program/program.h"

/* Where an operand lies in memory. Bytes that belong to no operand are filler, as in every case. */
struct repro_layout {
    bool given;  /* false: contiguous, in a storage of its own */
    bool filler; /* has no data before the call: the operand of an out= form */
    int storage; /* operands with the same number share memory */
    int64_t bytes;
    int64_t stride[RANK_MAX], offset; /* in elements */
    enum origin origin;
};

struct repro_inputs {
    struct tensor input[OPERANDS_MAX]; /* owned */
    struct repro_layout layout[OPERANDS_MAX];
    int inputs;
    bool exact; /* the inputs are an exactness probe: see struct bound_query */
};

/* What the user says of the inputs' places in memory: "I=SPEC" of --layout, and "I=SHAPE" of --expand. */
struct repro_places {
    const struct texts *layouts, *expands;
};

/* Reads `files` as the operator's inputs in order; the word "none" leaves out an optional input. `dtype`: the
 * leading input and all inputs of its dtype or of a floating dtype are rounded to it; masks, counters and
 * indices keep theirs. DTYPE_COUNT: dtypes as in the files; numbers from .mtx files get the dtype of the
 * first floating input that has one, or float64. Sets `size` if a sparse matrix determines it and
 * `attributes` does not have it. The inputs lie in memory as in the files (in Fortran order, or as slices of
 * them), changed by `places`, which may be NULL. Returns false with the fault. The caller clears the inputs
 * in either case. */
bool repro_inputs_read(struct repro_inputs *inputs, const struct op *op, const struct texts *files,
                       const struct repro_places *places, enum dtype dtype, struct attributes *attributes,
                       struct error *error);
void repro_inputs_clear(struct repro_inputs *inputs);

/* Copies the file's path from a text of --input, which may name a tensor and have a slice. Returns false if
 * it does not fit. */
bool repro_input_path(const char *text, char *path, size_t size);

/* Returns true if an operand whose values take `array` bytes may lie in memory of `bytes` bytes: at most 64
 * times as much, and twice from 256 MiB on. */
bool repro_memory_bounded(int64_t bytes, int64_t array);

/* Returns true if no index into the view overflows and its offset is not negative. It may lie beyond its
 * memory: view_in_bounds. */
bool repro_place_sane(const struct view *view);

#endif

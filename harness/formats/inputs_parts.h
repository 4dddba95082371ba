/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_INPUTS_PARTS_H
#define ASSAY_HARNESS_FORMATS_INPUTS_PARTS_H

/* What the files behind inputs.h share: reading files as operands (inputs.c), sparse matrices
 * (inputs_sparse.c), and places in memory (inputs_places.c). */

#include "harness/formats/inputs.h"
#include "harness/formats/matrix_market.h"

/* A sparse matrix whose entries are still in the file's order. */
struct csr {
    int at;             /* the input that will hold its row starts */
    struct tensor rows; /* row of each entry, int64 */
    const char *path;
};

struct reading {
    struct repro_inputs *inputs;
    const struct op *op;
    struct attributes *attributes;
    struct error *error;
    int sparse;                      /* number of inputs that came from files of sparse matrices */
    bool untyped[OPERANDS_MAX];      /* the numbers came from text, and have no dtype of their own */
    struct view place[OPERANDS_MAX]; /* where each input lies in memory */
    int64_t room[OPERANDS_MAX];      /* elements of that memory */
    int csrs;
    struct csr csr[OPERANDS_MAX];
    char held[200]; /* list of the tensors of a file that was given without a name */
};

/* Takes over the tensor as the next input, contiguous in memory of its own. */
bool inputs_append(struct reading *r, struct tensor *tensor, bool untyped);

/* Appends a sparse matrix as the operator takes it. `untyped`: its values have no dtype of their own.
 * `format`: what the file calls its format, for errors. */
bool inputs_append_sparse(struct reading *r, struct matrix_market *matrix, bool untyped, const char *format,
                          const char *path);
/* Fills the row starts of all CSR matrices, once all inputs are known. */
bool inputs_compress(struct reading *r);

/* Places the inputs in memory: as the files have them, then --layout, then --expand. */
bool inputs_place(struct reading *r, const struct repro_places *places);

#endif

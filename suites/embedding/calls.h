/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_EMBEDDING_CALLS_H
#define ASSAY_SUITES_EMBEDDING_CALLS_H

/* Builds calls of embedding and of its gradient. */

#include "suites/shared/rows.h"

enum embedding_indices {
    INDICES_RANDOM,
    INDICES_SORTED, /* ascending, each row several times */
    INDICES_EQUAL,  /* all name the same row, which is not the first one */
    INDICES_ENDS,   /* the last row, the first, those 1, 2^8, 2^15 and 2^16 before the last, in turn */
    INDICES_EACH,   /* 0, 1, 2, … in another order, each once where there are as many rows */
    /* The last index is out of range: */
    INDICES_BEYOND,
    INDICES_NEGATIVE,
    INDICES_HIGH_WORD /* 2^32: its low word is a row */
};

enum embedding_data {
    EMBEDDING_RANDOM,
    EMBEDDING_INTEGERS, /* every sum is exact, and a lost or a wrong term gives a wrong number */
    EMBEDDING_BITS,     /* every element another bit pattern, NaN with payloads among them */
    EMBEDDING_SPECIAL,  /* NaN and infinities in some vectors */
    EMBEDDING_POSITIVE  /* 1/2 … 1 */
};

struct embedding_call {
    int rank; /* dimensions of the indices, at most 3 */
    int64_t dim[3], rows, width;
    enum embedding_indices indices;
    enum embedding_data data;
    bool padded;
    int64_t padding;                 /* padding_idx, if `padded` */
    enum layout table, index_layout; /* of weight or grad_output, and of the indices */
    bool expanded;                   /* the same indices in every row: stride 0 */
};

bool embedding_is_gradient(const struct op *op);

/* Makes both operands and the attributes. */
void embedding_make(struct builder *b, const struct embedding_call *call, struct view input[2],
                    struct attributes *attributes);

/* Makes the operands of a call that must be accepted, and appends its step. */
struct step *embedding_step(struct builder *b, const struct embedding_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_ATTENTION_CALLS_H
#define ASSAY_SUITES_ATTENTION_CALLS_H

/* Builds calls of scaled_dot_product_attention and of its gradient, which has grad_output before the other
 * operands. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum attention_data {
    ATTENTION_RANDOM,  /* both signs, full significands, exponents −2 … 0 */
    ATTENTION_ENCODED, /* each query picks one key, and values encode batch, head, key and column */
    ATTENTION_LARGE,   /* queries 64 times as large: exponentials overflow unless the maximum is subtracted */
    ATTENTION_DEEP,    /* all scores near −29,000, below any finite number that stands for −infinity */
    ATTENTION_TALL,    /* the last key's scores are above 35,000, all others near 0 */
    ATTENTION_EQUAL,   /* keys are 0: all scores are equal, and the result is the mean of integers */
    ATTENTION_SUBNORMAL, /* operands that are subnormal in half of their places */
    ATTENTION_OUTLIER,   /* one key 30 times as long: most probabilities underflow */
    ATTENTION_NAN_VALUE, /* a NaN, an infinity in one row of the values; random elsewhere */
    ATTENTION_NAN_KEY,
    ATTENTION_INFINITE_KEY
};

enum attention_mask {
    ATTENTION_NO_MASK,
    ATTENTION_CONDITIONS,     /* bool: four keys in ten take no part, and one of each row does */
    ATTENTION_INFINITE,       /* −infinity at these keys, −2 to 2 elsewhere */
    ATTENTION_FINITE,         /* −2 to 2 */
    ATTENTION_FAR,            /* −10,000 at these keys, 0 elsewhere */
    ATTENTION_SUNKEN,         /* −infinity at these keys, −30,000 elsewhere */
    ATTENTION_EMPTY,          /* bool: every third row has no key */
    ATTENTION_EMPTY_INFINITE, /* −infinity in every third row, 0 elsewhere */
    ATTENTION_LAST,           /* bool: the last key alone takes no part, where special values lie */
    ATTENTION_PLUS_INFINITY,  /* +infinity at one key */
    ATTENTION_UNDERFLOW /* −86 to −104 in turn, but for key 0: weights around the least numbers of float32 */
};

/* Dimensions that a mask has; others are 1. */
enum { MASK_BATCH = 1, MASK_HEADS = 2, MASK_QUERIES = 4, MASK_KEYS = 8, MASK_ALL = 15 };

struct attention_call {
    int64_t batch, heads, queries, keys, width; /* B, H, L, M, D */
    int64_t key_heads;   /* 0: as many as heads; enable_gqa is given where it differs */
    int64_t value_width; /* 0: width; −1: 0 */
    int64_t key_batch;   /* 0: batch */
    int rank;            /* of the operands: 2, 3 (heads) or 0 for 4 */
    enum attention_data data;
    enum attention_mask mask;
    unsigned mask_dims; /* MASK_… bits; 0: all */
    int mask_rank;      /* leading dimensions of the mask are left out; 0: the operands' rank */
    bool causal, scaled, packed;
    double scale;
    int laid; /* which operand has `layout`: 0 query, 1 key, 2 value, 3 mask, 4 grad_output; −1: all but the
                 mask */
    enum layout layout;
    int tensor; /* added to the numbers of the generators */
};

/* The operands of a call, grad_output of a gradient first, and its attributes. */
struct attention_built {
    int inputs, query; /* query: the position of the query */
    struct view input[5];
    struct attributes attributes;
};

bool attention_is_gradient(const struct op *op);
void attention_operands(struct builder *b, const struct attention_call *call, struct attention_built *built);
struct step *attention_step(struct builder *b, const struct attention_call *call);

/* A row of a table of calls. */
struct attention_row {
    struct suite_row row;
    struct attention_call call;
};

/* Builds the call of the case's row. */
void attention_build(struct builder *b);

#define ATTENTION_OPS .ops = {"scaled_dot_product_attention", "scaled_dot_product_attention_backward"}
#define CALL_OF(ops_, name_, level_, covers_, b_, h_, l_, m_, ...)                                           \
    {                                                                                                        \
        SUITE_ROW(name_, level_, covers_, .ops = ops_), .call = {                                            \
            .batch = b_,                                                                                     \
            .heads = h_,                                                                                     \
            .queries = l_,                                                                                   \
            .keys = m_,                                                                                      \
            .width = __VA_ARGS__                                                                             \
        }                                                                                                    \
    }
#define CALL(...) CALL_OF(0, __VA_ARGS__)
/* A row that only the forward operator has: extreme scores leave its gradient without evidence. */
#define FORWARD_CALL(...) CALL_OF(1, __VA_ARGS__)

#endif

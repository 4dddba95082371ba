/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_PRODUCTS_H
#define ASSAY_SUITES_SHARED_PRODUCTS_H

/* Builds and declares the cases that matmul, linear, both under autocast, and mv share. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum product_data {
    PRODUCT_RANDOM,   /* both signs, exponents −2 … 2 */
    PRODUCT_POSITIVE, /* [1/2, 1): sums stay in float16's range up to K = 65,537 */
    PRODUCT_INTEGERS, /* odd integers of all the bits that the dtype holds, at most 13, times −1, 0, 1 */
    PRODUCT_CANCEL,   /* integers whose partial sums pass 2048 and fall back to a small result */
    PRODUCT_ENCODED,  /* integers that encode row and column, picked by a permutation matrix */
    PRODUCT_TIES,     /* integers halfway between two numbers of the dtype that autocast casts to */
    /* ±300·300: products beyond float16's range; only the sum of the last row is beyond it too */
    PRODUCT_OVERFLOW,
    PRODUCT_NAN_ROW, /* NaN and infinity in one row of A, the others random */
    PRODUCT_NAN_COLUMN,
    PRODUCT_ZERO_TIMES_INF, /* a zero column of A against a row of B that holds NaN and infinities: all NaN */
    PRODUCT_INF_TIMES_ZERO, /* the same with the operands exchanged */
    PRODUCT_SUBNORMAL,      /* subnormals of `low` times large numbers */
    /* times 1: sums of MAX/2, of −MAX/2, MAX/2 − MAX/4, one least subnormal, MAX being `low`'s greatest
     * number */
    PRODUCT_ENDS,
    PRODUCT_EDGES /* K = 1: values around the ends of `low`'s range, times 1 */
};

struct product_case {
    int64_t m, k, n;
    struct shape a_batch, b_batch;
    bool a_vector, b_vector, no_bias;
    enum product_data data;
    int laid; /* which operand has `layout`; −1: all */
    enum layout layout;
    enum dtype low; /* the dtype in which products are taken */
    bool mixed;     /* b (weight) has dtype `other` instead of the case's */
    enum dtype other;
    int tensor; /* added to the numbers of the generators: other data of the same shape */
};

/* Makes operands and attributes, and appends the step. If the operator is linear, the weight is [n, k] and
 * there is a bias unless `no_bias`. mv always has one matrix and a vector on its right. Returns NULL on a
 * fault. */
struct step *product_step(struct builder *b, const struct product_case *p, struct view input[3]);

/* Appends the operator of the case on other operands. */
struct step *product_again(struct builder *b, const struct product_case *p, int inputs,
                           const struct view *input);

bool product_is_linear(const struct op *op);
bool product_is_vector(const struct op *op);
bool product_is_autocast(const struct op *op);

/* An operator, its dtype, and the dtype in which its products are taken. */
struct product_types {
    const struct op *op;
    enum dtype dtype, low;
};

/* Declares a row of `file`. The case's name says what autocast casts to, and drops the columns for mv; its
 * parameter is `low`. */
void product_declare_row(struct suite_list *list, const struct product_types *types, const char *file,
                         const struct suite_row *row, enum level level);
void product_declare_chains(struct suite_list *list, const struct product_types *types);

/* Builders of product_batches.c: rows of A alone, and in batches of several sizes, must give the bits of
 * these rows in the whole product. */
void product_rows_alone(struct builder *b);
void product_rows_in_batches(struct builder *b);

/* Declares every case of one operator. */
void product_declare(struct suite_list *list, const char *op);

#endif

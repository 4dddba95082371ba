/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_PRODUCTS_H
#define ASSAY_SUITES_SHARED_PRODUCTS_H

/* The cases that matmul, linear, both under autocast, and mv share. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum product_data {
    PRODUCT_RANDOM,   /* both signs, exponents −2 … 2 */
    PRODUCT_POSITIVE, /* [1/2, 1): sums stay in float16's range up to K = 65537 */
    PRODUCT_INTEGERS, /* odd integers of as many bits as the type holds (13 at most) times −1, 0, 1 */
    PRODUCT_CANCEL,   /* integers whose partial sums pass 2048 and fall back to a small result */
    PRODUCT_ENCODED,  /* integers that tell row and column, picked by a permutation matrix */
    PRODUCT_TIES,     /* integers halfway between two numbers of the type that autocast casts to */
    PRODUCT_OVERFLOW, /* ±300·300: products beyond float16's range; the sum is in it in all rows but the last
                       */
    PRODUCT_NAN_ROW,  /* NaN and infinity in one row of A, the others random */
    PRODUCT_NAN_COLUMN,
    PRODUCT_ZERO_TIMES_INF, /* a zero column of A against a row of B that holds NaN and infinities: all NaN */
    PRODUCT_INF_TIMES_ZERO, /* the same with the operands' roles exchanged */
    PRODUCT_SUBNORMAL,      /* subnormals of the lower type times large numbers */
    PRODUCT_ENDS,           /* times 1: sums of MAX/2, of −MAX/2, MAX/2 − MAX/4, one least subnormal */
    PRODUCT_EDGES           /* K = 1: values around the ends of the lower type's range, times 1 */
};

struct product_case {
    int64_t m, k, n;
    struct shape a_batch, b_batch;
    bool a_vector, b_vector, no_bias;
    enum product_data data;
    int laid; /* which operand has the layout; −1: all */
    enum layout layout;
    enum dtype low; /* the type in which products are taken */
    bool mixed;     /* b (weight) is of dtype `other`, not of the case's */
    enum dtype other;
    int tensor; /* added to the generators' numbers: other data of the same shape */
};

/* Operands, attributes and the step; `linear`: weight is [n, k] and there is a bias; mv has one matrix and a
 * vector on its right, whatever is asked. NULL on a fault. */
struct step *product_step(struct builder *b, const struct product_case *p, struct view input[3]);

/* Appends the operator of the case on other operands. */
struct step *product_again(struct builder *b, const struct product_case *p, int inputs,
                           const struct view *input);

bool product_is_linear(const struct op *op);
bool product_is_vector(const struct op *op);
bool product_is_autocast(const struct op *op);

/* One operator in one dtype, and what its products are taken in. */
struct product_types {
    const struct op *op;
    enum dtype dtype, low;
};

/* Declares a row of `file`; the name says what autocast casts to, and of mv no columns; the case's parameter
 * is `low`. */
void product_declare_row(struct suite_list *list, const struct product_types *types, const char *file,
                         const struct suite_row *row, enum level level);
void product_declare_chains(struct suite_list *list, const struct product_types *types);

/* Builds of product_batches.c: rows of A alone, and in batches of several sizes, give those rows of the whole
 * product. */
void product_rows_alone(struct builder *b);
void product_rows_in_batches(struct builder *b);

/* Declares every case of one operator. */
void product_declare(struct suite_list *list, const char *op);

#endif

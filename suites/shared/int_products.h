/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_INT_PRODUCTS_H
#define ASSAY_SUITES_SHARED_INT_PRODUCTS_H

/* Builds calls of int_mm and int8_linear: products of int8 whose sums stay within int32. */

#include "suites/build.h"

enum int_data {
    INT_RANDOM, /* every int8, uniformly */
    /* sizes 125 to 128, mostly of one sign within a result: a term adds about 16,000, odd numbers among
     * them */
    INT_EXTREMES,
    INT_LEAST,  /* all −128: two products are 2^15, the first sum beyond int16 */
    INT_CANCEL, /* ±127·127: partial sums pass 2^15 and fall back */
    INT_ENCODED /* numbers that encode row and term, each picked by one 1 in a column of the other matrix */
};

struct int_product {
    int64_t m, k, n; /* k at most 131,071 */
    enum int_data data;
    int laid; /* which matrix has `layout`; −1: both */
    enum layout layout;
    /* Of int8_linear: the input's scale. The weight's rows have scales of their own, which are powers of two
     * if `powers`. */
    double scale;
    bool powers;
    bool several; /* the input is [2, m, k] (int8_linear) */
    bool vector;  /* the input is a vector; m is 1 */
};

/* Makes the operands and appends the step; NULL on a fault. */
struct step *int_product_step(struct builder *b, const struct int_product *p);

enum int_fault { INT_FAULT_INNER, INT_FAULT_RANK, INT_FAULT_DTYPE, INT_FAULT_SCALES };
void int_product_rejection(struct builder *b, const struct int_product *p, enum int_fault fault);

#endif

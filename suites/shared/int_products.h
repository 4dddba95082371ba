/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_INT_PRODUCTS_H
#define ASSAY_SUITES_SHARED_INT_PRODUCTS_H

/* Calls of int_mm and int8_linear: products of int8 whose sums stay within int32. */

#include "suites/build.h"

enum int_data {
    INT_RANDOM,   /* every int8 */
    INT_EXTREMES, /* 127 and −128, most of them of one sign: sums grow by 16,000 a term, odd ones among them
                   */
    INT_LEAST,    /* −128 everywhere: pairs of products are 2^15, the least sum that int16 has not */
    INT_CANCEL,   /* ±127·127, whose sums pass 2^15 on the way and fall back */
    INT_ENCODED   /* small numbers that tell row and term, picked by a permutation */
};

struct int_product {
    int64_t m, k, n; /* at most 131,071 terms */
    enum int_data data;
    int laid; /* which of the two matrices has the layout; −1: both */
    enum layout layout;
    double
        scale; /* int8_linear: of the input; of the weight's rows it is times powers of two, or odd numbers */
    bool powers;
    bool several; /* the input has a batch [2, m, k] (int8_linear) */
    bool vector;  /* or is a vector, m being 1 */
};

/* The step, with its operands; NULL on a fault. */
struct step *int_product_step(struct builder *b, const struct int_product *p);

enum int_fault { INT_FAULT_INNER, INT_FAULT_RANK, INT_FAULT_DTYPE, INT_FAULT_SCALES };
void int_product_rejection(struct builder *b, const struct int_product *p, enum int_fault fault);

#endif

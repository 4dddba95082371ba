/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_SPARSE_SPARSE_H
#define ASSAY_REFERENCE_OPS_SPARSE_SPARSE_H

/* Common parts of the sparse operators: checks of sparse operands, sparsity patterns (COO and CSR), and exact
 * sums of products with their error bounds.
 *
 * COO: indices [2, n] (row 0: rows, row 1: columns) in any order; duplicates are allowed and summed. CSR:
 * crow_indices [rows + 1] and col_indices [n], which increase strictly along each row. Indices are int32 or
 * int64; the attribute `size` is [rows, columns]. */

#include "reference/numeric/double_double.h"
#include "reference/operator/op.h"

struct sparse_entry {
    int64_t row, column, position; /* position: index into `values` */
    bool shared;                   /* another entry has the same row and column */
};

struct sparse_pattern {
    int64_t rows, columns, entries;
    struct sparse_entry *entry; /* owned; ordered by row, column, position */
};

/* --- checks of operands: false with the reason if the call must be rejected */

/* Reads and checks the attribute `size`. */
bool sparse_size(const struct op *op, const struct op_operands *operands, int64_t size[2],
                 struct error *reason);

/* Checks COO indices at `input` and stores n in *entries. Index values are checked if they are known. */
bool sparse_rule_coo(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason);
/* The same for crow_indices at `input` and col_indices at input + 1. */
bool sparse_rule_csr(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason);

/* Checks that input `input` has the shape `shape` and the leading input's dtype, and that `op` supports
 * it. */
bool sparse_rule_shape(const struct op *op, const struct op_operands *operands, int input,
                       const struct shape *shape, struct error *reason);

/* --- patterns of a call; false when out of memory */

/* `transposed`: exchange rows and columns. */
bool sparse_pattern_coo(struct sparse_pattern *pattern, const struct op_call *call, int input,
                        bool transposed);
/* The entries of a COO matrix in rows [first, first + rows), renumbered from 0. */
bool sparse_pattern_rows(struct sparse_pattern *pattern, const struct op_call *call, int input, int64_t first,
                         int64_t rows);
bool sparse_pattern_csr(struct sparse_pattern *pattern, const struct op_call *call, int input);
void sparse_pattern_clear(struct sparse_pattern *pattern);

/* Returns a tensor's elements as doubles, to be freed by the caller; NULL when out of memory. */
double *sparse_doubles(const struct tensor *tensor);

/* --- exact sums alpha·Σ a·b + beta·c
 *
 * Open a sum once. For each element of the result call sparse_sum_start, sparse_sum_add for each term,
 * sparse_sum_value, then sparse_sum_envelope. Close the sum at the end. */

/* Sensitivities of an element; all magnitudes are rounded up. */
enum {
    SPARSE_TERMS,          /* K, the number of terms a·b */
    SPARSE_MAGNITUDE,      /* Σ|alpha·a·b| + |beta·c| */
    SPARSE_SHARED,         /* Σ|alpha·a·b| over the terms of duplicate entries */
    SPARSE_SHARED_SPECIAL, /* 1 if a factor of a duplicate entry's term is a NaN or an infinity */
    SPARSE_SUBNORMAL,      /* Σ|alpha·a·b| over the terms with a subnormal factor */
    SPARSE_PLAIN,          /* Σ|a·b| */
    SPARSE_FACTOR,         /* max |a|, |b| */
    SPARSE_ONE_SIGN,       /* 1 if all nonzero terms and beta·c have the same sign */
    SPARSE_PARTNER,        /* the least nonzero |factor| multiplied by an infinity; else infinite */
    SPARSE_SENSITIVITIES
};

/* The state of one sum. The members are for sparse_sum.c; `failed` may be read by callers. */
struct sparse_sum {
    mpfr_t sum, term, total;
    struct double_double pair; /* the exact sum of narrow terms unless `outgrown`. If `outgrown`, or if alpha
                                  or beta require it, the terms are added in `sum` at the end */
    bool outgrown;
    bool wide;      /* float64: products need two doubles and are added in `sum` */
    double special; /* the sum of the terms that are NaN or infinite */
    int64_t terms;
    double magnitude, shared, subnormal, factor, partner, least; /* least: the dtype's least normal number */
    bool shared_special;                                         /* as SPARSE_SHARED_SPECIAL */
    double *product; /* the products in order, with room for one more; owned */
    int64_t room;
    bool failed;             /* out of memory for `product` */
    bool positive, negative; /* a term a·b of this sign has been added */
};

void sparse_sum_open(struct sparse_sum *s, enum dtype dtype);
void sparse_sum_close(struct sparse_sum *s);
void sparse_sum_start(struct sparse_sum *s);
void sparse_sum_add(struct sparse_sum *s, double a, double b, bool shared); /* += a·b */

/* Returns alpha·sum + beta·c and fills its sensitivities; lowers *bits if the value is inexact. If beta = 0,
 * c is ignored, even a NaN. */
struct value sparse_sum_value(struct sparse_sum *s, double alpha, double beta, double c, double *sensitivity,
                              int *bits);

/* Fills the envelope of element `element` of `out`; the sum must be complete. Multiplies the stored products
 * by alpha. */
void sparse_sum_envelope(struct sparse_sum *s, double alpha, double beta, double c, struct truth_output *out,
                         int64_t element);

/* --- callbacks of struct op (reference/operator/op.h) */

/* Underflow, flushed subnormal operands, and the rounding of duplicates that are summed first. */
double sparse_sum_primitive_error(const struct bound_query *query);

/* E_compute, the absolute error bound, of a sum of K terms, each rounded at most K + `more` times; derived in
 * sparse_mm.c. */
double sparse_sum_bound(const struct bound_query *query, int more);

/* accept_default with the operator's error bound; zeros of either sign are accepted. */
void sparse_sum_accept(const struct bound_query *query, struct accept *accept);

/* True if a product, a partial sum, or a product with alpha may overflow although the result need not, or if
 * alpha may underflow a factor that is multiplied by an infinity. */
bool sparse_sum_may_overflow(const struct bound_query *query);

int sparse_sum_sensitivities(const struct op_call *call, int output);

#endif

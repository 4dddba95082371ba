/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_SPARSE_SPARSE_H
#define ASSAY_REFERENCE_OPS_SPARSE_SPARSE_H

/* What the sparse operators share: patterns (COO and CSR), their rules, and exact sums of products.
 *
 * COO: indices [2, n] (row 0: rows, row 1: columns) in any order, duplicates allowed and summed. CSR:
 * crow_indices [rows + 1] and col_indices [n], which rise along each row, every place once. Indices are int32
 * or int64; the attribute `size` is [rows, columns]. */

#include "reference/operator/op.h"
#include "reference/numeric/double_double.h"

struct sparse_entry {
    int64_t row, column, position; /* position: which element of `values` */
    bool shared;                   /* another entry has the same row and column */
};

struct sparse_pattern {
    int64_t rows, columns, entries;
    struct sparse_entry *entry; /* owned; ordered by row, column, position */
};

/* --- rules: false with the reason */

/* The attribute `size`. */
bool sparse_size(const struct op *op, const struct op_operands *operands, int64_t size[2],
                 struct error *reason);

/* Indices at `input`; *entries is n. Their values are checked where they are known. */
bool sparse_rule_coo(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason);
/* crow_indices at `input`, col_indices behind it. */
bool sparse_rule_csr(const struct op *op, const struct op_operands *operands, int input,
                     const int64_t size[2], int64_t *entries, struct error *reason);

/* Input `input` is a tensor of that shape and of the leading input's dtype, which `op` supports. */
bool sparse_rule_shape(const struct op *op, const struct op_operands *operands, int input,
                       const struct shape *shape, struct error *reason);

/* --- patterns of a call; transposed: rows and columns exchanged. False when out of memory */

bool sparse_pattern_coo(struct sparse_pattern *pattern, const struct op_call *call, int input,
                        bool transposed);
/* Of a COO matrix the entries in `rows` rows from `first` on, which become rows 0, 1, …. */
bool sparse_pattern_rows(struct sparse_pattern *pattern, const struct op_call *call, int input, int64_t first,
                         int64_t rows);
bool sparse_pattern_csr(struct sparse_pattern *pattern, const struct op_call *call, int input);
void sparse_pattern_clear(struct sparse_pattern *pattern);

/* A tensor's elements as doubles; NULL when out of memory. */
double *sparse_doubles(const struct tensor *tensor);

/* --- exact sums: alpha·Σ a·b + beta·c */

/* Of each element of a sum: terms K, Σ|alpha·a·b| + |beta·c|, the part of it in shared places and whether
 * such a one met an infinity, the part with subnormal factors; Σ|a·b| and the greatest |a|, |b|; whether all
 * terms that are not zero have one sign; the least factor beside an infinite one, infinite if there is none.
 */
enum {
    SPARSE_TERMS,
    SPARSE_MAGNITUDE,
    SPARSE_SHARED,
    SPARSE_SHARED_SPECIAL,
    SPARSE_SUBNORMAL,
    SPARSE_PLAIN,
    SPARSE_FACTOR,
    SPARSE_ONE_SIGN,
    SPARSE_PARTNER,
    SPARSE_SENSITIVITIES
};

struct sparse_sum {
    mpfr_t sum, term, total;
    struct double_double pair; /* the sum of narrow terms, exactly, but where it has outgrown a pair: then, and for
                         factors, they are added up in `sum` at the end */
    bool outgrown;
    bool wide; /* float64: a product takes two doubles, and the sum is in `sum` */
    double special;
    int64_t terms;
    double magnitude, shared, subnormal, factor, partner, least; /* least: of the dtype's normal numbers */
    bool shared_special; /* an infinity or a NaN met an entry that shares its place */
    double *product;     /* the products, in order, and room for one more; owned */
    int64_t room;
    bool failed; /* out of memory for them */
    bool positive, negative;
};

void sparse_sum_open(struct sparse_sum *s, enum dtype dtype);
void sparse_sum_close(struct sparse_sum *s);
void sparse_sum_start(struct sparse_sum *s);
void sparse_sum_add(struct sparse_sum *s, double a, double b, bool shared); /* += a·b */

/* The value of alpha·sum + beta·c and its sensitivities. beta = 0 ignores c, even a NaN. */
struct value sparse_sum_value(struct sparse_sum *s, double alpha, double beta, double c, double *sensitivity,
                              int *bits);

/* Its envelope: of element `element` of `out`, whose value is known. */
void sparse_sum_envelope(struct sparse_sum *s, double alpha, double beta, double c, struct truth_output *out,
                         int64_t element);
double sparse_sum_primitive_error(const struct bound_query *query); /* underflow, flushed operands, early sums */

/* E_compute of such a sum of K terms, each rounded up to K + `more` times; see reference/ops/sparse/sparse_mm.c. */
double sparse_sum_bound(const struct bound_query *query, int more);

/* accept_default with that bound; the sign of a zero is left open. */
void sparse_sum_accept(const struct bound_query *query, struct accept *accept);

/* alpha may take a term beyond the range, or bring it back, and partial sums may leave it. */
bool sparse_sum_may_overflow(const struct bound_query *query);

int sparse_sum_sensitivities(const struct op_call *call, int output);

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_H

/* The row kit: an operator that makes one number of every row, or of every row another one of its length, is
 * a row of reference/ops/rowwise/reductions.c, softmax.c or reduction_gradients.c. A row is what the chosen
 * dimensions hold: `dim`, PyTorch's list (or number) of dimensions, negative ones from the end; all of them
 * where it is not given, or empty.
 *
 * Results are selected, counted, summed, multiplied, or come of a formula over the row
 * (reference/formula/expression.h), whose operands are x, but grad_output, which is grad, output and target, which
 * are y, and those of losses (reference/ops/loss/loss.h): weight is z, pos_weight, count and rest have their own
 * names. Attributes have them too, but for dim, keepdim and words. Of an operator without `dim` all elements
 * are one row. */

#include "reference/operator/op.h"

enum { ROWWISE_OPERANDS = 7 };
enum {
    ROWWISE_FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    ROWWISE_NUMBERS = ROWWISE_FLOATS | 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

struct rowwise {
    enum {
        ROWWISE_AS_OPERAND, /* results have the operand's dtype */
        ROWWISE_WIDE,       /* the same, but int64 of integers */
        ROWWISE_INT64,
        ROWWISE_BOOL
    } result;
    bool maps;     /* a result for each element of the row, not one for the row */
    bool gradient; /* the first of two operands is one number for each row, of the shape that a reduction of
                      the second one has; formulas have it beside each element */
    bool needs_terms; /* a row of no elements is refused; else its result is `empty` */
    double empty;
    bool empty_dim_is_none; /* an empty list of dimensions reduces none of them */

    bool least;     /* of what is selected, and of its gradient: the least element */
    bool decreases; /* of what is mapped: results fall where elements grow, so that the least ones lead */
    bool mean;                                     /* of what is summed: over the number of terms */
    int64_t (*count)(int64_t nonzero, int64_t n);  /* of what is counted */
    int64_t (*integer)(int64_t before, int64_t x); /* of integers: one more, modulo 2^64 */
    const char *formula; /* safe in range: what legal programs compute, for limits */
    const char *truth;   /* the same number in a form that does not cancel; NULL: the formula tells it */
    const char *form;    /* another legal way, safe in range too: limits are the wider of both; NULL: none */
    const char *naive; /* the form in common use that leaves the range though the result does not; NULL: none.
                          See reference/ops/elementwise/elementwise.h */
    bool deviates;  /* a variance or its root: Welford's and Chan's forms, whose running means are rounded at
                       every step, are legal too, unless the profile declares assay's own form */
    bool root;      /* its root */
    bool open_zero; /* a zero of a formula may have either sign */
    bool rescales; /* sums may be carried from one maximum to the next as the row goes by: each addition comes
                      with a product and an exponential then, unless the profile declares assay's own form */
};

/* --- rows */

struct rowwise_rows {
    int64_t rows, terms;
    int64_t *base, *term; /* NULL: rows lie one behind the other */
};

/* The operand whose dimensions make the rows. */
static inline const struct shape *rowwise_shape(const struct op_call *call)
{
    return &call->input[call->op->rowwise->gradient].shape;
}

/* Bit d of *mask: dimension d belongs to the row; false where `dim` is none, or names one twice. */
bool rowwise_mask(const struct op *op, const struct attributes *attributes, int rank, unsigned *mask);
/* False when out of memory; clear then as well. */
bool rowwise_rows_create(struct rowwise_rows *rows, const struct op *op, const struct attributes *attributes,
                         const struct shape *shape);
void rowwise_rows_clear(struct rowwise_rows *rows);

/* The element of term k of a row. */
static inline int64_t rowwise_element(const struct rowwise_rows *rows, int64_t row, int64_t k)
{
    return rows->base ? rows->base[row] + rows->term[k] : row * rows->terms + k;
}

/* The roundings that one of n terms of a sum goes through. */
double rowwise_depth(const struct profile *profile, const char *operator_name, double n);

/* --- members of a struct op */

bool rowwise_signature(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason);

/* An element of the row. Zeros of both signs are one, and so is what a device may take for zeros. */
bool rowwise_selected(const struct op_call *call, struct truth *truth, struct error *error);
int rowwise_selected_sensitivities(const struct op_call *call, int output);
void rowwise_accept_selected(const struct bound_query *query, struct accept *accept);

/* How many elements are not zero. */
bool rowwise_counted(const struct op_call *call, struct truth *truth, struct error *error);

/* Sums and means, in any order: exactly, or in doubles within a proved radius. */
bool rowwise_sum_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_sum_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_sum_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int rowwise_sum_sensitivities(const struct op_call *call, int output);
double rowwise_sum_bound(const struct bound_query *query);
double rowwise_sum_primitive_error(const struct bound_query *query);
bool rowwise_sum_may_overflow(const struct bound_query *query);
void rowwise_accept_sum(const struct bound_query *query, struct accept *accept);

/* Products, in any order: rowwise_product.c. */
bool rowwise_product(const struct op_call *call, struct truth *truth, struct error *error);
int rowwise_product_sensitivities(const struct op_call *call, int output);
double rowwise_product_bound(const struct bound_query *query);
double rowwise_product_primitive_error(const struct bound_query *query);
bool rowwise_product_may_overflow(const struct bound_query *query);

/* Of integers, modulo 2^64; for the functions above. */
bool rowwise_integers(const struct op_call *call, struct truth *truth, struct error *error);

/* A formula. */
bool rowwise_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                     struct error *error);
int rowwise_sensitivities(const struct op_call *call, int output);
double rowwise_bound(const struct bound_query *query);
double rowwise_primitive_error(const struct bound_query *query);
void rowwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
void rowwise_primitive_errors(const struct bound_query *query, int64_t first, int count, double *primitive_error);
bool rowwise_naive_may_overflow(const struct bound_query *query);
/* Zeros of either sign where they are open. */
void rowwise_accept_formula(const struct bound_query *query, struct accept *accept);

#define ROWWISE_OP(name_, dtypes_)                                                                           \
    .family = "reduction", .name = name_, .outputs = 1, .dtypes = dtypes_, .signature = rowwise_signature
#define ROWWISE_DIMS                                                                                         \
    .operands = {{"input", OPERAND_READ}},                                                                   \
    .attributes = {{"dim", ATTRIBUTE_INTEGERS}, {"keepdim", ATTRIBUTE_BOOL}},                                \
    .defaults = {{"keepdim", DEFAULT_VALUE, 0}}
#define ROWWISE_ROW(...) .rowwise = (&(const struct rowwise){__VA_ARGS__})
#define ROWWISE_SELECTS                                                                                      \
    .truth = rowwise_selected, .sensitivities = rowwise_selected_sensitivities,                              \
    .accept = rowwise_accept_selected
#define ROWWISE_COUNTS .truth = rowwise_counted
#define ROWWISE_SUMS                                                                                         \
    .truth = rowwise_sum_truth, .enclose = rowwise_sum_enclose, .certify = rowwise_sum_certify,              \
    .sensitivities = rowwise_sum_sensitivities, .bound = rowwise_sum_bound,                                  \
    .primitive_error = rowwise_sum_primitive_error, .may_overflow = rowwise_sum_may_overflow, .accept = rowwise_accept_sum,        \
    .bounded = true
#define ROWWISE_MULTIPLIES                                                                                   \
    .truth = rowwise_product, .sensitivities = rowwise_product_sensitivities,                                \
    .bound = rowwise_product_bound, .primitive_error = rowwise_product_primitive_error,                                  \
    .may_overflow = rowwise_product_may_overflow
#define ROWWISE_BY_FORMULA                                                                                   \
    .truth = rowwise_truth, .enclose = rowwise_enclose, .certify = rowwise_certify,                          \
    .sensitivities = rowwise_sensitivities, .bound = rowwise_bound, .bounds = rowwise_bounds,                \
    .primitive_error = rowwise_primitive_error, .primitive_errors = rowwise_primitive_errors, .naive_may_overflow = rowwise_naive_may_overflow

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_H
#define ASSAY_REFERENCE_OPS_ROWWISE_ROWWISE_H

/* The row-wise operator class: an operator that maps each row to one number, or to a row of the same length.
 * Its struct rowwise is an entry of reference/ops/rowwise/reductions.c, softmax.c or reduction_gradients.c. A
 * row runs over the dimensions that the attribute `dim` lists, negative ones counted from the end; all
 * dimensions where `dim` is absent or empty, or where the operator has no `dim`.
 *
 * Results are selected, counted, summed, multiplied, or computed by a formula over the row
 * (reference/formula/expression.h). In a formula the operand is x; grad_output is grad; output and target are
 * y; operands of losses (reference/ops/loss/loss.h) are weight: z, and pos_weight, count and rest by their
 * own names. Attributes have their own names too, except dim, keepdim and attributes of words, which formulas
 * do not use. */

#include "reference/operator/op.h"

enum { ROWWISE_OPERANDS = 7 };
enum {
    ROWWISE_FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    ROWWISE_NUMBERS = ROWWISE_FLOATS | 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

struct rowwise {
    enum {
        ROWWISE_AS_OPERAND, /* results have the operand's dtype */
        ROWWISE_WIDE,       /* the same, but int64 for integers */
        ROWWISE_INT64,
        ROWWISE_BOOL
    } result;
    bool maps;        /* a result for each element of the row instead of one for the row */
    bool gradient;    /* the first of two operands has one number for each row and the shape of a reduction of
                         the second one; formulas get it beside each element */
    bool needs_terms; /* an empty row is refused; else its result is `empty` */
    double empty;
    bool empty_dim_is_none; /* an empty `dim` reduces no dimension */

    bool least;     /* for a selection and its gradient: the least element */
    bool decreases; /* for a map: results fall where elements grow, so the least element leads */
    bool mean;      /* for a sum: divided by the number of terms */
    int64_t (*count)(int64_t nonzero, int64_t n);  /* result for a count */
    int64_t (*integer)(int64_t before, int64_t x); /* for integers: takes one more term, modulo 2^64 */
    const char *formula; /* what legal programs compute, for bounds; leaves no range */
    const char *truth;   /* the same number by a form that does not cancel; NULL: use `formula` */
    const char *form;    /* another legal form that leaves no range: the bound is the greater of both; NULL:
                            none */
    const char *naive;   /* the form in common use, which leaves the range though the result does not; NULL:
                            none. See reference/ops/elementwise/elementwise.h */
    bool deviates;  /* a variance or its root: Welford's and Chan's forms, which round their running means at
                       every step, are legal too, unless the profile declares assay's own form */
    bool root;      /* the root of a variance */
    bool open_zero; /* a zero may have either sign */
    bool rescales;  /* sums may be rescaled when the running maximum of the row changes: each addition then
                       comes with a product and an exponential, unless the profile declares assay's own form */
};

/* --- rows */

struct rowwise_rows {
    int64_t rows, terms;
    int64_t *base, *term; /* NULL: rows are contiguous, one after the other */
};

/* Returns the shape of the operand whose dimensions make the rows. */
static inline const struct shape *rowwise_shape(const struct op_call *call)
{
    return &call->input[call->op->rowwise->gradient].shape;
}

/* Sets bit d of *mask if dimension d belongs to the row. Returns false if `dim` is out of range, missing
 * where it is required, or names a dimension twice. */
bool rowwise_mask(const struct op *op, const struct attributes *attributes, int rank, unsigned *mask);
/* Returns false when out of memory; the caller clears the rows in either case. */
bool rowwise_rows_create(struct rowwise_rows *rows, const struct op *op, const struct attributes *attributes,
                         const struct shape *shape);
void rowwise_rows_clear(struct rowwise_rows *rows);

/* Returns the element that is term k of the row. */
static inline int64_t rowwise_element(const struct rowwise_rows *rows, int64_t row, int64_t k)
{
    return rows->base ? rows->base[row] + rows->term[k] : row * rows->terms + k;
}

/* Returns the number of roundings that any one of n terms of a sum goes through at most. */
double rowwise_depth(const struct profile *profile, const char *operator_name, double n);

/* --- members of a struct op */

bool rowwise_signature(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason);

/* Selection of an element of the row. Zeros of both signs are equal, and so are numbers that a device may
 * treat as zeros. */
bool rowwise_selected(const struct op_call *call, struct truth *truth, struct error *error);
int rowwise_selected_sensitivities(const struct op_call *call, int output);
void rowwise_accept_selected(const struct bound_query *query, struct accept *accept);

/* Counts of the elements that are not zero. */
bool rowwise_counted(const struct op_call *call, struct truth *truth, struct error *error);

/* Sums and means in any order: exact, or doubles within a proved radius. */
bool rowwise_sum_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_sum_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_sum_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int rowwise_sum_sensitivities(const struct op_call *call, int output);
double rowwise_sum_bound(const struct bound_query *query);
double rowwise_sum_primitive_error(const struct bound_query *query);
bool rowwise_sum_may_overflow(const struct bound_query *query);
void rowwise_accept_sum(const struct bound_query *query, struct accept *accept);

/* Products in any order (rowwise_product.c). */
bool rowwise_product(const struct op_call *call, struct truth *truth, struct error *error);
int rowwise_product_sensitivities(const struct op_call *call, int output);
double rowwise_product_bound(const struct bound_query *query);
double rowwise_product_primitive_error(const struct bound_query *query);
bool rowwise_product_may_overflow(const struct bound_query *query);

/* Sums and products of integers modulo 2^64; the functions above call it. */
bool rowwise_integers(const struct op_call *call, struct truth *truth, struct error *error);

/* Formulas. */
bool rowwise_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool rowwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                     struct error *error);
int rowwise_sensitivities(const struct op_call *call, int output);
double rowwise_bound(const struct bound_query *query);
double rowwise_primitive_error(const struct bound_query *query);
void rowwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
void rowwise_primitive_errors(const struct bound_query *query, int64_t first, int count,
                              double *primitive_error);
bool rowwise_naive_may_overflow(const struct bound_query *query);
/* Accepts zeros of either sign where the row has open_zero. */
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
    .primitive_error = rowwise_sum_primitive_error, .may_overflow = rowwise_sum_may_overflow,                \
    .accept = rowwise_accept_sum, .bounded = true
#define ROWWISE_MULTIPLIES                                                                                   \
    .truth = rowwise_product, .sensitivities = rowwise_product_sensitivities,                                \
    .bound = rowwise_product_bound, .primitive_error = rowwise_product_primitive_error,                      \
    .may_overflow = rowwise_product_may_overflow
#define ROWWISE_BY_FORMULA                                                                                   \
    .truth = rowwise_truth, .enclose = rowwise_enclose, .certify = rowwise_certify,                          \
    .sensitivities = rowwise_sensitivities, .bound = rowwise_bound, .bounds = rowwise_bounds,                \
    .primitive_error = rowwise_primitive_error, .primitive_errors = rowwise_primitive_errors,                \
    .naive_may_overflow = rowwise_naive_may_overflow

#endif

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The row-wise operator class: dimensions and shapes, and results that are selected or counted. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/operator/reduction.h"

#include <math.h>
#include <stdlib.h>

/* --- rows */

static bool add_dimension(int64_t dim, int rank, unsigned *mask)
{
    int64_t most = rank > 0 ? rank : 1; /* a scalar has the dimension 0 */
    if (dim < -most || dim >= most) {
        return false;
    }
    unsigned bit = 1U << (dim < 0 ? dim + most : dim);
    bool twice = (*mask & bit) != 0;
    *mask |= bit;
    return !twice;
}

bool rowwise_mask(const struct op *op, const struct attributes *attributes, int rank, unsigned *mask)
{
    const struct integers *dims = attributes_integers(attributes, "dim");
    const unsigned all = (1U << rank) - 1;
    bool good = true;
    *mask = 0;
    const struct op_attribute *dim = op_attribute_named(op, "dim");
    if (dim && dim->type == ATTRIBUTE_INTEGER) {
        good = attributes_given(attributes, "dim") &&
               add_dimension(attributes_integer(attributes, "dim", 0), rank, mask);
    } else if (!dims || (dims->count == 0 && !op->rowwise->empty_dim_is_none)) {
        *mask = all;
    }
    for (int k = 0; dims && k < dims->count && good; k++) {
        good = add_dimension(dims->item[k], rank, mask);
    }
    *mask &= all;
    return good;
}

bool rowwise_rows_create(struct rowwise_rows *rows, const struct op *op, const struct attributes *attributes,
                         const struct shape *shape)
{
    unsigned mask;
    struct reduction r;
    *rows = (struct rowwise_rows){.rows = 1, .terms = 1};
    rowwise_mask(op, attributes, shape->rank, &mask);
    for (int d = 0; d < shape->rank; d++) {
        int64_t *count = mask >> d & 1 ? &rows->terms : &rows->rows;
        *count = count_product(*count, shape->dim[d]);
    }
    const unsigned all = (1U << shape->rank) - 1, kept = all & ~mask;
    if ((kept & (kept + 1)) == 0) { /* the row is the last dimensions */
        return true;
    }
    bool good = reduction_create(&r, shape, mask);
    rows->base = r.base;
    rows->term = r.term;
    return good;
}

void rowwise_rows_clear(struct rowwise_rows *rows)
{
    free(rows->base);
    free(rows->term);
    rows->base = rows->term = NULL;
}

double rowwise_depth(const struct profile *profile, const char *operator_name, double n)
{
    double h = summation_depth(profile_summation(profile, operator_name), n), any = n > 1 ? n - 1 : 0;
    /* For assay's own kernels: parts of 4,096 terms in at least 32 running sums, or one after the other up to
     * 32 terms; then trees, and the same for the parts. The CPU backend's pairwise sums stay below. */
    return h >= 0 ? h : fmin(any, 48 + fmin(n, 4096) / 32 + n * 0x1p-17);
}

/* --- shapes */

/* True if all operands have the dtype and shape of x, except the first one of a gradient, which has the shape
 * of a reduction of x. */
static bool takes(const struct op *op, const struct op_operands *operands, const struct view *x,
                  const struct shape *reduced, struct error *reason)
{
    for (int k = 0; k < operands->inputs; k++) {
        const struct view *other = &operands->input[k];
        bool first = op->rowwise->gradient && k == 0;
        if (other->dtype != x->dtype || !shape_equal(&other->shape, first ? reduced : &x->shape)) {
            return error_set(reason,
                             first ? "%s: grad_output must have the dtype of input, and the shape that it "
                                     "has reduced"
                                   : "%s: operands must have one dtype and one shape",
                             op->name);
        }
    }
    return (op->dtypes >> x->dtype & 1) ||
           error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
}

bool rowwise_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                       struct error *reason)
{
    const struct rowwise *row = op->rowwise;
    const struct view *x = &operands->input[row->gradient];
    bool integers = !dtype_is_floating(x->dtype);
    bool keep = attributes_integer(operands->attributes, "keepdim", 0) != 0;
    unsigned mask;
    int64_t terms = 1;
    struct shape reduced = {.rank = 0};
    *out = (struct op_signature){.outputs = 1};
    if (!rowwise_mask(op, operands->attributes, x->shape.rank, &mask)) {
        return error_set(reason, "%s: a dimension is missing, out of range, or named twice", op->name);
    }
    out->output[0].dtype = row->result == ROWWISE_BOOL ? DTYPE_BOOL
                           : row->result == ROWWISE_INT64 || (row->result == ROWWISE_WIDE && integers)
                               ? DTYPE_INT64
                               : x->dtype;
    for (int d = 0; d < x->shape.rank; d++) {
        bool gone = mask >> d & 1;
        terms = gone ? count_product(terms, x->shape.dim[d]) : terms;
        if (!gone || keep) {
            reduced.dim[reduced.rank++] = gone ? 1 : x->shape.dim[d];
        }
    }
    out->output[0].shape = row->maps ? x->shape : reduced;
    if (!takes(op, operands, x, &reduced, reason)) {
        return false;
    }
    return terms > 0 || !row->needs_terms ||
           error_set(reason, "%s: there is none among no elements", op->name);
}

/* --- selected */

enum {
    TINY,
    ZEROS,
    SELECTED_SENSITIVITIES
}; /* greatest |x| among zeros and subnormals; whether zeros of both signs occur */

int rowwise_selected_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return dtype_is_floating(call->input[0].dtype) ? SELECTED_SENSITIVITIES : 0;
}

static struct value select_integer(const struct tensor *x, const struct rowwise_rows *rows, int64_t row,
                                   bool least)
{
    const size_t size = dtype_info(x->dtype)->size;
    int64_t best = 0;
    for (int64_t k = 0; k < rows->terms; k++) {
        int64_t one = dtype_load_integer(x->dtype, x->data + (size_t)rowwise_element(rows, row, k) * size);
        best = k == 0 || (least ? one < best : one > best) ? one : best;
    }
    return value_of_integer(best);
}

static struct value select_real(const struct tensor *x, const struct rowwise_rows *rows, int64_t row,
                                bool least, double *sensitivity)
{
    const double normal = dtype_least_normal(x->dtype);
    double best = least ? INFINITY : -INFINITY, tiny = 0;
    bool nan = false, zero[2] = {false, false}, special = false;
    for (int64_t k = 0; k < rows->terms; k++) {
        double one = tensor_component(x, rowwise_element(rows, row, k));
        nan = nan || isnan(one);
        special = special || !isfinite(one);
        best = (least ? one < best : one > best) ? one : best;
        tiny = fabs(one) < normal && fabs(one) > tiny ? fabs(one) : tiny;
        zero[signbit(one) != 0] |= one == 0;
    }
    sensitivity[TINY] = tiny;
    sensitivity[ZEROS] = zero[0] && zero[1];
    best = best == 0 ? (zero[0] ? 0.0 : -0.0) : best;
    struct value value = value_of(nan ? NAN : best);
    value.special_input = special;
    return value;
}

bool rowwise_selected(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *x = &call->input[0];
    const bool least = call->op->rowwise->least;
    struct truth_output *out = &truth->output[0];
    struct rowwise_rows rows;
    bool good = rowwise_rows_create(&rows, call->op, call->attributes, &x->shape) ||
                error_set(error, "%s: out of memory for rows", call->op->name);
    for (int64_t i = 0; good && i < out->elements; i++) {
        out->value[i] = dtype_is_floating(x->dtype)
                            ? select_real(x, &rows, i, least, &out->sensitivity[i * SELECTED_SENSITIVITIES])
                            : select_integer(x, &rows, i, least);
    }
    rowwise_rows_clear(&rows);
    return good;
}

void rowwise_accept_selected(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    accept_rounded(accept, out->dtype, query->profile, value);
    if (!dtype_is_floating(out->dtype) || value->class != VALUE_FINITE) {
        return;
    }
    const double *s = &out->sensitivity[query->element * SELECTED_SENSITIVITIES];
    bool flushes = profile_loses_subnormals(query->profile, out->dtype);
    if (flushes && fabs(value->hi) < dtype_least_normal(out->dtype)) {
        struct accept among; /* all numbers that may compare as zeros */
        struct value zero = value_of(0);
        accept_default(&among, out->dtype, query->profile, &zero, s[TINY]);
        accept_union(accept, &among);
    }
    if (s[ZEROS] != 0 || flushes) {
        accept_any_zero(accept);
    }
}

/* --- counted */

bool rowwise_counted(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *x = &call->input[0];
    const size_t size = dtype_info(x->dtype)->size;
    const bool real = dtype_is_floating(x->dtype);
    struct truth_output *out = &truth->output[0];
    struct rowwise_rows rows;
    bool good = rowwise_rows_create(&rows, call->op, call->attributes, &x->shape) ||
                error_set(error, "%s: out of memory for rows", call->op->name);
    for (int64_t i = 0; good && i < out->elements; i++) {
        int64_t nonzero = 0;
        for (int64_t k = 0; k < rows.terms; k++) {
            const unsigned char *from = x->data + (size_t)rowwise_element(&rows, i, k) * size;
            nonzero += real ? dtype_load(x->dtype, from) != 0 : dtype_load_integer(x->dtype, from) != 0;
        }
        out->value[i] = value_of_integer(call->op->rowwise->count(nonzero, rows.terms));
    }
    rowwise_rows_clear(&rows);
    return good;
}

/* --- integers */

bool rowwise_integers(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *x = &call->input[0];
    const size_t size = dtype_info(x->dtype)->size;
    struct truth_output *out = &truth->output[0];
    struct rowwise_rows rows;
    bool good = rowwise_rows_create(&rows, call->op, call->attributes, &x->shape) ||
                error_set(error, "%s: out of memory for rows", call->op->name);
    for (int64_t i = 0; good && i < out->elements; i++) {
        int64_t result = (int64_t)call->op->rowwise->empty;
        for (int64_t k = 0; k < rows.terms; k++) {
            const unsigned char *from = x->data + (size_t)rowwise_element(&rows, i, k) * size;
            result = call->op->rowwise->integer(result, dtype_load_integer(x->dtype, from));
        }
        out->value[i] = value_of_integer(result);
    }
    rowwise_rows_clear(&rows);
    return good;
}

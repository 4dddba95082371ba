/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/rows.h"

#include <stdlib.h>
#include <string.h>

static bool mark(int64_t dim, int rank, unsigned *mask)
{
    int64_t most = rank ? rank : 1;
    if (dim < -most || dim >= most) {
        return false;
    }
    unsigned bit = 1U << (dim + (dim < 0 ? most : 0));
    bool known = *mask & bit;
    *mask |= bit;
    return !known;
}

/* Sets bit d of *mask if dimension d belongs to the row; false if `dim` is out of range or repeated. */
static bool row_mask(const struct attributes *attributes, int rank, bool none, unsigned *mask)
{
    const struct integers *dims = attributes_integers(attributes, "dim");
    *mask = !dims || (dims->count == 0 && !none) ? (1U << rank) - 1 : 0;
    for (int k = 0; dims && k < dims->count; k++) {
        if (!mark(dims->item[k], rank, mask)) {
            return false;
        }
    }
    return true;
}

/* Copies the elements of a row to `to`, in the type of the computation. */
static void gather(const struct cpu_view *row, int64_t n, bool counts, void *to)
{
    for (int64_t k = 0; k < n; k++) {
        if (counts) {
            ((int64_t *)to)[k] =
                dtype_is_real(row->dtype) ? cpu_load(row, k) != 0 : cpu_load_integer(row, k) != 0;
        } else if (!dtype_is_real(row->dtype)) {
            ((int64_t *)to)[k] = cpu_load_integer(row, k);
        } else if (row->dtype == DTYPE_FLOAT64) {
            ((double *)to)[k] = cpu_load(row, k);
        } else {
            ((float *)to)[k] = (float)cpu_load(row, k);
        }
    }
}

static void put_integer(const struct cpu_view *y, int64_t i, int64_t x)
{
    int32_t narrow = (int32_t)x;
    if (y->dtype == DTYPE_INT64) {
        memcpy(cpu_at(y, i), &x, sizeof x);
    } else if (y->dtype == DTYPE_INT32) {
        memcpy(cpu_at(y, i), &narrow, sizeof narrow);
    } else {
        *cpu_at(y, i) = x != 0;
    }
}

static void reduce_row(const struct cpu_row_function *f, const struct cpu_view *x, const void *row, int64_t n,
                       const double *p, const struct cpu_view *y, int64_t i)
{
    if (f->counts || !dtype_is_real(x->dtype)) {
        put_integer(y, i, f->integer(row, n));
    } else {
        cpu_store(y, i, x->dtype == DTYPE_FLOAT64 ? f->wide(row, n, p) : (double)f->single(row, n, p));
    }
}

enum cpu_status cpu_reduce_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason)
{
    (void)inputs, (void)outputs;
    const struct cpu_view *x = &input[0];
    const struct cpu_row_function *f = op->row;
    unsigned mask;
    const double p[] = {attributes_real(attributes, "correction", 1)};
    bool whole = x->dtype == DTYPE_INT32 || x->dtype == DTYPE_INT64;
    if (whole ? !f->integer : !dtype_is_real(x->dtype)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!row_mask(attributes, x->shape.rank, f->none, &mask)) {
        return cpu_reject(reason, "a dimension is out of range, or named twice");
    }
    struct cpu_view row = cpu_restricted(x, mask), kept = cpu_restricted(x, ~mask);
    int64_t n = shape_elements(&row.shape), count = shape_elements(&kept.shape);
    if (n == 0 && f->needs_terms) {
        return cpu_reject(reason, "nothing to choose from");
    }
    void *terms = cpu_allocate(n, sizeof(double), reason);
    for (int64_t i = 0; terms && i < count; i++) {
        row.data = cpu_at(&kept, i);
        gather(&row, n, f->counts, terms);
        reduce_row(f, x, terms, n, p, &output[0], i);
    }
    free(terms);
    return terms ? CPU_OK : CPU_OUT_OF_MEMORY;
}

/* As row_mask, for maps: a gradient takes a list of dimensions, other maps one dimension, which must be
 * given. */
static bool map_mask(const struct cpu_op *op, const struct attributes *attributes, int rank, unsigned *mask)
{
    *mask = 0;
    return op->row->gradient ? row_mask(attributes, rank, false, mask)
                             : attributes_given(attributes, "dim") &&
                                   mark(attributes_integer(attributes, "dim", 0), rank, mask);
}

/* True if grad_output has the shape and dtype of the reduced input. */
static bool fits(const struct cpu_view *grad, const struct cpu_view *x, unsigned mask, bool keep)
{
    struct shape shape = {.rank = 0};
    for (int d = 0; d < x->shape.rank; d++) {
        if (keep || !(mask >> d & 1)) {
            shape.dim[shape.rank++] = mask >> d & 1 ? 1 : x->shape.dim[d];
        }
    }
    return grad->dtype == x->dtype && shape_equal(&grad->shape, &shape);
}

/* Copies row i of every operand to `terms`, one after the other. */
static void gather_all(const struct cpu_op *op, int inputs, const struct cpu_view *input, unsigned mask,
                       int64_t i, int64_t n, double *terms)
{
    for (int k = 0; k < inputs; k++) {
        const bool alone = op->row->gradient && k == 0, wide = input[k].dtype == DTYPE_FLOAT64;
        struct cpu_view row = cpu_restricted(&input[k], mask), others = cpu_restricted(&input[k], ~mask);
        float *to = (float *)terms + k * n;
        if (!alone) {
            row.data = cpu_at(&others, i);
            gather(&row, n, false, wide ? (void *)(terms + k * n) : (void *)to);
        }
        for (int64_t t = 0; alone && t < n; t++) {
            if (wide) {
                terms[t] = cpu_load(&input[k], i);
            } else {
                to[t] = (float)cpu_load(&input[k], i);
            }
        }
    }
}

enum cpu_status cpu_map_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason)
{
    (void)outputs;
    const struct cpu_view *x = &input[op->row->gradient];
    const bool wide = x->dtype == DTYPE_FLOAT64;
    const double p[] = {attributes_real(attributes, "correction", 1)};
    unsigned mask;
    if (!dtype_is_real(x->dtype)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!map_mask(op, attributes, x->shape.rank, &mask)) {
        return cpu_reject(reason, "a dimension is missing, out of range, or named twice");
    }
    if (op->row->gradient && !fits(&input[0], x, mask, attributes_integer(attributes, "keepdim", 0) != 0)) {
        return cpu_reject(reason, "grad_output is not as the input reduced");
    }
    struct cpu_view kept = cpu_restricted(x, ~mask), to = cpu_restricted(&output[0], mask),
                    kept_to = cpu_restricted(&output[0], ~mask);
    struct cpu_view row = cpu_restricted(x, mask);
    int64_t n = shape_elements(&row.shape), count = shape_elements(&kept.shape);
    if (n == 0 && op->row->needs_terms) {
        return cpu_reject(reason, "nothing to choose from");
    }
    double *terms = cpu_allocate((inputs + 1) * n, sizeof *terms, reason);
    if (!terms) {
        return CPU_OUT_OF_MEMORY;
    }
    double *results = terms + inputs * n;
    for (int64_t i = 0; n > 0 && i < count; i++) {
        to.data = cpu_at(&kept_to, i);
        gather_all(op, inputs, input, mask, i, n, terms);
        if (wide) {
            op->row->wide_map(terms, results, n, p);
        } else {
            op->row->single_map((const float *)terms, (float *)results, n, p);
        }
        for (int64_t k = 0; k < n; k++) {
            cpu_store(&to, k, wide ? results[k] : (double)((float *)results)[k]);
        }
    }
    free(terms);
    return CPU_OK;
}

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

/* Bit d: dimension d belongs to the row. */
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

/* A row's elements in the type that they are computed in. */
static void gather(const struct cpu_view *row, int64_t n, bool counts, void *to)
{
    for (int64_t k = 0; k < n; k++) {
        if (counts) {
            ((int64_t *)to)[k] =
                cpu_is_real(row->dtype) ? cpu_load(row, k) != 0 : cpu_load_integer(row, k) != 0;
        } else if (!cpu_is_real(row->dtype)) {
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
    if (f->counts || !cpu_is_real(x->dtype)) {
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
    if (whole ? !f->integer : !cpu_is_real(x->dtype)) {
        error_set(reason, "the witness has no %s for %s", op->name, dtype_info(x->dtype)->name);
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
    void *terms = malloc(((size_t)n + 1) * sizeof(double));
    for (int64_t i = 0; terms && i < count; i++) {
        row.data = cpu_at(&kept, i);
        gather(&row, n, f->counts, terms);
        reduce_row(f, x, terms, n, p, &output[0], i);
    }
    free(terms);
    return terms ? CPU_OK : CPU_UNSUPPORTED;
}

/* `dim` is one dimension, which must be given. */
enum cpu_status cpu_map_rows(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason)
{
    (void)outputs;
    const struct cpu_view *x = &input[0];
    const bool wide = x->dtype == DTYPE_FLOAT64;
    unsigned mask = 0;
    if (!cpu_is_real(x->dtype)) {
        error_set(reason, "the witness has no %s for %s", op->name, dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!attributes_given(attributes, "dim") ||
        !mark(attributes_integer(attributes, "dim", 0), x->shape.rank, &mask)) {
        return cpu_reject(reason, "the dimension is missing, or out of range");
    }
    struct cpu_view kept = cpu_restricted(x, ~mask), to = cpu_restricted(&output[0], mask),
                    kept_to = cpu_restricted(&output[0], ~mask);
    int64_t n = shape_elements(&to.shape), count = shape_elements(&kept.shape);
    double *terms = malloc(((size_t)(inputs + 1) * (size_t)n + 1) * sizeof *terms),
           *results = terms + inputs * n;
    for (int64_t i = 0; terms && i < count; i++) {
        to.data = cpu_at(&kept_to, i);
        for (int k = 0; k < inputs; k++) {
            struct cpu_view row = cpu_restricted(&input[k], mask), others = cpu_restricted(&input[k], ~mask);
            row.data = cpu_at(&others, i);
            gather(&row, n, false, wide ? (void *)(terms + k * n) : (void *)((float *)terms + k * n));
        }
        if (wide) {
            op->row->wide_map(terms, results, n);
        } else {
            op->row->single_map((const float *)terms, (float *)results, n);
        }
        for (int64_t k = 0; k < n; k++) {
            cpu_store(&to, k, wide ? results[k] : (double)((float *)results)[k]);
        }
    }
    free(terms);
    return terms ? CPU_OK : CPU_UNSUPPORTED;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sparse times dense: the products of each entry are added to a dense array of sums, in the order of the
 * entries, in float32 for the 16-bit types. */

#include "kernels/cpu/sparse.h"

#include <stdlib.h>

struct product {
    const struct cpu_places *places;
    const struct cpu_view *values, *dense, *start, *result; /* start NULL: absent */
    int64_t columns;
    double alpha, beta;
    bool transposed;
};

#define DEFINE_PRODUCT(name, real)                                                                           \
    static bool name(const struct product *x, struct error *reason)                                          \
    {                                                                                                        \
        int64_t rows = x->transposed ? x->places->columns : x->places->rows, n = x->columns;                 \
        real *sum = cpu_allocate(rows * n, sizeof *sum, reason);                                             \
        for (int64_t p = 0; sum && p < x->places->entries; p++) {                                            \
            int64_t r = x->transposed ? x->places->column[p] : x->places->row[p];                            \
            int64_t c = x->transposed ? x->places->row[p] : x->places->column[p];                            \
            real v = (real)cpu_load(x->values, p);                                                           \
            for (int64_t j = 0; j < n; j++) {                                                                \
                sum[r * n + j] += v * (real)cpu_load(x->dense, c * n + j);                                   \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t i = 0; sum && i < rows * n; i++) {                                                      \
            real y = x->start ? (real)x->alpha * sum[i] : sum[i];                                            \
            if (x->start && x->beta != 0) {                                                                  \
                y += (real)x->beta * (real)cpu_load(x->start, i);                                            \
            }                                                                                                \
            cpu_store(x->result, i, (double)y);                                                              \
        }                                                                                                    \
        free(sum);                                                                                           \
        return sum != NULL;                                                                                  \
    }

DEFINE_PRODUCT(product_float, float)
DEFINE_PRODUCT(product_double, double)

enum { MM, MV, ADDMM, CSR_MM, CSR_MV, BACKWARD_DENSE };

static const struct roles { /* indices of the inputs; start −1: absent */
    int start, pattern, values, dense;
    bool csr, vector, transposed;
} roles[] = {
    [MM] = {.start = -1, .pattern = 0, .values = 1, .dense = 2},
    [MV] = {.start = -1, .pattern = 0, .values = 1, .dense = 2, .vector = true},
    [ADDMM] = {.start = 0, .pattern = 1, .values = 2, .dense = 3},
    [CSR_MM] = {.start = -1, .pattern = 0, .values = 2, .dense = 3, .csr = true},
    [CSR_MV] = {.start = -1, .pattern = 0, .values = 2, .dense = 3, .csr = true, .vector = true},
    [BACKWARD_DENSE] = {.start = -1, .pattern = 1, .values = 2, .dense = 0, .transposed = true},
};

static enum cpu_status expect_all(const struct cpu_view *input, const struct roles *r,
                                  const struct cpu_places *places, int64_t columns, struct error *reason)
{
    int rank = r->vector ? 1 : 2;
    enum dtype dtype = input[r->values].dtype;
    struct shape values = {.rank = 1, .dim = {places->entries}}, start = {.rank = 2};
    struct shape dense = {.rank = rank, .dim = {r->transposed ? places->rows : places->columns, columns}};
    start.dim[0] = places->rows;
    start.dim[1] = columns;
    if (!dtype_is_real(dtype)) {
        error_set(reason, "the CPU backend has no sparse product of %s", dtype_info(dtype)->name);
        return CPU_UNSUPPORTED;
    }
    enum cpu_status status = cpu_expect(&input[r->values], &values, dtype, reason);
    status = status == CPU_OK ? cpu_expect(&input[r->dense], &dense, dtype, reason) : status;
    return status == CPU_OK && r->start >= 0 ? cpu_expect(&input[r->start], &start, dtype, reason) : status;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)inputs;
    const struct roles *r = &roles[op->variant];
    struct cpu_places places;
    const struct cpu_view *dense = &input[r->dense];
    int64_t columns = !r->vector && dense->shape.rank == 2 ? dense->shape.dim[1] : 1;
    enum cpu_status status = cpu_places_read(&places, attributes, &input[r->pattern], r->csr, reason);
    status = status == CPU_OK ? expect_all(input, r, &places, columns, reason) : status;
    if (status == CPU_OK && outputs > 0) {
        struct product x = {.places = &places,
                            .values = &input[r->values],
                            .dense = dense,
                            .start = r->start >= 0 ? &input[r->start] : NULL,
                            .result = &output[0],
                            .columns = columns,
                            .alpha = attributes_real(attributes, "alpha", 1),
                            .beta = attributes_real(attributes, "beta", 1),
                            .transposed = r->transposed};
        bool good = dense->dtype == DTYPE_FLOAT64 ? product_double(&x, reason) : product_float(&x, reason);
        status = good ? CPU_OK : CPU_OUT_OF_MEMORY;
    }
    cpu_places_clear(&places);
    return status;
}

static const struct cpu_op ops[] = {
    {.name = "sparse_mm", .variant = MM, .run = run},
    {.name = "sparse_mv", .variant = MV, .run = run},
    {.name = "sparse_addmm", .variant = ADDMM, .run = run},
    {.name = "csr_mm", .variant = CSR_MM, .run = run},
    {.name = "csr_mv", .variant = CSR_MV, .run = run},
    {.name = "sparse_mm_backward_dense", .variant = BACKWARD_DENSE, .run = run},
};

const struct cpu_op_set cpu_op_set_sparse_mm = {.op = ops, .count = sizeof ops / sizeof *ops};

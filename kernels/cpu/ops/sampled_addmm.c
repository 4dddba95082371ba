/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Dot products at the places of a sparse matrix, summed in the order of the terms, in float32 for the 16-bit
 * types. */

#include "kernels/cpu/sparse.h"

struct sampling {
    const struct cpu_places *places;
    const struct cpu_view *left, *right, *values, *result; /* values NULL: absent */
    int64_t inner;
    bool right_by_column; /* `right` is [columns, inner] */
    double alpha, beta;
};

#define DEFINE_SAMPLING(name, real)                                                                          \
    static void name(const struct sampling *x)                                                               \
    {                                                                                                        \
        for (int64_t p = 0; p < x->places->entries; p++) {                                                   \
            int64_t r = x->places->row[p], c = x->places->column[p];                                         \
            real sum = 0;                                                                                    \
            for (int64_t k = 0; k < x->inner; k++) {                                                         \
                int64_t at = x->right_by_column ? c * x->inner + k : k * x->places->columns + c;             \
                sum += (real)cpu_load(x->left, r * x->inner + k) * (real)cpu_load(x->right, at);             \
            }                                                                                                \
            if (x->values) {                                                                                 \
                sum *= (real)x->alpha;                                                                       \
            }                                                                                                \
            if (x->values && x->beta != 0) {                                                                 \
                sum += (real)x->beta * (real)cpu_load(x->values, p);                                         \
            }                                                                                                \
            cpu_store(x->result, p, (double)sum);                                                            \
        }                                                                                                    \
    }

DEFINE_SAMPLING(sample_float, float)
DEFINE_SAMPLING(sample_double, double)

enum { SAMPLED, BACKWARD };

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)inputs;
    bool sampled = op->variant == SAMPLED;
    struct cpu_places places;
    const struct cpu_view *left = &input[sampled ? 3 : 0], *right = &input[sampled ? 4 : 2];
    enum cpu_status status = cpu_places_read(&places, attributes, &input[sampled ? 0 : 1], sampled, reason);
    int64_t inner = left->shape.rank == 2 ? left->shape.dim[1] : 0;
    struct shape values = {.rank = 1, .dim = {places.entries}};
    struct shape rows = {.rank = 2, .dim = {places.rows, inner}};
    struct shape columns = {.rank = 2,
                            .dim = {sampled ? inner : places.columns, sampled ? places.columns : inner}};
    if (status == CPU_OK && !dtype_is_real(left->dtype)) {
        error_set(reason, "the CPU backend has no sampled product of %s", dtype_info(left->dtype)->name);
        status = CPU_UNSUPPORTED;
    }
    status = status == CPU_OK ? cpu_expect(left, &rows, left->dtype, reason) : status;
    status = status == CPU_OK ? cpu_expect(right, &columns, left->dtype, reason) : status;
    status = status == CPU_OK && sampled ? cpu_expect(&input[2], &values, left->dtype, reason) : status;
    if (status == CPU_OK && outputs > 0) {
        struct sampling x = {.places = &places,
                             .left = left,
                             .right = right,
                             .values = sampled ? &input[2] : NULL,
                             .result = &output[0],
                             .inner = inner,
                             .right_by_column = !sampled,
                             .alpha = attributes_real(attributes, "alpha", 1),
                             .beta = attributes_real(attributes, "beta", 1)};
        (left->dtype == DTYPE_FLOAT64 ? sample_double : sample_float)(&x);
    }
    cpu_places_clear(&places);
    return status;
}

static const struct cpu_op ops[] = {{.name = "sampled_addmm", .variant = SAMPLED, .run = run},
                                    {.name = "sparse_mm_backward_sparse", .variant = BACKWARD, .run = run}};

const struct cpu_op_set cpu_op_set_sampled_addmm = {.op = ops, .count = sizeof ops / sizeof *ops};

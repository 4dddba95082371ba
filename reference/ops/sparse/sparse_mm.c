/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of a sparse matrix A with a dense one: sparse_mm, sparse_mv, sparse_addmm (A in COO), csr_mm,
 * csr_mv (A in CSR), and sparse_mm_backward_dense = Aᵀ·grad, the gradient of sparse_mm by its dense operand.
 *
 * Definition: PyTorch torch.sparse.mm, torch.mv, torch.sparse.addmm: beta·input + alpha·A·D, where input is
 * ignored if beta = 0. Every stored entry is a term: an explicit zero times infinity is NaN. Entries that are
 * not stored contribute nothing; an empty row is exactly 0. Duplicates are summed.
 *
 * Truth: exact sums. Error bound: each of the K = nnz(row) terms is rounded at most K times in any order of
 * summation (one product, K − 1 sums): profile_sum_error(K)·(|A||D|)_ij, K·u under round to nearest. In
 * sparse_addmm, alpha, beta and the sum with beta·input add two roundings of |alpha||A||D| + |beta·input|;
 * the sum may start with input. Each product may underflow before it is multiplied by alpha. */

#include "reference/ops/sparse/sparse.h"

#include <stdlib.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { SPARSE_MM, SPARSE_MV, SPARSE_ADDMM, CSR_MM, CSR_MV, BACKWARD_DENSE };

struct roles {
    int start, pattern, values, dense; /* numbers of inputs; start: the input `mat`, −1 if there is none */
    bool csr, vector, transposed;
};

static struct roles roles_of(const struct op *op)
{
    struct roles roles = {.start = op_input_named(op, "mat"),
                          .pattern = op_first_indices(op),
                          .values = op_input_named(op, "values"),
                          .csr = op->variant == CSR_MM || op->variant == CSR_MV,
                          .vector = op->variant == SPARSE_MV || op->variant == CSR_MV,
                          .transposed = op->variant == BACKWARD_DENSE};
    roles.dense = op_input_named(op, roles.vector ? "vec" : roles.transposed ? "grad" : "mat2");
    return roles;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct roles r = roles_of(op);
    const struct view *dense = &operands->input[r.dense];
    int64_t size[2], entries;
    if (!sparse_size(op, operands, size, reason) ||
        !(r.csr ? sparse_rule_csr : sparse_rule_coo)(op, operands, r.pattern, size, &entries, reason)) {
        return false;
    }
    int rank = r.vector ? 1 : 2;
    struct shape values = {.rank = 1, .dim = {entries}}, shape = {.rank = rank}, result = {.rank = rank};
    shape.dim[0] = size[r.transposed ? 0 : 1];
    result.dim[0] = size[r.transposed ? 1 : 0];
    shape.dim[1] = result.dim[1] = dense->shape.rank == 2 && !r.vector ? dense->shape.dim[1] : 0;
    if (!sparse_rule_shape(op, operands, r.values, &values, reason) ||
        !sparse_rule_shape(op, operands, r.dense, &shape, reason) ||
        (r.start >= 0 && !sparse_rule_shape(op, operands, r.start, &result, reason))) {
        return false;
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = dense->dtype;
    out->output[0].shape = result;
    return true;
}

struct factors {
    double *values, *dense, *start;
    double alpha, beta;
    int64_t columns; /* of the result */
};

/* Computes row r of the result from pattern->entry[first … end − 1]. */
static void row_truth(const struct sparse_pattern *pattern, const struct factors *f, int64_t r, int64_t first,
                      int64_t end, struct sparse_sum *sum, struct truth *truth)
{
    struct truth_output *out = &truth->output[0];
    for (int64_t j = 0; j < f->columns; j++) {
        int64_t element = r * f->columns + j;
        sparse_sum_start(sum);
        for (int64_t p = first; p < end; p++) {
            const struct sparse_entry *e = &pattern->entry[p];
            sparse_sum_add(sum, f->values[e->position], f->dense[e->column * f->columns + j], e->shared);
        }
        double start = f->start ? f->start[element] : 0;
        out->value[element] = sparse_sum_value(
            sum, f->alpha, f->beta, start, &out->sensitivity[element * SPARSE_SENSITIVITIES], &truth->bits);
        sparse_sum_envelope(sum, f->alpha, f->beta, start, out, element);
    }
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct roles r = roles_of(call->op);
    const struct tensor *dense = &call->input[r.dense];
    struct factors f = {.values = sparse_doubles(&call->input[r.values]),
                        .dense = sparse_doubles(dense),
                        .start = r.start >= 0 ? sparse_doubles(&call->input[r.start]) : NULL,
                        .alpha = attributes_real(call->attributes, "alpha", 1),
                        .beta = r.start >= 0 ? attributes_real(call->attributes, "beta", 1) : 0,
                        .columns = r.vector ? 1 : dense->shape.dim[1]};
    struct sparse_pattern pattern = {.entry = NULL};
    struct sparse_sum sum;
    bool good = r.csr ? sparse_pattern_csr(&pattern, call, r.pattern)
                      : sparse_pattern_coo(&pattern, call, r.pattern, r.transposed);
    good =
        good && f.values && f.dense && (f.start || r.start < 0) && truth_output_envelope(&truth->output[0]);
    sparse_sum_open(&sum, dense->dtype);
    for (int64_t row = 0, first = 0; good && row < pattern.rows; row++) {
        int64_t end = first;
        while (end < pattern.entries && pattern.entry[end].row == row) {
            end++;
        }
        row_truth(&pattern, &f, row, first, end, &sum, truth);
        first = end;
    }
    good = good && !sum.failed;
    sparse_sum_close(&sum);
    sparse_pattern_clear(&pattern);
    free(f.values);
    free(f.dense);
    free(f.start);
    return good || error_set(error, "%s: out of memory", call->op->name);
}

static double bound(const struct bound_query *query)
{
    return sparse_sum_bound(query, query->op->variant == SPARSE_ADDMM ? 2 : 0);
}

#define OP(variant_, name_, ...)                                                                             \
    {                                                                                                        \
        .family = "sparse", .name = name_, .variant = variant_, .outputs = 1,                                \
        .defaults = {{"beta", DEFAULT_VALUE, 1}, {"alpha", DEFAULT_VALUE, 1}}, .dtypes = DTYPES,             \
        .costly = true, .plain = true, .signature = signature, .truth = truth,                               \
        .sensitivities = sparse_sum_sensitivities, .bound = bound,                                           \
        .primitive_error = sparse_sum_primitive_error, .may_overflow = sparse_sum_may_overflow,              \
        .accept = sparse_sum_accept, .bounded = true, __VA_ARGS__                                            \
    }
#define COO(...) .operands = {{"indices", OPERAND_INDICES}, {"values", OPERAND_READ}, __VA_ARGS__}
#define CSR(...)                                                                                             \
    .operands = {{"crow_indices", OPERAND_ROW_STARTS},                                                       \
                 {"col_indices", OPERAND_INDICES},                                                           \
                 {"values", OPERAND_READ},                                                                   \
                 __VA_ARGS__}
#define SIZE .attributes = {{"size", ATTRIBUTE_INTEGERS}}

static const struct op ops[] = {
    OP(SPARSE_MM, "sparse_mm", COO({"mat2", OPERAND_READ}), SIZE),
    OP(SPARSE_MV, "sparse_mv", COO({"vec", OPERAND_READ}), SIZE),
    OP(SPARSE_ADDMM, "sparse_addmm",
       .operands = {{"mat", OPERAND_READ},
                    {"indices", OPERAND_INDICES},
                    {"values", OPERAND_READ},
                    {"mat2", OPERAND_READ}},
       .attributes = {{"size", ATTRIBUTE_INTEGERS}, {"beta", ATTRIBUTE_REAL}, {"alpha", ATTRIBUTE_REAL}}),
    OP(CSR_MM, "csr_mm", CSR({"mat2", OPERAND_READ}), SIZE),
    OP(CSR_MV, "csr_mv", CSR({"vec", OPERAND_READ}), SIZE),
    OP(BACKWARD_DENSE, "sparse_mm_backward_dense",
       .operands = {{"grad", OPERAND_READ}, {"indices", OPERAND_INDICES}, {"values", OPERAND_READ}}, SIZE),
};

const struct op_set op_set_sparse_mm = {.op = ops, .count = sizeof ops / sizeof *ops};

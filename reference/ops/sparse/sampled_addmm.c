/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Elements of the product of two dense matrices at the positions of a sparse matrix: sampled_addmm, and
 * sparse_mm_backward_sparse, the gradient of sparse_mm with respect to its values.
 *
 * sampled_addmm [crow_indices, col_indices, values, mat1, mat2] {size, beta, alpha}: PyTorch
 * torch.sparse.sampled_addmm, beta·values + alpha·(mat1·mat2) at each stored entry; values are ignored if
 * beta = 0, as in BLAS. sparse_mm_backward_sparse [grad, indices, mat2] {size}: (grad·mat2ᵀ) at the positions
 * of COO indices, one gradient for each entry, also for each of several duplicates.
 *
 * Truth and bound as in sparse_mm.c, with K the inner dimension. */

#include "reference/ops/sparse/sparse.h"

#include <math.h>
#include <stdlib.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { SAMPLED, BACKWARD };
enum { OPEN_NAN = SPARSE_SENSITIVITIES, SENSITIVITIES }; /* OPEN_NAN: beta = 0, value not finite */

static bool is_sampled(const struct op *op)
{
    return op->variant == SAMPLED;
}

/* The number of the left matrix: mat1, or grad. */
static int left_of(const struct op *op)
{
    return op_input_named(op, is_sampled(op) ? "mat1" : "grad");
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    bool sampled = is_sampled(op);
    int pattern = op_first_indices(op), left = left_of(op);
    const struct shape *shape = &operands->input[left].shape;
    int64_t size[2], entries;
    if (!sparse_size(op, operands, size, reason) ||
        !(sampled ? sparse_rule_csr(op, operands, pattern, size, &entries, reason)
                  : sparse_rule_coo(op, operands, pattern, size, &entries, reason))) {
        return false;
    }
    int64_t inner = shape->rank == 2 ? shape->dim[1] : 0;
    struct shape rows = shape_of(2, size[0], inner), values = shape_of(1, entries);
    struct shape columns = sampled ? shape_of(2, inner, size[1]) : shape_of(2, size[1], inner);
    if (!sparse_rule_shape(op, operands, left, &rows, reason) ||
        !sparse_rule_shape(op, operands, op_input_named(op, "mat2"), &columns, reason) ||
        (sampled && !sparse_rule_shape(op, operands, op_input_named(op, "values"), &values, reason))) {
        return false;
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = operands->input[left].dtype;
    out->output[0].shape = values;
    return true;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    bool sampled = is_sampled(call->op);
    int at_pattern = op_first_indices(call->op), at_values = op_input_named(call->op, "values");
    const struct tensor *left = &call->input[left_of(call->op)],
                        *right = &call->input[op_input_named(call->op, "mat2")];
    struct truth_output *out = &truth->output[0];
    int64_t inner = left->shape.dim[1];
    double *a = sparse_doubles(left), *b = sparse_doubles(right);
    double alpha = attributes_real(call->attributes, "alpha", 1);
    double beta = sampled ? attributes_real(call->attributes, "beta", 1) : 0;
    struct sparse_pattern pattern = {.entry = NULL};
    struct sparse_sum sum;
    bool good = (sampled ? sparse_pattern_csr(&pattern, call, at_pattern)
                         : sparse_pattern_coo(&pattern, call, at_pattern, false)) &&
                a && b && truth_output_envelope(out);
    sparse_sum_open(&sum, left->dtype);
    for (int64_t p = 0; good && p < pattern.entries; p++) {
        const struct sparse_entry *e = &pattern.entry[p];
        sparse_sum_start(&sum);
        for (int64_t k = 0; k < inner; k++) {
            int64_t at = sampled ? k * pattern.columns + e->column : e->column * inner + k;
            sparse_sum_add(&sum, a[e->row * inner + k], b[at], false);
        }
        double c = sampled ? tensor_component(&call->input[at_values], e->position) : 0;
        double *s = &out->sensitivity[e->position * SENSITIVITIES];
        out->value[e->position] = sparse_sum_value(&sum, alpha, beta, c, s, &truth->bits);
        sparse_sum_envelope(&sum, alpha, beta, c, out, e->position);
        s[OPEN_NAN] = beta == 0 && !isfinite(c);
    }
    good = good && !sum.failed;
    sparse_sum_close(&sum);
    sparse_pattern_clear(&pattern);
    free(a);
    free(b);
    return good || error_set(error, "%s: out of memory", call->op->name);
}

static double bound(const struct bound_query *query)
{
    return sparse_sum_bound(query, is_sampled(query->op) ? 2 : 0);
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    sparse_sum_accept(query, accept);
    for (int set = 0; out->sensitivity[query->element * SENSITIVITIES + OPEN_NAN] != 0 && set < accept->sets;
         set++) {
        accept->set[set].component[0].special |= ACCEPT_NAN;
    }
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

#define OP(variant_, name_, ...)                                                                             \
    {                                                                                                        \
        .family = "sparse", .name = name_, .variant = variant_, .outputs = 1,                                \
        .defaults = {{"beta", DEFAULT_VALUE, 1}, {"alpha", DEFAULT_VALUE, 1}}, .dtypes = DTYPES,             \
        .costly = true, .plain = true, .signature = signature, .truth = truth,                               \
        .sensitivities = sensitivities, .bound = bound, .primitive_error = sparse_sum_primitive_error,       \
        .may_overflow = sparse_sum_may_overflow, .accept = accept, .bounded = true, __VA_ARGS__              \
    }

static const struct op ops[] = {
    OP(SAMPLED, "sampled_addmm",
       .operands = {{"crow_indices", OPERAND_ROW_STARTS},
                    {"col_indices", OPERAND_INDICES},
                    {"values", OPERAND_READ},
                    {"mat1", OPERAND_READ},
                    {"mat2", OPERAND_READ}},
       .attributes = {{"size", ATTRIBUTE_INTEGERS}, {"beta", ATTRIBUTE_REAL}, {"alpha", ATTRIBUTE_REAL}}),
    OP(BACKWARD, "sparse_mm_backward_sparse",
       .operands = {{"grad", OPERAND_READ}, {"indices", OPERAND_INDICES}, {"mat2", OPERAND_READ}},
       .attributes = {{"size", ATTRIBUTE_INTEGERS}}),
};

const struct op_set op_set_sampled_addmm = {.op = ops, .count = sizeof ops / sizeof *ops};

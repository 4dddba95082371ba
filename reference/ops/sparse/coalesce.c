/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* coalesce, to_dense, sparse_transpose: conversions of a COO matrix [indices, values] {size}.
 *
 * Definition: PyTorch Tensor.coalesce (entries in lexicographic order, each position once, duplicates summed,
 * explicit zeros kept), Tensor.to_dense (duplicates summed, 0 for positions that are not stored), Tensor.t
 * (rows and columns exchanged, entries in the same order). The number of entries that coalesce returns
 * depends on the values of the indices.
 *
 * Error bound: profile_sum_error(K − 1)·Σ|v| for the sum of K duplicates in any order, (K − 1)·u under round
 * to nearest. Entries without duplicates and all indices are exact. Zeros of either sign are accepted, except
 * for sparse_transpose, which copies. */

#include "reference/ops/sparse/sparse.h"

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };
enum { COALESCE, TO_DENSE, TRANSPOSE };

/* Stores the number of different positions; false if the indices are unknown or memory is exhausted. */
static bool count_places(const struct op_operands *operands, int64_t entries, int64_t *places)
{
    struct op_call call = {.attributes = operands->attributes, .inputs = 2, .input = operands->value};
    struct sparse_pattern pattern;
    *places = 0;
    if (entries == 0) {
        return true;
    }
    if (!operands->value || !operands->value[0].data || !sparse_pattern_coo(&pattern, &call, 0, false)) {
        return false;
    }
    for (int64_t p = 0; p < entries; p++) {
        const struct sparse_entry *e = &pattern.entry[p];
        *places += p == 0 || e[-1].row != e->row || e[-1].column != e->column;
    }
    sparse_pattern_clear(&pattern);
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    int64_t size[2], entries;
    if (!sparse_size(op, operands, size, reason) ||
        !sparse_rule_coo(op, operands, 0, size, &entries, reason)) {
        return false;
    }
    struct shape values = {.rank = 1, .dim = {entries}};
    if (!sparse_rule_shape(op, operands, 1, &values, reason)) {
        return false;
    }
    enum dtype index = operands->input[0].dtype, dtype = operands->input[1].dtype;
    if (op->variant == TO_DENSE) {
        *out = (struct op_signature){.outputs = 1};
        out->output[0].dtype = dtype;
        out->output[0].shape = shape_of(2, size[0], size[1]);
        return true;
    }
    if (op->variant == COALESCE && !count_places(operands, entries, &entries)) {
        return error_set(reason, "%s: the indices must be known before the program runs", op->name);
    }
    *out = (struct op_signature){.outputs = 2};
    out->output[0].dtype = index;
    out->output[0].shape = shape_of(2, (int64_t)2, entries);
    out->output[1].dtype = dtype;
    out->output[1].shape = shape_of(1, entries);
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    bool sums = call->op->variant == TO_DENSE || (call->op->variant == COALESCE && output == 1);
    return sums ? SPARSE_SENSITIVITIES : 0;
}

/* Stores the sum of one position: as coalesce's next entry, or as the dense element. */
static void store_place(const struct op *op, const struct sparse_pattern *pattern,
                        const struct sparse_entry *entry, int64_t place, struct sparse_sum *sum,
                        struct truth *truth)
{
    struct truth_output *out = &truth->output[op->variant == COALESCE ? 1 : 0];
    int64_t element = op->variant == COALESCE ? place : entry->row * pattern->columns + entry->column;
    out->value[element] =
        sparse_sum_value(sum, 1, 0, 0, &out->sensitivity[element * SPARSE_SENSITIVITIES], &truth->bits);
    sparse_sum_envelope(sum, 1, 0, 0, out, element);
    if (op->variant == COALESCE) {
        struct value *index = truth->output[0].value;
        index[place] = value_of((double)entry->row);
        index[out->elements + place] = value_of((double)entry->column);
    }
}

/* The pattern of the requested rows (to_dense may be called for a slice) or of the whole matrix. */
static bool pattern_of(struct sparse_pattern *pattern, const struct op_call *call, const struct truth *truth)
{
    return call->op->variant == TO_DENSE
               ? sparse_pattern_rows(pattern, call, 0, call->first_row, truth->output[0].shape.dim[0])
               : sparse_pattern_coo(pattern, call, 0, false);
}

/* Each row of the dense matrix reads all entries. */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    (void)operands;
    rows->output = 1;
    return true;
}

static bool sums_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *values = &call->input[1];
    struct sparse_pattern pattern;
    struct sparse_sum sum;
    if (!pattern_of(&pattern, call, truth) ||
        !truth_output_envelope(&truth->output[call->op->variant == COALESCE ? 1 : 0])) {
        sparse_pattern_clear(&pattern);
        return error_set(error, "%s: out of memory", call->op->name);
    }
    for (int64_t i = 0; call->op->variant == TO_DENSE && i < truth->output[0].elements; i++) {
        truth->output[0].value[i] = value_of(0);
    }
    sparse_sum_open(&sum, values->dtype);
    int64_t place = 0;
    for (int64_t p = 0, end; p < pattern.entries; p = end) {
        const struct sparse_entry *e = &pattern.entry[p];
        sparse_sum_start(&sum);
        for (end = p; end < pattern.entries && pattern.entry[end].row == e->row &&
                      pattern.entry[end].column == e->column;
             end++) {
            sparse_sum_add(&sum, tensor_component(values, pattern.entry[end].position), 1, false);
        }
        store_place(call->op, &pattern, e, place++, &sum, truth);
    }
    sparse_sum_close(&sum);
    sparse_pattern_clear(&pattern);
    return !sum.failed || error_set(error, "%s: out of memory", call->op->name);
}

static bool transpose_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct tensor *indices = &call->input[0], *values = &call->input[1];
    int64_t entries = values->shape.dim[0];
    for (int64_t p = 0; p < entries; p++) {
        truth->output[0].value[p] = value_of(tensor_component(indices, entries + p));
        truth->output[0].value[entries + p] = value_of(tensor_component(indices, p));
        truth->output[1].value[p] = value_of(tensor_component(values, p));
    }
    return true;
}

static double bound(const struct bound_query *query)
{
    bool sums = query->truth->output[query->output].sensitivities != 0;
    return sums ? sparse_sum_bound(query, -1) : 0;
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    if (out->sensitivities) {
        sparse_sum_accept(query, accept);
    } else {
        accept_default(accept, out->dtype, query->profile, &out->value[query->element], 0);
    }
}

/* True for copied elements and for elements of to_dense without entries, which are 0. */
static bool is_moved(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return !out->sensitivities || out->sensitivity[query->element * out->sensitivities + SPARSE_TERMS] == 0;
}

#define MATRIX(role_) .outputs = 2, .results = {{"indices", role_}, {"values", role_}}
#define OP(variant_, name_, truth_, ...)                                                                     \
    {                                                                                                        \
        .family = "sparse", .name = name_, .variant = variant_, .plain = true, __VA_ARGS__,                  \
        .operands = {{"indices", OPERAND_INDICES}, {"values", OPERAND_READ}},                                \
        .attributes = {{"size", ATTRIBUTE_INTEGERS}}, .dtypes = DTYPES, .signature = signature,              \
        .truth = truth_, .sensitivities = sensitivities, .bound = bound,                                     \
        .primitive_error = sparse_sum_primitive_error, .may_overflow = sparse_sum_may_overflow,              \
        .one_rounding = is_moved, .accept = accept, .bounded = true                                          \
    }

static const struct op ops[] = {
    OP(COALESCE, "coalesce", sums_truth, MATRIX(RESULT_COUNTED)),
    OP(TO_DENSE, "to_dense", sums_truth, .outputs = 1, .rows = rows),
    OP(TRANSPOSE, "sparse_transpose", transpose_truth, MATRIX(0)),
};

const struct op_set op_set_coalesce = {.op = ops, .count = sizeof ops / sizeof *ops};

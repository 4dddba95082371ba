/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* scaled_dot_product_attention [query, key, value, attn_mask?].
 *
 * Definition: PyTorch's torch.nn.functional.scaled_dot_product_attention without dropout. query [..., L, D],
 * key [..., M, D] and value [..., M, Dv] have leading dimensions that broadcast; with enable_gqa consecutive
 * heads of the query share a head of the keys and of the values. A bool mask is true for keys that take part;
 * a mask of the query's dtype is added to the scores. is_causal lets key j take part for query i where j ≤ i,
 * whatever L and M are. The scale is 1/√D unless it is given; where D is 0 all scores are 0.
 *
 * A query for which no key takes part has the result 0 or NaN (the profile's attention_empty_row).
 *
 * Truth: attention_forward.c. Error bound: attention_bound.c. */

#include "reference/ops/attention/attention.h"
#include "reference/ops/attention/attention_bound.h"
#include "reference/ops/attention/attention_forward.h"

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    struct attention a;
    if (!attention_of_operands(op, operands, &attention_forward_operands, &a, reason)) {
        return false;
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = operands->input[0].dtype;
    out->output[0].shape = a.all;
    out->output[0].shape.dim[out->output[0].shape.rank++] = a.queries;
    out->output[0].shape.dim[out->output[0].shape.rank++] = a.value_width;
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return ATTENTION_SENSITIVITIES;
}

static const struct op ops[1]; /* defined below */

/* A row is a query of a batch. There are none where the query is repeated, because its rows are then fewer
 * than those of the result. */
static bool rows(const struct op_operands *operands, struct op_rows *rows)
{
    struct op_signature result;
    const struct shape *query = &operands->input[0].shape;
    if (!signature(&ops[0], operands, &result, NULL) || query->rank != result.output[0].shape.rank) {
        return false;
    }
    for (int d = 0; d + 1 < query->rank; d++) {
        if (query->dim[d] != result.output[0].shape.dim[d]) {
            return false;
        }
    }
    rows->output = rows->input[0] = query->rank - 1;
    return true;
}

static const struct op ops[1] = {{
    .family = "attention",
    .name = "scaled_dot_product_attention",
    .operands = {{"query", OPERAND_READ},
                 {"key", OPERAND_READ},
                 {"value", OPERAND_READ},
                 {"attn_mask", OPERAND_OPTIONAL}},
    .attributes = {{"is_causal", ATTRIBUTE_BOOL}, {"scale", ATTRIBUTE_REAL}, {"enable_gqa", ATTRIBUTE_BOOL}},
    .defaults = {{"is_causal", DEFAULT_VALUE, 0}, {"enable_gqa", DEFAULT_VALUE, 0}},
    .outputs = 1,
    .dtypes = DTYPES,
    .costly = true,
    .signature = signature,
    .truth = attention_forward_truth,
    .enclose = attention_forward_enclose,
    .certify = attention_forward_certify,
    .sensitivities = sensitivities,
    .rows = rows,
    .bound = attention_bound,
    .primitive_error = attention_primitive_error,
    .may_overflow = attention_may_overflow,
    .accept = attention_accept,
    .bounded = true,
}};

const struct op_set op_set_attention = {.op = ops, .count = sizeof ops / sizeof *ops};

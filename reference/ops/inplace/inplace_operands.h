/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_INPLACE_INPLACE_OPERANDS_H
#define ASSAY_REFERENCE_OPS_INPLACE_INPLACE_OPERANDS_H

/* What operators that write into an operand share: which operands they must refuse, reading them under
 * broadcasting, exact arithmetic. The operand that is written is the one that the operator mutates: self, or
 * the last one, `out`. */

#include "reference/operator/op.h"

enum {
    INPLACE_FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    INPLACE_DTYPES = INPLACE_FLOATS | 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

/* Every operand broadcasts to the written one (which never broadcasts itself), shares none of its memory
 * unless it is the same view, and the written one names no element twice. */
bool inplace_memory(const struct op *op, const struct op_operands *operands, struct error *reason);

/* The signature of arithmetic: inplace_memory, one dtype, and the dtype is the operator's. */
bool inplace_signature(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason);

/* The same for operators whose result no integer holds. */
bool inplace_quotient_signature(const struct op *op, const struct op_operands *operands,
                                struct op_signature *signature, struct error *reason);

bool inplace_given(const struct op_call *call, int operand); /* an optional operand is there */

/* The bytes, the real value, the integer that element i of the result reads from an operand. */
const unsigned char *inplace_bytes(const struct op_call *call, int operand, const struct shape *shape,
                                   int64_t i);
double inplace_real(const struct op_call *call, int operand, const struct shape *shape, int64_t i);
int64_t inplace_integer(const struct op_call *call, int operand, const struct shape *shape, int64_t i);

/* The least number congruent to x modulo 2^bits that the integer dtype holds. */
struct value inplace_wrapped(enum dtype dtype, uint64_t x);

#endif

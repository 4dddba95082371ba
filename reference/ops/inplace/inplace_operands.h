/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_INPLACE_INPLACE_OPERANDS_H
#define ASSAY_REFERENCE_OPS_INPLACE_INPLACE_OPERANDS_H

/* Common parts of the operators that write into an operand: checks of operands, and access to elements under
 * broadcasting. The written operand is the one that the operator mutates: self, or the last one, `out`. */

#include "reference/operator/op.h"

enum {
    INPLACE_FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    INPLACE_DTYPES = INPLACE_FLOATS | 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

/* Checks that every operand broadcasts to the shape of the written one and either is the same view or shares
 * none of its memory, and that the written view refers to no element twice. False with the reason. */
bool inplace_memory(const struct op *op, const struct op_operands *operands, struct error *reason);

/* The callback `signature` of arithmetic operators: checks that all operands have one dtype, which the
 * operator supports, that integers come with an integer alpha, and inplace_memory. */
bool inplace_signature(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason);

/* The same for operators whose result is a quotient: rejects integer dtypes. */
bool inplace_quotient_signature(const struct op *op, const struct op_operands *operands,
                                struct op_signature *signature, struct error *reason);

bool inplace_given(const struct op_call *call, int operand); /* true if the call has the optional operand */

/* The bytes, real value or integer of the element of `operand` that element i of the result reads, if the
 * operand is broadcast to `shape`. */
const unsigned char *inplace_bytes(const struct op_call *call, int operand, const struct shape *shape,
                                   int64_t i);
double inplace_real(const struct op_call *call, int operand, const struct shape *shape, int64_t i);
int64_t inplace_integer(const struct op_call *call, int operand, const struct shape *shape, int64_t i);

/* The number in the range of the integer dtype that is congruent to x modulo 2^bits. */
struct value inplace_wrapped(enum dtype dtype, uint64_t x);

#endif

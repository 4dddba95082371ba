/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_H

/* The variants of matmul. The attribute `dtype` of autocast_matmul and autocast_linear: the type that
 * operands are cast to, numbered as in ONNX's TensorProto.DataType. */

#include "reference/operator/op.h"

/* Flags of the variants of matmul. */
enum { MATMUL_LINEAR = 1, MATMUL_AUTOCAST = 2, MATMUL_VECTOR = 4 };

enum { ONNX_FLOAT16 = 10, ONNX_BFLOAT16 = 16 };

/* DTYPE_COUNT where the attribute is missing or names another type. */
enum dtype matmul_autocast_dtype(const struct attributes *attributes);

#endif

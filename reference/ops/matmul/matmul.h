/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATMUL_MATMUL_H
#define ASSAY_REFERENCE_OPS_MATMUL_MATMUL_H

/* The variants of matmul, and the attribute `dtype` of autocast_matmul and autocast_linear: the dtype that
 * operands are cast to, numbered as in ONNX's TensorProto.DataType. */

#include "reference/operator/op.h"

/* Flags in the field `variant` of struct op. MATMUL_VECTOR: mv. */
enum { MATMUL_LINEAR = 1, MATMUL_AUTOCAST = 2, MATMUL_VECTOR = 4 };

enum { ONNX_FLOAT16 = 10, ONNX_BFLOAT16 = 16 };

/* The dtype that the attribute `dtype` names; DTYPE_COUNT if it is missing or names an unsupported dtype. */
enum dtype matmul_autocast_dtype(const struct attributes *attributes);

#endif

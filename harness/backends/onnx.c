/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend onnx (onnx:cpu, onnx:cuda, …): ONNX Runtime through harness/adapters/onnx_adapter.py. */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(onnx, "onnx:cpu, onnx:cuda, …, ONNX Runtime's operators by one execution provider",
                .selector = "cpu", .what = "execution provider",
                .selectors = "onnx:cpu, onnx:cuda, onnx:tensorrt, …", .library = "ONNX Runtime");

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend torch (torch:cpu, torch:cuda, torch:mps): PyTorch through harness/adapters/torch_adapter.py.
 */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(torch, "torch:cpu, torch:cuda or torch:mps, PyTorch's own operators", .selector = "cpu",
                .what = "device", .selectors = "torch:cpu, torch:cuda, torch:cuda:1 or torch:mps",
                .library = "PyTorch");

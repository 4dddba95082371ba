/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend call:FILE.py:FUNCTION: functions in Python that stand for operators, through
 * harness/adapters/call_adapter.py. It executes the file, so that only -b starts it (repro_backend_is_ours).
 */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(call, "call:FILE.py:FUNCTION, a function in Python that stands for one operator",
                .what = "function", .library = "your own functions, on torch tensors or numpy arrays,",
                .selectors = "call:FILE.py:FUNCTION[=OPERATOR][@DEVICE] or call:FILE.toml", .path = true);

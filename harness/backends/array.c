/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend array:MODULE (array:numpy and others): a module that implements the array API, through
 * harness/adapters/array_adapter.py. */

#include "harness/exec/adapter.h"

ADAPTER_BACKEND(array, "array:numpy, array:array_api_strict, …, any module that implements the array API",
                .selector = "numpy", .what = "module",
                .selectors = "array:numpy, array:array_api_strict, array:cupy, …",
                .library = "the array API");

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/fuzz/inputs.h"

FUZZ_INPUTS(".npy", "sgn", "bitwise_not")

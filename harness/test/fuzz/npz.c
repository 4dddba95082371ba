/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/fuzz/collection.h"

FUZZ_COLLECTION(".npz")

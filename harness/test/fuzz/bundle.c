/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* libFuzzer target for the bundle.json of a bundle. */

#include "harness/bundle/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bundle bundle;
    struct error error;
    bundle_read_json((const char *)bytes, size, &bundle, &error);
    bundle_clear(&bundle);
    return 0;
}

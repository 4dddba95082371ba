/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* libFuzzer target for result records, their headers and cached truths. */

#include "reference/operator/truth.h"
#include "reports/records/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct record record;
    struct record_header header;
    struct error error;
    if (record_parse((const char *)bytes, size, &record, &error)) {
        record_clear(&record);
    }
    if (record_header_parse((const char *)bytes, size, &header, &error)) {
        record_header_clear(&header);
    }
    struct truth *truth = truth_deserialize(bytes, size);
    truth_destroy(&truth);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Result records, headers and cached truths. libFuzzer target. */

#include "reference/truth.h"
#include "reports/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A line is scanned in one pass, or read by jansson where it has a member that no scan knows: both must say
 * the same of it. */
static void read_twice(const uint8_t *bytes, size_t size)
{
    static const char unknown[] = "{\"unknown\":0,";
    size_t more = sizeof unknown - 1;
    struct record one, two;
    struct error error;
    char *other = size && bytes[0] == '{' ? malloc(size + more) : NULL;
    if (!other) {
        return;
    }
    memcpy(other, unknown, more);
    memcpy(other + more, bytes + 1, size - 1);
    bool first = record_parse((const char *)bytes, size, &one, &error);
    if (first != record_parse(other, size - 1 + more, &two, &error)) {
        abort();
    }
    char *a = first ? record_format(&one) : NULL, *b = first ? record_format(&two) : NULL;
    if (a && b && strcmp(a, b) != 0) {
        abort();
    }
    free(a);
    free(b);
    free(other);
    record_clear(&one);
    record_clear(&two);
}

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
    read_twice(bytes, size);
    struct truth *truth = truth_deserialize(bytes, size);
    truth_destroy(&truth);
    return 0;
}

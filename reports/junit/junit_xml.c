/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/junit/junit_parts.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

void junit_check(struct junit *junit, int written)
{
    junit->ok = junit->ok && written >= 0;
}

void junit_start(struct junit *junit, const char *name)
{
    junit_check(junit, xmlTextWriterStartElement(junit->xml, BAD_CAST name));
}

void junit_end(struct junit *junit)
{
    junit_check(junit, xmlTextWriterEndElement(junit->xml));
}

/* libxml2 escapes markup but writes control characters as they are, which XML 1.0 forbids; utf8_visible
 * replaces them. */
void junit_attribute(struct junit *junit, const char *name, const char *value)
{
    char *valid = utf8_visible(value);
    junit->ok = junit->ok && valid;
    if (valid) {
        junit_check(junit, xmlTextWriterWriteAttribute(junit->xml, BAD_CAST name, BAD_CAST valid));
    }
    free(valid);
}

void junit_count(struct junit *junit, const char *name, int count)
{
    junit_check(junit, xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST name, "%d", count));
}

void junit_time(struct junit *junit, int64_t milliseconds)
{
    junit_check(junit, xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST "time", "%" PRId64 ".%03d",
                                                         milliseconds / 1000, (int)(milliseconds % 1000)));
}

void junit_content(struct junit *junit, const char *text)
{
    char *valid = utf8_visible(text);
    junit->ok = junit->ok && valid;
    if (valid) {
        junit_check(junit, xmlTextWriterWriteString(junit->xml, BAD_CAST valid));
    }
    free(valid);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/procedure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void finding_note(struct finding *finding, enum finding_kind kind, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (finding->kind == FINDING_NONE) {
        finding->kind = kind;
        memcpy(finding->reason, text, sizeof text);
    }
    size_t used = strlen(finding->detail);
    snprintf(finding->detail + used, sizeof finding->detail - used, "%s%s", used ? "\n" : "", text);
}

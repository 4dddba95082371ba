/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/procedure.h"

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

bool finding_ran(struct finding *finding, const struct execution *execution, const char *where, ...)
{
    char place[64];
    va_list arguments;
    va_start(arguments, where);
    vsnprintf(place, sizeof place, where, arguments);
    va_end(arguments);
    bool unanswered = execution->status == STEP_ERROR || execution->status == STEP_NOT_RUN;
    enum finding_kind kind = unanswered ? FINDING_ERROR : FINDING_FAIL;
    if (execution->status == STEP_UNSUPPORTED) {
        finding_note(finding, FINDING_UNSUPPORTED, "%s", execution->message);
    } else if (execution->status != STEP_OK) {
        finding_note(finding, kind, "%s: %s", place,
                     execution->message[0] ? execution->message : "a step did not run");
    }
    return execution->status == STEP_OK;
}

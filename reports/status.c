/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/record.h"

#include <string.h>

static const char *const names[STATUS_COUNT] = {
    [STATUS_PASS] = "pass",
    [STATUS_FAIL] = "fail",
    [STATUS_VACUOUS] = "vacuous",
    [STATUS_UNSUPPORTED] = "unsupported",
    [STATUS_CRASH] = "crash",
    [STATUS_TIMEOUT] = "timeout",
    [STATUS_ERROR] = "error",
    [STATUS_EXPECTED_FAIL] = "expected_fail",
    [STATUS_UNEXPECTED_PASS] = "unexpected_pass",
    [STATUS_FLAKE] = "flake",
    [STATUS_MISSING] = "missing",
};

const char *status_name(enum status status)
{
    return (unsigned)status < STATUS_COUNT ? names[status] : "unknown";
}

bool status_is_failure(enum status status)
{
    return status == STATUS_FAIL || status == STATUS_CRASH || status == STATUS_TIMEOUT;
}

/* From best to worst. */
static const enum status severity[STATUS_COUNT] = {
    STATUS_PASS,  STATUS_VACUOUS, STATUS_UNSUPPORTED, STATUS_EXPECTED_FAIL, STATUS_UNEXPECTED_PASS,
    STATUS_FLAKE, STATUS_MISSING, STATUS_ERROR,       STATUS_TIMEOUT,       STATUS_CRASH,
    STATUS_FAIL,
};

int status_severity(enum status status)
{
    int i = 0;
    while (i < STATUS_COUNT - 1 && severity[i] != status) {
        i++;
    }
    return i;
}

bool status_from_name(const char *name, enum status *status)
{
    for (int i = 0; name && i < STATUS_COUNT; i++) {
        if (!strcmp(name, names[i])) {
            *status = (enum status)i;
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_TEST_RECORD_H
#define ASSAY_REPORTS_RECORDS_TEST_RECORD_H

/* Parses a line into a record. */

#include "reports/records/record.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

FIXTURE struct record parse(const char *line)
{
    struct record record;
    struct error error = {0};
    cr_assert(record_parse(line, strlen(line), &record, &error), "%s: %s", line, error.text);
    return record;
}

#endif

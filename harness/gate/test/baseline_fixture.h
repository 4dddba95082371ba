/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_GATE_TEST_BASELINE_FIXTURE_H
#define ASSAY_HARNESS_GATE_TEST_BASELINE_FIXTURE_H

/* A baseline in a temporary file, and records to which it is applied. */

#include "harness/gate/baseline.h"
#include "reports/gate.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/assay-baseline-XXXXXX";

static inline void make_file(void)
{
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
}

static inline void drop_file(void)
{
    unlink(path);
}

static inline void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0);
    fclose(file);
}

static inline struct baseline *read_text(const char *text)
{
    struct error error = {.text = ""};
    write_text(text);
    struct baseline *baseline = baseline_read(path, false, &error);
    cr_assert(baseline, "%s", error.text);
    baseline_device(baseline, "vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)",
                    "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)");
    return baseline;
}

static inline enum status apply(struct baseline *baseline, const char *id, enum status status,
                                const char *reason)
{
    struct record record = {.id = strdup(id), .status = status, .reason = strdup("its own reason")};
    baseline_apply(baseline, &record, GATE_STRICT);
    status = record.status;
    const char *said = record.excused ? record.excused : record.reason;
    cr_expect(!reason || strstr(said, reason), "reason: %s", said);
    cr_expect_eq(gate_excuses(&record), record.excused != NULL);
    record_clear(&record);
    return status;
}

#endif

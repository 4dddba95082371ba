/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_ADAPTERS_TEST_MODULES_H
#define ASSAY_HARNESS_ADAPTERS_TEST_MODULES_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets ASSAY_PYTHON to the first Python that has the modules: that of make adapters, ASSAY_PYTHON, python3.
 * Skips the test if there is none. */
static inline void need_modules(const char *modules)
{
    const char *candidates[] = {"build/adapters/bin/python", getenv("ASSAY_PYTHON"), "python3"};
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        char command[512];
        if (!candidates[c]) {
            continue;
        }
        snprintf(command, sizeof command, "'%s' -c 'import %s' 2>/dev/null", candidates[c], modules);
        if (system(command) == 0) {
            setenv("ASSAY_PYTHON", candidates[c], 1);
            return;
        }
    }
    cr_skip_test("no Python here has %s (make adapters): not tried", modules);
}

#endif

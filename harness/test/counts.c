/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* A program that divides by a count held in the operands' own 16-bit type: float16 cannot count beyond
 * 65,504. */

TestSuite(counts, .init = trial_begin, .fini = trial_end, .timeout = 120);

Test(counts, every_operator_that_divides_by_a_count_shows_it)
{
    trial_peculiar("count-in-own-type", "{}");
    trial_run(
        "run */*/float16/*65521* --level standard --backend exec:FOLDER/p --no-rerun --results FOLDER/r "
        "--quiet");
    trial_read("r");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    cr_expect_geq(trial->results.records, 36, "%d", trial->results.records);
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect_eq(record->status, STATUS_FAIL, "%s: %s", record->id, status_name(record->status));
    }
}

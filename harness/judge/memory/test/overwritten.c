/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program that computes everything right but overwrites operands that it should only read. */

TestSuite(overwritten, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Checks that every record with judged elements fails by a stray write that names the operand, or that all
 * pass. */
static void run(const char *greeting, bool seen, const char *globs)
{
    trial_peculiar("overwriting", greeting);
    trial_run("run %s --level standard --backend exec:FOLDER/p --jobs 1 --no-rerun --results FOLDER/r",
              globs);
    trial_read("r");
    cr_assert_eq(trial->status, seen ? 1 : 0, "%s", trial->output);
    cr_assert_gt(trial->results.records, 0);
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        /* Where the operand is the result as well, or a later step's, that is wrong, too. */
        bool alone = !strstr(record->id, "alias") && !strstr(record->id, "/chain-");
        if (record->status == STATUS_FAIL && alone) {
            cr_expect_str_eq(record->rule, "stray write", "%s: %s", record->id, record->reason);
            cr_expect(strstr(record->detail, "an operand that is only read was overwritten"), "%s: %s",
                      record->id, record->detail);
        }
    }
}

/* Products, operators of two operands, gradients, sparse matrices with their indices, losses with labels, and
 * the operand on the right of one in place. */
static const char operators[] =
    "linalg/matmul/float32 elementwise/mul/float32 norm/rms_norm_backward/float32/[a-o]* "
    "sparse/csr_mm/float32/[a-o]* loss/nll_loss/float32/[a-m]* inplace/add_/float32/[a-g]* "
    "elementwise/where/float32";

Test(overwritten, operands_of_every_family_are_seen)
{
    run("{}", true, operators);
    static const char *const each[] = {"/matmul/", "/mul/",  "/rms_norm_backward/", "/csr_mm/", "/nll_loss/",
                                       "/add_/",   "/where/"};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        int failed = 0;
        for (int r = 0; r < trial->results.records; r++) {
            failed += trial->results.record[r].status == STATUS_FAIL &&
                      strstr(trial->results.record[r].id, each[k]) != NULL;
        }
        cr_expect_gt(failed, 3, "%s: %d", each[k], failed);
    }
}

Test(overwritten, the_first_changed_element_is_named)
{
    run("{}", true, "elementwise/mul/float32/[ost]*");
    const struct record *record = &trial->results.record[0];
    cr_expect(strstr(record->detail, "input 0 of step 0 (mul), element ["), "%s", record->detail);
    cr_expect(strstr(record->detail, "and became 0 (0x00000000)"), "%s", record->detail);
}

/* Stray writes cannot be seen then, and the header says so. */
Test(overwritten, a_program_that_does_not_return_storages_is_named)
{
    run("{\"return_storages\": false}", false, "elementwise/mul/float32/[ost]*");
    const struct record_header *header = &trial->results.header[0];
    bool said = false;
    for (int p = 0; p < header->profile_count; p++) {
        said = said || (strcmp(header->profile[p].name, "operands") == 0 &&
                        strncmp(header->profile[p].value, "not returned", 12) == 0);
    }
    cr_expect(said);
    cr_expect_null(header->offers, "that is between a worker and its parent");
    trial_run("check exec:FOLDER/p mul");
    cr_expect(strstr(trial->output, "the greeting does not offer \"return_storages\""), "%s", trial->output);
}

Test(overwritten, check_complains)
{
    trial_peculiar("overwriting", "{}");
    trial_run("check exec:FOLDER/p mul matmul");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "FAIL  operands"), "%s", trial->output);
    cr_expect(strstr(trial->output, "of what is only read changed"), "%s", trial->output);
}

/* A program that offers return_storages and does not send them is out of form, not waited for. */
Test(overwritten, an_answer_without_the_storages_is_out_of_form)
{
    trial_peculiar("forgetful", "{}");
    trial_run(
        "run elementwise/sgn/float32/repeat-* --level standard --backend exec:FOLDER/p --jobs 1 --no-rerun "
        "--results FOLDER/r");
    trial_read("r");
    cr_assert_gt(trial_records(STATUS_ERROR), 0, "%s", trial->output);
    cr_expect(strstr(trial->results.record[0].reason, "lacks \"return_storages\": true"), "%s",
              trial->results.record[0].reason);
}

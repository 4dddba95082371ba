/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A program that promises `invariance: bits` but sums rows of 16-bit numbers in another order if there are
 * more than four. Every result is within its bound; only the comparison with the row alone shows the fault.
 */

TestSuite(batch_order, .init = trial_begin, .fini = trial_end, .timeout = 120);

static void run(const char *peculiarity, const char *globs, int status)
{
    trial_peculiar(peculiarity, "{\"profile\": {\"invariance\": \"bits\"}}");
    trial_run("run %s --level standard --backend exec:FOLDER/p --no-rerun --results FOLDER/r --quiet", globs);
    trial_read("r");
    cr_assert_eq(trial->status, status, "%s", trial->output);
}

static const char sums[] = "scaling/*/*16/invariance linalg/*/*16/rows-in-batches amp/*/*/*rows-in-batches";

Test(batch_order, every_sum_of_16_bit_rows_shows_it)
{
    static const char *const operators[] = {"scaling/vector_norm",
                                            "scaling/matrix_norm",
                                            "scaling/sum",
                                            "scaling/mean",
                                            "scaling/prod",
                                            "scaling/var",
                                            "scaling/std",
                                            "scaling/logsumexp",
                                            "scaling/softmax",
                                            "scaling/softmin",
                                            "scaling/log_softmax",
                                            "scaling/softmax_backward",
                                            "scaling/linear",
                                            "scaling/log_softmax_backward",
                                            "scaling/layer_norm",
                                            "scaling/rms_norm",
                                            "scaling/layer_norm_backward",
                                            "scaling/rms_norm_backward",
                                            "scaling/mv",
                                            "scaling/group_norm",
                                            "scaling/instance_norm",
                                            "scaling/batch_norm",
                                            "scaling/csr_mm",
                                            "scaling/csr_mv",
                                            "linalg/linear",
                                            "linalg/matmul"};
    run("order-by-batch", sums, 1);
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        for (int d = 0; d < 2; d++) {
            char id[128];
            snprintf(id, sizeof id, "%s/%s/%s", operators[k], d ? "bfloat16" : "float16",
                     strncmp(operators[k], "scaling", 7) == 0 ? "invariance" : "rows-in-batches");
            const struct record *record = trial_record(id);
            cr_assert_not_null(record, "%s", id);
            cr_expect_eq(record->status, STATUS_FAIL, "%s passes", id);
        }
    }
}

Test(batch_order, one_order_for_all_batches_passes)
{
    run("none", sums, 0);
}

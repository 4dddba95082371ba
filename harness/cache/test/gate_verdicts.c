/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>

TestSuite(gate_verdicts, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* A cached verdict is used, except where a release gate forbids it (--no-verdict-cache). */
Test(gate_verdicts, a_gate_takes_no_pass_from_an_earlier_run)
{
    static const char *const runs[] = {
        "run linalg/logdet/float32 --level smoke --backend cpu --results FOLDER/r",
        "run linalg/logdet/float32 --level smoke --backend cpu --results FOLDER/r",
        "run linalg/logdet/float32 --level smoke --backend cpu --no-verdict-cache --results FOLDER/r"};
    for (int k = 0; k < 3; k++) {
        int remembered = 0;
        trial_run("%s", runs[k]);
        trial_read("r");
        for (int r = 0; r < trial->results.records; r++) {
            remembered += trial->results.record[r].remembered;
        }
        cr_expect_eq(remembered > 0, k == 1, "run %d: %d", k, remembered);
    }
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the table of `assay bench wrong`: one row per operator and dtype, and the sum of all. */

#include "harness/test/trial.h"

#include <criterion/criterion.h>

TestSuite(bench_wrong, .init = trial_begin, .fini = trial_end, .timeout = 120);

Test(bench_wrong, prints_a_row_of_each_dtype_and_the_sum)
{
    trial_run("bench wrong elementwise/exp --backend cpu --level smoke --jobs 2");
    trial_expect(0, "\nexp                                float32  ");
    trial_expect(0, "zero     taken 0, in vacuous cases 0, holes 0\n");
}

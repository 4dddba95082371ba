/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests what repro says, and its exit status, if a result is likely wrong or nobody can tell. The program's
 * results are 3 % too large, those of 16-bit dtypes by eight units in the last place. */

TestSuite(repro_undecided, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Writes 2^20 numbers between 0 and 1: their mean, summed in any order, may be 6 % off. */
static void write_uniform(void)
{
    const int64_t n = 1 << 20;
    double *x = malloc((size_t)n * sizeof *x);
    cr_assert_not_null(x);
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        x[i] = (double)(state >> 40) * 0x1p-24;
    }
    trial_array("u.npy", shape_of(1, n), x);
    free(x);
}

#define MEAN "repro --op mean --dtype float32 --input FOLDER/u.npy --backend "

Test(repro_undecided, likely_a_defect_is_exit_1)
{
    trial_peculiar("too-large", "{}");
    write_uniform();
    trial_run_expect(1, "likely a defect", MEAN "exec:FOLDER/p");
    trial_run_expect(0, "right to the last place", MEAN "cpu --fail-on implausible,vacuous,range");
}

Test(repro_undecided, declared_data_decide)
{
    trial_peculiar("too-large", "{}");
    write_uniform();
    trial_run_expect(1, "too-large: fail", MEAN "exec:FOLDER/p --data random");
    cr_expect(strstr(trial->output, ": fail\n") && strstr(trial->output, "rule envelope"), "%s",
              trial->output);
    trial_run_expect(0, "likely a defect", MEAN "exec:FOLDER/p --data structured");
    trial_run_expect(1, "likely a defect", MEAN "exec:FOLDER/p --data structured --fail-on implausible");
    trial_run_expect(0, "cpu: pass",
                     "repro --op mean --dtype float32 --input FOLDER/u.npy --backend cpu --data random");
    trial_run_expect(2, "--data needs --op and --input",
                     "repro elementwise/sgn/float32/length-1 --data random");
}

static double ramp(int64_t i, int64_t j)
{
    return (double)((i * 37 + j * 11) % 29) / 7 + 1;
}

#define NORM                                                                                                 \
    "repro --op vector_norm --dtype float16 --input FOLDER/X.npy --attr dim=1 --backend exec:FOLDER/p "

Test(repro_undecided, a_verdict_that_hangs_on_the_profile_names_the_member)
{
    trial_matrix("X.npy", 4, 64, ramp);
    trial_peculiar("too-large", "{\"profile\": {\"accumulate\": {}}}");
    trial_run_expect(0, ": cannot tell (pass)\n", NORM);
    cr_expect(strstr(trial->output,
                     "diagnosis        cannot tell: the result is within limits that are wide because "
                     "of the profile; the profile lacks \"accumulate\": {\"float16\": \"float32\"}: with "
                     "it the result fails: rule 3"),
              "%s", trial->output);
    trial_run_expect(1, ": cannot tell (pass)\n", NORM "--fail-on vacuous");
    trial_run(NORM "--format json");
    json_t *json = trial_json(), *backend = json_array_get(json_object_get(json, "backends"), 0);
    cr_expect(json_is_true(json_object_get(backend, "cannot_tell")), "%s", trial->output);
    cr_expect(json_is_false(json_object_get(backend, "fails")), "%s", trial->output);
    json_decref(json);
    trial_peculiar("too-large", "{}"); /* accumulate: float32 */
    trial_run_expect(1, ": fail\n", NORM);
}

/* The error bounds are the same, but the result is right, so the verdict does not depend on the member. */
Test(repro_undecided, a_right_result_needs_no_promise)
{
    trial_matrix("X.npy", 4, 64, ramp);
    trial_peculiar("none", "{\"profile\": {\"accumulate\": {}}}");
    trial_run_expect(0, ": pass\n", NORM "--fail-on vacuous");
}

Test(repro_undecided, a_case_fails_on_what_is_named)
{
    trial_run_expect(0, "vacuous", "repro linalg/logdet/float32/hilbert-n8 --backend cpu");
    trial_run_expect(1, "vacuous", "repro linalg/logdet/float32/hilbert-n8 --backend cpu --fail-on vacuous");
    trial_run_expect(2, "flake", "repro linalg/logdet/float32/hilbert-n8 --backend cpu --fail-on flake");
}

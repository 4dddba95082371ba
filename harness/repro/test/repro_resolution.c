/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tests what repro says of the envelope, of a case and of a record without one. */

TestSuite(repro_resolution, .init = trial_begin, .fini = trial_end, .timeout = 60);

static void says(const char *words)
{
    cr_assert(strstr(trial->output, words), "\"%s\" is not in\n%s", words, trial->output);
}

Test(repro_resolution, a_case_says_what_it_sees_and_by_which_limits)
{
    trial_run("repro linalg/logdet/float32/hilbert-n5 --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    says("\n  resolution       0.00");
    says("\n  envelope         Q 0.0");
    says("(1 group, too few to tell)\n");
    says("\n  bound            ");
    says("\n                   envelope: deviation S = ");
    says(", limit Q = 16 S + N = ");
    says("\n                   the error exceeds N by ");
    cr_assert_not(strstr(trial->output, "rho"), "%s", trial->output);
    trial_run("repro linalg/logdet/float32/hilbert-n8 --backend cpu");
    says("vacuous linalg/logdet/float32/hilbert-n8: no evidence: ");
    says("\n  resolution       none\n");
}

Test(repro_resolution, of_a_tensor_from_a_file)
{
    static const double a[4] = {2, 1, 0, 2};
    trial_array("A.npy", shape_of(2, (int64_t)2, (int64_t)2), a);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend cpu --format json");
    json_t *whole = trial_json();
    const json_t *backend = json_array_get(json_object_get(whole, "backends"), 0);
    double resolution = json_number_value(json_object_get(backend, "resolution"));
    cr_assert(resolution > 0x1p-26 && resolution < 1e-4, "%s", trial->output);
    cr_assert(json_is_null(json_object_get(backend, "implausible")));
    json_decref(whole);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend cpu");
    says("\n  resolution       ");
    cr_assert_not(strstr(trial->output, "implausible"), "%s", trial->output);
}

/* With an infinite error bound the result proves neither a defect nor correctness. */
Test(repro_resolution, evidence_of_nothing)
{
    trial_matrix("H.npy", 7, 7, trial_hilbert);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    says("cpu: cannot tell (vacuous)\n");
    says("the problem is ill-conditioned in this dtype");
    says("no evidence: twice the truth in place of the result would pass");
}

/* These records were not judged: unknown is not zero. */
Test(repro_resolution, is_not_known_without_a_judge)
{
    static const struct {
        const char *fault, *id;
        enum status status;
    } row[] = {{"segv", "elementwise/sgn/float32/specials", STATUS_CRASH},
               {NULL, "scaling/sgn/float32/invariance", STATUS_PASS}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        trial_faults("%s %s", row[i].fault ? row[i].fault : "", row[i].fault ? row[i].id : "");
        trial_run("run %s --backend faulty --no-rerun --results FOLDER/r%zu", row[i].id, i);
        char name[8];
        snprintf(name, sizeof name, "r%zu", i);
        trial_read(name);
        const struct record *record = trial_record(row[i].id);
        cr_expect_eq(record->status, row[i].status, "%s: %s", row[i].id, record->reason);
        cr_expect(isnan(record->resolution), "%s: %g", row[i].id, record->resolution);
    }
}

/* A result that is rounded once is refused from the nearest midpoint on. The resolution is never below 0, as
 * if the rounding itself were a distance, and not above half the spacing of the smallest number involved. */
Test(repro_resolution, of_what_rounds_once)
{
    trial_run("run inplace/div_/float32 inplace/mul_/float32/random --level smoke "
              "--backend cpu --results FOLDER/r --quiet");
    trial_read("r");
    int finite = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect(!(record->resolution < 0), "%s: %g", record->id, record->resolution);
        finite += record->resolution >= 0 && record->resolution < 0x1p-23;
    }
    cr_expect_gt(finite, 4);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

/* Tests --bundle and `repro FILE` with the other options of repro: refusals, comparisons, exit statuses. */

#define CASE "linalg/matmul/float32/random-9x7x5"

TestSuite(bundle_options, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* The case's own report says that it crashed. The call alone does not crash, but that does not make the
 * command succeed. */
Test(bundle_options, a_failure_that_does_not_come_again_was_one)
{
    trial_faults("once-segv %s", CASE);
    trial_run("repro " CASE " --backend faulty --bundle FOLDER/b.zip");
    trial_expect(1, "CRASH " CASE);
    cr_expect(strstr(trial->output, "  bundle "), "%s", trial->output);
}

Test(bundle_options, a_place_that_cannot_be_written_is_refused_first)
{
    const double a[] = {1, 2, 3, 4};
    struct tensor tensor;
    struct error error;
    trial_array("A.npy", shape_of(2, (int64_t)2, (int64_t)2), a);
    trial_run("repro --op logdet --input FOLDER/A.npy --backend cpu --bundle FOLDER/../%s/A.npy",
              strrchr(trial->folder, '/') + 1);
    trial_expect(2, "this file is an input and would be overwritten");
    cr_expect(npy_read(trial_path("A.npy"), &tensor, &error), "%s", error.text);
    tensor_destroy(&tensor);
    trial_run("repro --op logdet --input FOLDER/A.npz:x --backend cpu --bundle FOLDER/A.npz");
    trial_expect(2, "this file is an input and would be overwritten");
    trial_run("repro " CASE " --backend cpu --shrink --bundle FOLDER");
    trial_expect(2, "this is a folder; give a file");
    trial_run("repro " CASE " --backend cpu --bundle -");
    trial_expect(2, "the standard output has the report");
    trial_run("repro " CASE " --backend cpu --bundle=");
    trial_expect(2, "the path is empty");
}

/* The output is one JSON document, of the call, and it names the case. */
Test(bundle_options, the_json_names_the_case)
{
    trial_run("repro " CASE " --backend cpu --bundle FOLDER/b.zip --format json");
    json_t *json = trial_json();
    const char *id = json_string_value(json_object_get(json, "case"));
    cr_expect(id && strcmp(id, CASE) == 0, "%s", trial->output);
    json_decref(json);
}

/* A bundle's backends are compared as those of cases and files are, in JSON too. */
Test(bundle_options, several_backends_are_compared)
{
    trial_run("repro " CASE " --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run("repro FOLDER/b.zip --backend cpu --backend faulty");
    trial_expect(0, "comparison: none drifts: all bits are the same");
    cr_expect(strstr(trial->output, "cpu and faulty: the same bits in all of 45 elements"), "%s",
              trial->output);
    trial_run("repro FOLDER/b.zip --backend cpu --backend faulty --format json");
    json_t *json = trial_json();
    const json_t *comparison = json_object_get(json, "comparison");
    cr_expect_eq(json_array_size(json_object_get(comparison, "pairs")), 1, "%s", trial->output);
    json_decref(json);
    trial_run("repro FOLDER/b.zip --backend cpu");
    cr_expect_not(strstr(trial->output, "comparison"), "%s", trial->output);
}

Test(bundle_options, what_a_backend_does_not_support_is_no_other_failure)
{
    trial_run("repro linalg/logdet/float32/hilbert-n5 --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run("repro FOLDER/b.zip --backend exec:%s", trial_program("example"));
    trial_expect(1, "unknown: the backend does not support the call");
}

Test(bundle_options, the_option_that_a_bundle_has_no_use_for_is_named)
{
    trial_run("repro " CASE " --backend cpu --bundle FOLDER/b.zip");
    trial_run("repro FOLDER/b.zip --backend cpu --output-dir FOLDER/d");
    trial_expect(2, "--output-dir: this option cannot be used with a bundle");
    trial_run("repro FOLDER/b.zip --backend cpu --no-cache --repeat 3 --color never --time-limit 30");
    trial_expect(0, "no failure, as recorded");
}

/* The word is no case, but looks like a file or is one. */
Test(bundle_options, a_file_that_is_none_is_said)
{
    trial_run("repro FOLDER/absent.zip");
    trial_expect(2, "there is no file and no case of this name");
    trial_script("A.npy", "x");
    trial_run("repro FOLDER/A.npy --backend cpu");
    trial_expect(2, "for tensors use --op OP --input");
    trial_run("repro linalg/matmul/float32/random-9x7x6");
    trial_expect(2, "did you mean");
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "harness/test/faulty.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --bundle and `repro FILE` beside the other options of repro: what is refused, compared, and the exit
 * status. */

#define CASE "linalg/matmul/float32/random-9x7x5"

static struct trial *trial;

static void begin(void)
{
    trial = trial_create();
}

static void end(void)
{
    trial_destroy(&trial);
}

TestSuite(bundle_options, .init = begin, .fini = end, .timeout = 120);

static void expect(int status, const char *part)
{
    cr_expect_eq(trial->status, status, "exit %d: %s", trial->status, trial->output);
    cr_expect(strstr(trial->output, part), "\"%s\" lacks \"%s\"", trial->output, part);
}

/* The case's own report says that it crashed; that the call alone does not is no success. */
Test(bundle_options, a_failure_that_does_not_come_again_was_one)
{
    trial_faults("once-segv %s", CASE);
    trial_run(trial, "repro " CASE " --backend faulty --bundle FOLDER/b.zip");
    expect(1, "CRASH " CASE);
    cr_expect(strstr(trial->output, "  bundle "), "%s", trial->output);
}

Test(bundle_options, a_place_that_cannot_be_written_is_refused_first)
{
    const double a[] = {1, 2, 3, 4};
    const struct shape shape = shape_of(2, (int64_t)2, (int64_t)2);
    char path[128];
    struct tensor tensor;
    struct error error;
    snprintf(path, sizeof path, "%s/A.npy", trial->folder);
    cr_assert(npy_write(path, 1, &shape, a, NULL));
    trial_run(trial, "repro --op logdet --input FOLDER/A.npy --backend cpu --bundle FOLDER/../%s/A.npy",
              strrchr(trial->folder, '/') + 1);
    expect(2, "it is an input, which would be lost");
    cr_expect(npy_read(path, &tensor, &error), "%s", error.text);
    tensor_destroy(&tensor);
    trial_run(trial, "repro --op logdet --input FOLDER/A.npz:x --backend cpu --bundle FOLDER/A.npz");
    expect(2, "it is an input, which would be lost");
    trial_run(trial, "repro " CASE " --backend cpu --shrink --bundle FOLDER");
    expect(2, "it is a folder; name a file");
    trial_run(trial, "repro " CASE " --backend cpu --bundle -");
    expect(2, "the standard output has the report");
    trial_run(trial, "repro " CASE " --backend cpu --bundle=");
    expect(2, "the path is empty");
}

/* One document, of the call: it says of which case. */
Test(bundle_options, the_json_names_the_case)
{
    trial_run(trial, "repro " CASE " --backend cpu --bundle FOLDER/b.zip --format json");
    json_t *json = json_loads(trial->output, 0, NULL);
    const char *id = json_string_value(json_object_get(json, "case"));
    cr_expect(id && strcmp(id, CASE) == 0, "%s", trial->output);
    json_decref(json);
}

/* As of a case and of files; in JSON too. */
Test(bundle_options, several_backends_are_compared)
{
    trial_run(trial, "repro " CASE " --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run(trial, "repro FOLDER/b.zip --backend cpu --backend faulty");
    expect(0, "comparison: none drifts: all bits are the same");
    cr_expect(strstr(trial->output, "cpu and faulty: the same bits in all of 45 elements"), "%s",
              trial->output);
    trial_run(trial, "repro FOLDER/b.zip --backend cpu --backend faulty --format json");
    json_t *json = json_loads(trial->output, 0, NULL);
    const json_t *comparison = json_object_get(json, "comparison");
    cr_expect_eq(json_array_size(json_object_get(comparison, "pairs")), 1, "%s", trial->output);
    json_decref(json);
    trial_run(trial, "repro FOLDER/b.zip --backend cpu");
    cr_expect_not(strstr(trial->output, "comparison"), "%s", trial->output);
}

Test(bundle_options, what_a_backend_does_not_support_is_no_other_failure)
{
    char folder[PATH_MAX];
    const char *program = getenv("ASSAY_FAULTY"), *slash = strrchr(program, '/');
    cr_assert_not_null(getcwd(folder, sizeof folder));
    trial_run(trial, "repro linalg/logdet/float32/hilbert-n5 --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run(trial, "repro FOLDER/b.zip --backend exec:%.*s/example", (int)(slash - program), program);
    expect(1, "not told: the backend does not support the call");
}

Test(bundle_options, the_option_that_a_bundle_has_no_use_for_is_named)
{
    trial_run(trial, "repro " CASE " --backend cpu --bundle FOLDER/b.zip");
    trial_run(trial, "repro FOLDER/b.zip --backend cpu --output-dir FOLDER/d");
    expect(2, "--output-dir: a bundle has its own");
    trial_run(trial, "repro FOLDER/b.zip --backend cpu --no-cache --repeat 3 --color never --time-limit 30");
    expect(0, "no failure, as recorded");
}

/* A word that is no case, but looks like a file or is one. */
Test(bundle_options, a_file_that_is_none_is_said)
{
    trial_run(trial, "repro FOLDER/absent.zip");
    expect(2, "there is no such file, and no such case");
    trial_script(trial, "A.npy", "x");
    trial_run(trial, "repro FOLDER/A.npy --backend cpu");
    expect(2, "tensors go with --op OP --input");
    trial_run(trial, "repro linalg/matmul/float32/random-9x7x6");
    expect(2, "did you mean");
}

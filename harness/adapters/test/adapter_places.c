/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/archive.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tests where adapters are looked for: never in the working directory, which may be somebody else's download.
 */

TestSuite(adapter_places, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Makes the trial's directory the working directory, with an adapter of each name in ./harness/adapters that
 * creates FOLDER/planted when it runs. */
static void plant(void)
{
    static const char *const names[] = {"torch", "onnx", "jax", "array", "call"};
    char *program = strdup(trial_program("assay-faulty"));
    char script[256], name[64];
    cr_assert_eq(mkdir(trial_path("harness"), 0755), 0);
    cr_assert_eq(mkdir(trial_path("harness/adapters"), 0755), 0);
    snprintf(script, sizeof script, "touch '%s'\nexit 4\n", trial_path("planted"));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snprintf(name, sizeof name, "harness/adapters/%s_adapter.py", names[n]);
        trial_write(name, script);
    }
    cr_assert_eq(chdir(trial->folder), 0);
    setenv("ASSAY_FAULTY", program, 1);
    setenv("ASSAY_PYTHON", "/bin/sh", 1);
    unsetenv("ASSAY_ADAPTERS");
    free(program);
}

/* Expects that the command does not run the planted adapter, and says where it has looked. */
static void expect_refusal(const char *command, int status)
{
    trial_run("%s", command);
    cr_expect_not(trial_has("planted"), "%s ran ./harness/adapters: %s", command, trial->output);
    cr_expect_eq(trial->status, status, "%s: exit %d: %s", command, trial->status, trial->output);
    cr_expect(strstr(trial->output, "_adapter.py in ") && strstr(trial->output, "/share/assay/adapters") &&
                  strstr(trial->output, "ASSAY_ADAPTERS"),
              "%s: %s", command, trial->output);
    unlink(trial_path("planted"));
}

/* The program in build/test has neither ../share nor ../harness. */
Test(adapter_places, the_working_folder_is_none)
{
    plant();
    expect_refusal("run elementwise/sgn/float32 --level smoke --backend torch:cpu", 3);
    expect_refusal("run elementwise/sgn/float32 --level smoke --backend array:numpy", 3);
    expect_refusal("repro elementwise/sgn/float32/length-65 --backend jax:cpu", 3);
    expect_refusal("check torch:cpu", 2);
    expect_refusal("bench kernels --backend onnx:cpu", 3);
    expect_refusal("devices torch:cpu", 3);
    expect_refusal("run elementwise/sgn/float32 --level smoke --backend call:sgn.py:sgn", 3);
}

/* Writes the bundle again with "torch:cpu" as its backend. */
static void name_torch(const char *bundle)
{
    static const char was[] = "\"backend\": \"cpu\"", becomes[] = "\"backend\": \"torch:cpu\"";
    struct error error = {.text = ""};
    struct archive *archive = archive_open(trial_path(bundle), &error);
    struct archive_writer *writer = archive_write_begin(&error);
    cr_assert(archive && writer, "%s", error.text);
    for (int i = 0; i < archive_count(archive); i++) {
        const struct archive_member *member = archive_member(archive, i);
        unsigned char *bytes;
        cr_assert(archive_read(archive, i, member->size, &bytes, &error), "%s", error.text);
        size_t size = (size_t)member->size;
        if (strcmp(member->name, "bundle.json") == 0) {
            const char *found = memmem(bytes, size, was, strlen(was));
            cr_assert(found);
            size_t before = (size_t)(found - (char *)bytes), grows = strlen(becomes) - strlen(was);
            unsigned char *json = malloc(size + grows);
            memcpy(json, bytes, before);
            memcpy(json + before, becomes, strlen(becomes));
            memcpy(json + before + strlen(becomes), bytes + before + strlen(was),
                   size - before - strlen(was));
            free(bytes);
            bytes = json;
            size += grows;
        }
        cr_assert(archive_add(writer, member->name, bytes, size, &error), "%s", error.text);
        free(bytes);
    }
    cr_assert(archive_write_end(&writer, trial_path(bundle), &error), "%s", error.text);
    archive_close(&archive);
}

/* A bundle comes from elsewhere, and may lie beside a directory from elsewhere. */
Test(adapter_places, a_bundle_runs_nothing_of_the_working_folder)
{
    plant();
    trial_run("repro linalg/matmul/float32/random-9x7x5 --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    name_torch("b.zip");
    expect_refusal("repro FOLDER/b.zip", 0); /* the recorded results are judged instead */
    expect_refusal("repro FOLDER/b.zip --backend torch:cpu", 3);
}

/* The user has named the directory in ASSAY_ADAPTERS, so it is used wherever it is. */
Test(adapter_places, the_named_folder_is_taken)
{
    plant();
    setenv("ASSAY_ADAPTERS", trial_path("harness/adapters"), 1);
    trial_run("run elementwise/sgn/float32 --level smoke --backend torch:cpu");
    cr_expect(trial_has("planted"), "%s", trial->output);
}

/* Adapters are found for a program in bin/ of a tree with share/assay/adapters, and for one beside
 * harness/adapters. */
Test(adapter_places, adapters_are_found_beside_the_program)
{
    static const char *const places[] = {"share/assay/adapters", "harness/adapters"};
    char command[1024];
    for (size_t p = 0; p < 2; p++) {
        snprintf(command, sizeof command,
                 "T='%s' && mkdir -p \"$T/elsewhere\" \"$T/tree/bin\" \"$T/tree/%s\" && "
                 "cp '%s' \"$T/tree/bin/assay\" && echo \"touch '$T/found'; exit 4\" "
                 ">\"$T/tree/%s/jax_adapter.py\" && "
                 "cd \"$T/elsewhere\" && unset ASSAY_ADAPTERS && ASSAY_PYTHON=/bin/sh \"$T/tree/bin/assay\" "
                 "devices "
                 "jax:cpu >/dev/null; rm -r \"$T/tree\"; rm \"$T/found\"",
                 trial->folder, places[p], trial_program("assay-faulty"), places[p]);
        cr_expect_eq(system(command), 0, "%s", places[p]);
    }
}

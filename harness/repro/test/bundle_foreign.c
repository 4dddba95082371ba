/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/bundle.h"
#include "harness/formats/archive.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that bundles from elsewhere are checked, and that nothing in them is executed. */

static void make(void)
{
    trial_run("repro linalg/matmul/float32/random-9x7x5 --backend cpu --bundle FOLDER/b.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
}

/* Replaces the member at a path such as "inputs/0/shape"; NULL removes it. */
static void replace(json_t *json, const char *path, const char *value)
{
    const char *slash = strchr(path, '/');
    char name[64];
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path) : (int)strlen(path), path);
    if (slash) {
        json_t *inner =
            json_is_array(json) ? json_array_get(json, (size_t)atoi(name)) : json_object_get(json, name);
        cr_assert_not_null(inner, "%s", path);
        replace(inner, slash + 1, value);
    } else if (!value) {
        json_object_del(json, name);
    } else {
        json_t *made = json_loads(value, JSON_DECODE_ANY, NULL);
        cr_assert_not_null(made, "%s", value);
        if (json_is_array(json)) {
            json_array_set_new(json, (size_t)atoi(name), made);
        } else {
            json_object_set_new(json, name, made);
        }
    }
}

/* Writes b.zip as c.zip with this change, without one member, or with one more. */
static void forge(const char *path, const char *value, const char *without, const char *more)
{
    struct error error = {.text = ""};
    struct archive *archive = archive_open(trial_path("b.zip"), &error);
    struct archive_writer *writer = archive_write_begin(&error);
    cr_assert(archive && writer);
    for (int i = 0; i < archive_count(archive); i++) {
        const struct archive_member *member = archive_member(archive, i);
        unsigned char *bytes;
        cr_assert(archive_read(archive, i, member->size, &bytes, &error));
        size_t size = (size_t)member->size;
        if (path && strcmp(member->name, "bundle.json") == 0) {
            json_t *json = json_loadb((char *)bytes, size, 0, NULL);
            replace(json, path, value);
            free(bytes);
            bytes = (unsigned char *)json_dumps(json, JSON_REAL_PRECISION(17));
            size = strlen((char *)bytes);
            json_decref(json);
        }
        cr_assert((without && strcmp(member->name, without) == 0) ||
                  archive_add(writer, member->name, bytes, size, &error));
        free(bytes);
    }
    cr_assert(!more || archive_add(writer, more, "x", 1, &error));
    cr_assert(archive_write_end(&writer, trial_path("c.zip"), &error), "%s", error.text);
    archive_close(&archive);
}

static const struct {
    const char *path, *value, *says;
} hostile[] = {
    {"assay_bundle", "2", "it is of version 2, this assay reads 1"},
    {"assay_bundle", "\"1\"", "\"assay_bundle\" must be a whole number"},
    {"op", "\"matmull\"", "unknown operator \"matmull\"; did you mean matmul"},
    {"op", "\"logdet\"", "logdet takes 1 to 1 inputs"},
    {"op", NULL, "\"op\" is missing"},
    {"inptus", "[]", "\"inptus\" is no member; did you mean \"inputs\"?"},
    {"inputs", "[]", "\"inputs\" has 0"},
    {"inputs/0", "null", "input 0 (input) of matmul cannot be left out"},
    {"inputs/0/dtype", "\"float33\"", "input 0: \"float33\" is no dtype"},
    {"inputs/0/dtype", "\"float64\"", "lies beyond its memory of 252 bytes"},
    {"inputs/0/shape", "[9, -7]", "number 1 must be a whole one, 0 or more"},
    {"inputs/0/shape", "[1,1,1,1,1,1,1,1,1]", "it has 9 numbers, at most 8"},
    {"inputs/0/shape", "[4611686018427387904, 4611686018427387904]", "no memory holds its shape"},
    {"inputs/0/shape", "[0, 9223372036854775807]", "no memory holds its shape"},
    {"inputs/0/shape", "[7, 9]", "it is no .npy file of <f4 [7, 9]"},
    {"inputs/0/strides", "[7]", "not one stride for each dimension"},
    {"inputs/0/strides", "[9223372036854775807, 1]", "lies beyond its memory"},
    {"inputs/0/strides", "[-7, 1]", "lies beyond its memory"},
    {"inputs/0/offset", "1", "lies beyond its memory"},
    {"inputs/0/offset", "-1", "lies beyond its memory"},
    {"inputs/0/bytes", "1000000000000", "\"bytes\" may be 64 times"},
    {"inputs/0",
     "{\"dtype\": \"float32\", \"shape\": [2097152], \"storage\": 0, \"bytes\": 536870912, \"strides\": [1], "
     "\"offset\": 0, \"origin\": \"random\", \"filler\": false}",
     "twice from 256 MiB on"},
    {"inputs/0/storage", "99", "\"storage\" must be 0 to 31"},
    {"inputs/1/storage", "0", "holds other numbers in it"},
    {"inputs/0/origin", "\"drawn\"", "\"origin\" is undeclared, random or structured"},
    {"inputs/0/filler", "0", "\"filler\" must be true or false"},
    {"attributes/alpha", "1", "matmul has no attribute \"alpha\""},
    {"outputs/0/shape", "[9, 6]", "it is no .npy file of <f8 [9, 6]"},
    {"outputs/0/shape", "[9000, 6]", "bundle.json promises an array of"},
    {"outputs/0/answered", "false", "bundle.json speaks of"},
    {"profile/rounding", "\"up\"", "\"rounding\" does not know \"up\""},
    {"profile/speed", "1", "\"speed\" is no member"},
    {"verdict/status", "\"great\"", "\"status\" is none that assay has"},
    {"verdict/score", "1", "\"verdict\": \"score\" is no member"},
    {"shrunk", "{}", "\"shrunk\": \"before\" is missing"},
};

Test(bundle, what_is_wrong_with_a_bundle_is_said)
{
    make();
    for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
        forge(hostile[h].path, hostile[h].value, NULL, NULL);
        trial_run("repro FOLDER/c.zip --backend cpu");
        cr_expect_eq(trial->status, 2, "%s = %s: %s", hostile[h].path,
                     hostile[h].value ? hostile[h].value : "-", trial->output);
        cr_expect(strstr(trial->output, hostile[h].says), "%s = %s: %s", hostile[h].path,
                  hostile[h].value ? hostile[h].value : "-", trial->output);
    }
}

Test(bundle, members_are_those_that_it_speaks_of)
{
    static const struct {
        const char *without, *more, *says;
    } rows[] = {{"input-1.npy", NULL, "it has no member input-1.npy"},
                {"got-0.npy", NULL, "it has no member got-0.npy"},
                {"bundle.json", NULL, "it is no bundle of assay"},
                {NULL, "run.sh", "members, bundle.json speaks of"}};
    make();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        forge(NULL, NULL, rows[r].without, rows[r].more);
        trial_run("repro FOLDER/c.zip --backend cpu");
        cr_expect_eq(trial->status, 2, "%s", trial->output);
        cr_expect(strstr(trial->output, rows[r].says), "%s: %s", rows[r].says, trial->output);
    }
}

/* A command or a module that a bundle names is run only if -b names it. */
Test(bundle, nothing_in_it_is_run)
{
    char command[240];
    make();
    trial_script("own", "#!/bin/sh\ntouch $(dirname $0)/owned\n");
    snprintf(command, sizeof command, "\"exec:%s\"", trial_path("own"));
    const char *const names[] = {command, "\"array:antigravity\"", "\"call:own.py:own\"", "\"faulty\""};
    for (int k = 0; k < 4; k++) {
        forge("backend", names[k], NULL, NULL);
        trial_run("repro FOLDER/c.zip");
        cr_expect_eq(trial->status, 0, "%s", trial->output);
        cr_expect(strstr(trial->output, "only -b starts it"), "%s", trial->output);
        cr_expect(strstr(trial->output, "recorded: pass"), "%s", trial->output);
        cr_expect_not(trial_has("owned"), "%s", names[k]);
    }
    trial_run("repro FOLDER/c.zip --backend exec:FOLDER/own");
    cr_expect(trial_has("owned"), "where -b names it, it is: %s", trial->output);
}

Test(bundle, a_backend_that_is_not_here_leaves_its_results)
{
    make();
    forge("backend", "\"vulkan:no such device\"", NULL, NULL);
    trial_run("repro FOLDER/c.zip");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "vulkan:no such device is not available"), "%s", trial->output);
    cr_expect(strstr(trial->output, "recorded: pass"), "%s", trial->output);
    trial_run("repro FOLDER/c.zip --backend exec:FOLDER/absent");
    cr_expect_eq(trial->status, 3, "%s", trial->output);
}

/* The bundle's own backend is used if it is one of assay's and available. */
Test(bundle, its_own_backend_is_asked)
{
    make();
    trial_run("repro FOLDER/b.zip");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "cpu: pass"), "%s", trial->output);
    cr_expect_not(strstr(trial->output, "recorded: pass"), "%s", trial->output);
}

/* One bit of the truth is changed, then one of the result. */
Test(bundle, another_truth_and_another_result_are_reported)
{
    struct error error = {.text = ""};
    struct bundle bundle;
    make();
    cr_assert(bundle_read(trial_path("b.zip"), &bundle, &error), "%s", error.text);
    bundle.output[0].truth[3] = nextafter(bundle.output[0].truth[3], 1e9);
    bundle.output[0].got.data[43] ^= 0x40;
    cr_assert(bundle_write(&bundle, trial_path("c.zip"), &error), "%s", error.text);
    bundle_clear(&bundle);
    trial_run("repro FOLDER/c.zip --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "component 3 of output 0 is "), "%s", trial->output);
    forge("backend", "\"exec:false\"", NULL, NULL);
    cr_assert(bundle_read(trial_path("c.zip"), &bundle, &error), "%s", error.text);
    bundle.output[0].got.data[43] ^= 0x40;
    cr_assert(bundle_write(&bundle, trial_path("c.zip"), &error), "%s", error.text);
    bundle_clear(&bundle);
    trial_run("repro FOLDER/c.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "recorded: fail"), "%s", trial->output);
    cr_expect(strstr(trial->output, "a failure that the bundle does not record"), "%s", trial->output);
}

/* Faults that are not visible in the results (a stray write, a result that changes) are reported as such. */
Test(bundle, what_results_do_not_show_is_said)
{
    make();
    forge("verdict",
          "{\"status\":\"fail\",\"rule\":\"stray write\",\"reason\":null,\"diagnosis\":\"\","
          "\"hypothesis\":null}",
          NULL, NULL);
    trial_run("repro FOLDER/c.zip --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "the failure is gone"), "%s", trial->output);
    struct error error = {.text = ""};
    struct bundle bundle;
    cr_assert(bundle_read(trial_path("c.zip"), &bundle, &error), "%s", error.text);
    json_object_set_new(bundle.json, "backend", json_string("exec:false"));
    cr_assert(bundle_write(&bundle, trial_path("c.zip"), &error), "%s", error.text);
    bundle_clear(&bundle);
    trial_run("repro FOLDER/c.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(
        strstr(trial->output, "no failure in the recorded results: stray write cannot be checked with them"),
        "%s", trial->output);
}

/* The texts of a bundle are printed, but their control characters have no effect. */
Test(bundle, its_texts_move_no_cursor)
{
    make();
    forge("header/device", "\"a\\u001b[2Jb\\u0007\"", NULL, NULL);
    trial_run("repro FOLDER/c.zip");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect_not(strchr(trial->output, '\033'), "%s", trial->output);
    cr_expect(strstr(trial->output, "a\\x1b[2Jb\\x07"), "%s", trial->output);
}

/* Nor do texts that a message or an answer quotes: names of members, a backend that is not available, an
 * answer that a backend is said to have given. C1 and bidirectional controls have two and three bytes. */
Test(bundle, its_texts_move_no_cursor_in_messages)
{
    static const struct {
        const char *where, *value;
    } forged[] = {{"backend", "\"vulkan:\\u001b[2J\\nassay: \\u009b\\u202e\""},
                  {"op", "\"\\u001b[2J\\nassay: \\u009b\\u202e\""},
                  {"attributes/\033[2J\nassay: \302\233\342\200\256", "1"},
                  {"inputs/0/dtype", "\"\\u001b[2J\\nassay: \\u009b\\u202e\""},
                  {"verdict/diagnosis", "\"\\u001b[2J\\nassay: \\u009b\\u202e\""}};
    for (size_t f = 0; f < sizeof forged / sizeof *forged; f++) {
        make();
        forge(forged[f].where, forged[f].value, NULL, NULL);
        trial_run("repro FOLDER/c.zip");
        cr_expect(strstr(trial->output, "\\x1b[2J assay: \\x9b\\u202e"), "%s: %s", forged[f].where,
                  trial->output);
        cr_expect_not(strpbrk(trial->output, "\033\007"), "%s", trial->output);
        cr_expect_not(strstr(trial->output, "\302\233"), "%s", trial->output);
        cr_expect_not(strstr(trial->output, "\342\200\256"), "%s", trial->output);
    }
}

Test(bundle, options_of_a_bundle)
{
    static const char *const words[] = {"--op matmul --input x.npy", "--seed 3", "--shrink",
                                        "--after linalg/matmul/float32/random-9x7x5",
                                        "--bundle FOLDER/d.zip"};
    make();
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        trial_run("repro FOLDER/b.zip --backend cpu %s", words[w]);
        cr_expect_eq(trial->status, 2, "%s: %s", words[w], trial->output);
        cr_expect(strstr(trial->output, "which has its own"), "%s: %s", words[w], trial->output);
    }
    trial_run("repro linalg/matmul/float32/random-9x7x5 -b cpu --bundle FOLDER/b.zip/x.zip");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
}

/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Tests captures, `assay repro DIR`, with bundles of the suite's own calls, and `assay judge`. */

TestSuite(capture, .init = trial_begin, .fini = trial_end, .timeout = 120);

#define RIGHT "linalg/matmul/float32/random-9x7x5"

/* Makes FOLDER/c with the bundles of a right call and of a wrong one. */
static void make(void)
{
    char command[600];
    trial_write("wrong.py", "import sys, zipfile\n"
                            "old = zipfile.ZipFile(sys.argv[1])\n"
                            "with zipfile.ZipFile(sys.argv[2], 'w') as new:\n"
                            "    for m in old.infolist():\n"
                            "        data = bytearray(old.read(m))\n"
                            "        if m.filename == 'got-0.npy': data[-1] ^= 1\n"
                            "        new.writestr(m.filename, bytes(data))\n");
    cr_assert_eq(system((snprintf(command, sizeof command, "mkdir %s", trial_path("c")), command)), 0);
    trial_run("repro " RIGHT " --backend cpu --bundle FOLDER/c/right.zip");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    snprintf(command, sizeof command, "cd %s && python3 wrong.py c/right.zip c/wrong.zip", trial->folder);
    cr_assert_eq(system(command), 0);
}

#define CALL(file, op, module, phase)                                                                        \
    "{\"file\": \"" file "\", \"op\": \"" op "\", \"module\": \"" module "\", \"phase\": \"" phase           \
    "\", \"why\": null, \"aten\": null}"
#define HEAD                                                                                                 \
    "{\"assay_capture\": 1, \"script\": \"t.py\", \"step\": 3, \"runtime\": \"torch 9\", \"device\": "       \
    "\"cpu\", "
#define VIEW "{\"file\": null, \"op\": null, \"aten\": \"aten.view\", \"why\": \"a view\"}"

static void expect(int status, const char *json, const char *const *says)
{
    trial_write("c/capture.json", json);
    trial_run("repro FOLDER/c");
    cr_expect_eq(trial->status, status, "%s", trial->output);
    for (; *says; says++) {
        cr_expect(strstr(trial->output, *says), "%s\n%s", *says, trial->output);
    }
}

Test(capture, the_first_wrong_call_is_named)
{
    trial_needs_python();
    make();
    expect(1,
           HEAD "\"complete\": true, \"calls\": [" VIEW
                ", " CALL("right.zip", "matmul", "net.0", "forward") ", " VIEW ", " CALL(
                    "wrong.zip", "matmul", "net.1", "backward") ", " CALL("wrong.zip", "matmul", "", "") "]}",
           (const char *const[]){"capture of t.py, step 3: 5 calls, torch 9 on cpu",
                                 "first wrong: call 3, matmul in net.1 (backward)\n",
                                 "also wrong: call 4, matmul: ", "  replay           assay repro ",
                                 "/c/wrong.zip", "not judged: 2 calls\n  2      aten.view: a view",
                                 "1 right, 2 wrong, 0 cannot tell, 0 no answer, 2 not judged", NULL});
    trial_run("repro FOLDER/c --format json");
    json_t *json = trial_json();
    const json_t *second = json_array_get(json_object_get(json, "calls"), 1);
    cr_expect_eq(json_integer_value(json_object_get(second, "call")), 3);
    cr_expect_str_eq(json_string_value(json_object_get(second, "verdict")), "wrong");
    cr_expect_str_eq(json_string_value(json_object_get(second, "module")), "net.1");
    json_decref(json);
    /* on a backend that computes both rightly */
    trial_run("repro FOLDER/c --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "3 right, 0 wrong"), "%s", trial->output);
}

Test(capture, what_is_wrong_with_a_capture_is_said)
{
    static const struct {
        int status;
        const char *json, *says;
    } rows[] = {
        {2, "{\"assay_capture\": 2, \"calls\": []}", "reads captures of version 1"},
        {2, "{\"assay_capture\": 1}", "\"calls\" must be a list"},
        {2, "{\"assay_capture\": 1, \"calls\": [3]}", "call 0 is no object"},
        {2, "{\"assay_capture\": 1, \"calls\": [{}]}", "call 0 has no name"},
        {2, "{\"assay_capture\": 1, \"calls\": [{\"op\": 1}]}", "\"op\" must be a text or null"},
        {2, "{\"assay_capture\": 1, \"calls\": [" CALL("../x.zip", "matmul", "", "") "]}",
         "must lie in this directory"},
        {2, "{\"assay_capture\": ", "line 1: "},
        {3, "{\"assay_capture\": 1, \"calls\": [" VIEW "]}", "no call of this capture can be judged"},
        {3, "{\"assay_capture\": 1, \"calls\": [" CALL("none.zip", "matmul", "", "") "]}", "call 0: "},
        {0,
         HEAD "\"complete\": false, \"reason\": \"1 GiB reached\", \"calls\": [" CALL("right.zip", "matmul",
                                                                                      "", "") "]}",
         "incomplete: 1 GiB reached"},
    };
    trial_needs_python();
    make();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        expect(rows[r].status, rows[r].json, (const char *const[]){rows[r].says, NULL});
    }
    trial_run("repro FOLDER");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "this directory has no capture.json"), "%s", trial->output);
    trial_run("repro FOLDER/c --shrink");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
}

/* Bundles of a capture have no truth: it is computed, and none is missed or compared. */
Test(capture, bundles_without_truths)
{
    trial_needs_python();
    make();
    trial_write("bare.py", "import json, sys, zipfile\n"
                           "old = zipfile.ZipFile(sys.argv[1])\n"
                           "with zipfile.ZipFile(sys.argv[2], 'w') as new:\n"
                           "    for m in old.infolist():\n"
                           "        data = old.read(m)\n"
                           "        if m.filename == 'bundle.json':\n"
                           "            whole = json.loads(data)\n"
                           "            whole['outputs'][0]['truth'] = False\n"
                           "            data = json.dumps(whole).encode()\n"
                           "        if not m.filename.startswith(('truth', 'bound')):\n"
                           "            new.writestr(m.filename, data)\n");
    char command[700];
    snprintf(command, sizeof command,
             "cd %s && python3 bare.py c/wrong.zip w.zip && python3 bare.py c/right.zip r.zip",
             trial->folder);
    cr_assert_eq(system(command), 0);
    trial_run("repro FOLDER/w.zip --backend cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "the bundle has no truth to compare with"), "%s", trial->output);
    snprintf(command, sizeof command,
             "{\"bundle\": \"%s/r.zip\"}\n{\"bundle\": \"%s/w.zip\"}\n{\"bundle\": \"%s/none.zip\"}\n{}\nx\n",
             trial->folder, trial->folder, trial->folder);
    trial_write("requests", command);
    FILE *input = freopen(trial_path("requests"), "r", stdin);
    cr_assert_not_null(input);
    trial_run("judge --no-cache");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    static const char *const says[] = {"{\"assay\": \"", "\"status\":\"pass\"", "\"status\":\"fail\"",
                                       "none.zip",       "no \\\"bundle\\\"",   "no JSON object"};
    const char *at = trial->output;
    for (size_t s = 0; at && s < sizeof says / sizeof *says; s++) {
        at = strstr(at, says[s]);
        cr_expect(at, "%s\n%s", says[s], trial->output);
        at = at ? strchr(at, '\n') : NULL;
    }
}

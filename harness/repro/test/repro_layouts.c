/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests operands whose place in memory the user states: Fortran order, slices, --layout and --expand. */

/* Writes x.npy, 1 −2 3 −4 … [3, 4], and f.npy, the same column-major. FOLDER/flat is a backend that reads
 * every operand as contiguous. */
static void begin(void)
{
    char command[1024], folder[512], text[1024];
    trial_begin();
    trial_needs_python();
    snprintf(
        command, sizeof command,
        "cd %s && python3 -c 'import struct\n"
        "def npy(name, order, data):\n"
        "    h = \"{\\x27descr\\x27: \\x27<f4\\x27, \\x27fortran_order\\x27: %%s, \\x27shape\\x27: (3, 4), "
        "}\\n\" %% order\n"
        "    open(name, \"wb\").write(b\"\\x93NUMPY\\1\\0\" + struct.pack(\"<H\", len(h)) + h.encode() + "
        "struct.pack(\"<12f\", *data))\n"
        "x = [(k + 1) * (-1) ** k for k in range(12)]\n"
        "npy(\"x.npy\", False, x)\n"
        "npy(\"f.npy\", True, [x[k %% 3 * 4 + k // 3] for k in range(12)])'",
        trial->folder);
    cr_assert_eq(system(command), 0, "%s", command);
    cr_assert_not_null(getcwd(folder, sizeof folder));
    snprintf(text, sizeof text,
             "#!/bin/sh\nexec python3 %s/harness/test/programs/flawed_program.py ignores-strides\n", folder);
    trial_script("flat", text);
}

TestSuite(repro_layouts, .init = begin, .fini = trial_end, .timeout = 120);

/* A wrong answer for the reporter's layout passes for a contiguous operand, which is how Fortran order was
 * passed before. */
Test(repro_layouts, a_backend_that_ignores_strides_fails)
{
    static const struct {
        const char *words;
        int status;
    } row[] = {
        {"--input FOLDER/x.npy", 0},
        {"--input FOLDER/f.npy --layout 0=contiguous", 0},
        {"--input FOLDER/f.npy", 1},
        {"--input FOLDER/x.npy --layout 0=transposed", 1},
        {"--input FOLDER/x.npy --layout 0=strides:5,1", 1},
        {"--input FOLDER/x.npy[:2,1:4:2]", 1},
        {"--input FOLDER/x.npy[:,1:2] --expand 0=3,2", 1},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        trial_run("repro --op sgn %s --backend exec:FOLDER/flat --backend cpu", row[r].words);
        cr_expect_eq(trial->status, row[r].status, "%s: %s", row[r].words, trial->output);
        cr_expect(strstr(trial->output, "cpu: pass"), "%s: %s", row[r].words, trial->output);
        cr_expect_eq(strstr(trial->output, "starter 1: fail") != NULL, row[r].status == 1, "%s: %s",
                     row[r].words, trial->output);
        bool same = strstr(trial->output, "all bits are the same") != NULL;
        cr_expect_eq(same, row[r].status == 0, "%s: %s", row[r].words, trial->output);
    }
}

Test(repro_layouts, the_report_states_where_an_operand_lies)
{
    trial_run_expect(0, "\n  input 0          float32 [3, 4], strides [1, 3], offset 0\n",
                     "repro --op add_ --input FOLDER/f.npy --input FOLDER/x.npy --backend cpu");
    cr_expect_not(strstr(trial->output, "input 1  "), "%s", trial->output);
    trial_run_expect(0, "\n  input 1          float32 [2, 4], strides [-4, 1], offset 9\n",
                     "repro --op add_ --input FOLDER/x.npy[1:] --input FOLDER/x.npy[1::-1] "
                     "--layout 1=strides:-4,1,offset:9 --backend cpu");
    trial_run_expect(0, "\n  input 0          float32 [2, 3, 4], strides [0, 4, 1], offset 0\n",
                     "repro --op sgn --input FOLDER/x.npy --expand 0=2,3,4 --backend cpu");
}

Test(repro_layouts, the_json_states_where_all_operands_lie)
{
    trial_run("repro --op layer_norm --attr normalized_shape=4 --input FOLDER/f.npy --input none --input "
              "FOLDER/x.npy[0,::-1] --backend cpu --format json");
    json_t *json = trial_json(), *inputs = json_object_get(json, "inputs");
    char *text = json_dumps(inputs, JSON_COMPACT | JSON_SORT_KEYS);
    cr_assert_not_null(text, "%s", trial->output);
    cr_expect_str_eq(text, "[{\"dtype\":\"float32\",\"offset\":0,\"shape\":[3,4],\"strides\":[1,3]},null,"
                           "{\"dtype\":\"float32\",\"offset\":3,\"shape\":[4],\"strides\":[-1]}]");
    free(text);
    json_decref(json);
}

/* The bundle has the strides, so it shows the same failure on the backend, and none where they are heeded. */
Test(repro_layouts, a_bundle_keeps_the_layout)
{
    trial_run(
        "repro --op sgn --input FOLDER/x.npy[:2] --layout 0=transposed,offset:3 --backend exec:FOLDER/flat "
        "--bundle FOLDER/b.zip");
    trial_expect(1, "bundle");
    trial_run("repro FOLDER/b.zip --backend exec:FOLDER/flat");
    trial_expect(1, "still there");
    cr_expect(strstr(trial->output, "float32 [2, 4], strides [1, 2], offset 3\n"), "%s", trial->output);
    trial_run("repro FOLDER/b.zip --backend cpu");
    trial_expect(0, "the failure is gone");
}

/* The smallest failing call still has strides, and its replay command states them. */
Test(repro_layouts, the_smallest_call_keeps_the_layout_that_fails)
{
    trial_run(
        "repro --op sgn --input FOLDER/f.npy --backend exec:FOLDER/flat --shrink --output-dir FOLDER/out");
    trial_expect(1, ", strided");
    char *replay = strstr(trial->output, "assay repro --op sgn --input ");
    cr_assert_not_null(replay, "%s", trial->output);
    replay = strdup(replay + strlen("assay "));
    *strchrnul(replay, '\n') = '\0';
    cr_expect(strstr(replay, "--layout 0=strides:"), "%s", replay);
    char plain[1024];
    size_t used = 0;
    for (const char *c = replay; *c && used + 1 < sizeof plain; c++) { /* trial_run splits at spaces alone */
        if (*c != '\'') {
            plain[used++] = *c;
        }
    }
    plain[used] = '\0';
    trial_run("%s", plain);
    trial_expect(1, "starter 1: fail");
    free(replay);
}

Test(repro_layouts, a_layout_needs_files_and_a_legal_call)
{
    static const struct {
        const char *words, *part;
    } row[] = {
        {"elementwise/sgn/float32/random --layout 0=transposed", "--layout needs --op and --input"},
        {"elementwise/sgn/float32/random --expand 0=2,3", "--expand needs --op and --input"},
        {"--op add_ --input FOLDER/x.npy[:1] --input FOLDER/x.npy --expand 0=3,4",
         "refers to the same element more than once"},
        {"--op sgn --input FOLDER/x.npy --layout 0=strides:0,1", "have different values"},
        {"--op sgn --input FOLDER/x.npy[1 --bundle FOLDER/b.zip", "No such file"},
        {"--op sgn --input FOLDER/x.npy[1] --bundle FOLDER/x.npy", "this file is an input"},
        {"--op sgn --input FOLDER/a.npz:x[1] --bundle FOLDER/a.npz", "this file is an input"},
    };
    trial_write("a.npz", "");
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        trial_run("repro --backend cpu %s", row[r].words);
        cr_expect_eq(trial->status, 2, "%s: %s", row[r].words, trial->output);
        cr_expect(strstr(trial->output, row[r].part), "%s: %s", row[r].words, trial->output);
    }
}

/* Operands from every kind of file and with every layout have the values, strides and offsets that numpy and
 * scipy give. */
Test(repro_layouts, numpy_and_scipy_read_the_same_takes_seconds, .timeout = 600)
{
    const char *candidates[] = {"build/adapters/bin/python", getenv("ASSAY_PYTHON"), "python3",
                                "/usr/bin/python3"};
    static char said[4096];
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        char command[2048];
        snprintf(command, sizeof command, "'%s' -c 'import numpy, scipy' 2>/dev/null",
                 candidates[c] ? candidates[c] : "false");
        if (system(command) != 0) {
            continue;
        }
        snprintf(command, sizeof command, "'%s' harness/repro/test/layouts.py '%s' '%s' 2>&1", candidates[c],
                 trial_program("assay-faulty"), trial->folder);
        FILE *reader = popen(command, "r");
        cr_assert_not_null(reader);
        said[fread(said, 1, sizeof said - 1, reader)] = '\0';
        cr_expect_eq(pclose(reader), 0);
        int cases = 0, differ = -1;
        const char *last = strrchr(said, ',');
        while (last && last > said && last[-1] != '\n') {
            last--;
        }
        cr_expect(last && sscanf(last, "%d cases, %d differ", &cases, &differ) == 2, "%s", said);
        cr_expect_geq(cases, 240, "%s", said);
        cr_expect_eq(differ, 0, "%s", said);
        return;
    }
    cr_skip_test("no Python here has numpy and scipy: nothing else reads the files");
}

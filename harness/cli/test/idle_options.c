/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Tests that an option without effect is refused before anything runs, with a message that says what to do.
 */

#define GLOB "elementwise/sgn/float32"

TestSuite(idle_options, .init = trial_begin, .fini = trial_end, .timeout = 60);

static void refused(const char *part, const char *words)
{
    trial_run_expect(2, part, words);
}

Test(idle_options, a_layer_that_is_not_there)
{
    static const char *const backends[] = {"cpu",   "faulty",      "exec:touch${IFS}FOLDER/ran",
                                           "torch", "onnx:cpu",    "jax",
                                           "array", "call:a.py:a", "torch:mps"};
    char words[200], part[100];
    for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
        snprintf(words, sizeof words, "run " GLOB " --level smoke --backend %s --validate --results FOLDER/r",
                 backends[b]);
        snprintf(part, sizeof part, "--validate: --backend %.8s", backends[b]);
        refused(part, words);
        refused("has no validation layer (there is one for: vulkan); leave it out", words);
        snprintf(words, sizeof words, "repro %s --backend %s --validate", trial_id(GLOB, 0), backends[b]);
        refused(part, words);
    }
    cr_expect_not(trial_has("ran"), "the program was started");
    trial_read("r");
    cr_expect(strstr(trial->results.part[0].fault, "nothing was run: --validate"), "%s",
              trial->results.part[0].fault);
    refused("--validate: --backend cpu", "run " GLOB " --backend vulkan --backend cpu --validate");
    refused("--validate: backend cpu has no validation layer", "devices cpu --validate");
}

Test(idle_options, of_a_self_test)
{
    static const char *const idle[] = {
        "--results FOLDER/r", "--junit FOLDER/j", "--report FOLDER/d", "--baseline FOLDER/b",
        "--fail-on vacuous",  "--strict",         "--fail-fast",       "--max-failures 3",
        "--no-rerun",         "--show 3",         "--by family",       "--name mine"};
    char words[160];
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        snprintf(words, sizeof words, "run " GLOB " --backend faulty --self-test %s", idle[i]);
        refused("this option cannot be used with --self-test, which changes values and keeps no records",
                words);
        int length = (int)strcspn(idle[i], " ");
        char part[40];
        snprintf(part, sizeof part, "assay: %.*s: ", length, idle[i]);
        refused(part, words);
    }
}

Test(idle_options, of_a_run)
{
    refused("--fail-fast means --max-failures 1; give only one of them",
            "run " GLOB " --fail-fast --max-failures 3");
    refused("--update-baseline needs --baseline FILE", "run " GLOB " --update-baseline");
    refused("parity.md is a file that --report writes",
            "run " GLOB " --baseline FOLDER/d/parity.md --report FOLDER/d");
    refused("junit.xml is a file that --report writes",
            "run " GLOB " --baseline FOLDER/d/./junit.xml --report FOLDER/d");
    refused("results.jsonl would be overwritten by the records of --report",
            "run " GLOB " --baseline FOLDER/d/results.jsonl --report FOLDER/d");
    refused("--results and --junit are both", "run " GLOB " --results FOLDER/x --junit FOLDER/x");
    refused("2 names are given for 1 backend", "run " GLOB " --backend cpu --name a --name b");
}

Test(idle_options, of_a_report)
{
    static const char *const formats[] = {"junit", "markdown", "csv", "html"};
    char words[120];
    for (int f = 0; f < 4; f++) {
        const char *const idle[] = {"--show 3", "--by operator", "--by family", "--color always"};
        for (int i = 0; i < 4; i++) {
            snprintf(words, sizeof words, "report FOLDER/r --format %s %s", formats[f], idle[i]);
            refused(": this option needs --format text", words);
        }
        for (int i = 0; i < 2 && f > 1; i++) {
            snprintf(words, sizeof words, "report FOLDER/r --format %s %s", formats[f],
                     i ? "--strict" : "--fail-on vacuous");
            refused("this option needs --format text, junit or markdown", words);
        }
    }
}

Test(idle_options, of_a_bench)
{
    refused("--backend: this option has no effect on bench reference", "bench reference --backend cpu");
    refused("--jobs: this option has no effect on bench reference", "bench reference --jobs 2");
    refused("--repeat: this option has no effect on bench reference", "bench reference --repeat 3");
    refused("--jobs: this option has no effect on bench kernels, which runs one case at a time",
            "bench kernels --jobs 2");
    refused("--backend vulkan: bench runner takes one backend",
            "bench runner --backend cpu --backend vulkan");
    refused("--level: this option has no effect on bench elementary", "bench elementary --level smoke");
    refused("--level exhaustive: bench runner measures", "bench runner --level exhaustive");
    refused("--level exhaustive: bench resolution measures", "bench resolution --level exhaustive");
    refused("--backend: this option has no effect on bench resolution", "bench resolution --backend cpu");
    refused("--repeat: this option has no effect on bench resolution", "bench resolution --repeat 3");
    refused("--jobs: this option has no effect on bench digest", "bench digest --jobs 2");
    refused("--backend: this option has no effect on bench digest", "bench digest --backend cpu");
}

Test(idle_options, words_that_are_no_choice)
{
    refused("--format junti: did you mean junit? Give text, junit, markdown, csv or html",
            "report FOLDER/r --format junti");
    refused("--format xml: give text, json or markdown", "compare a b --format xml");
    refused("--color sometimes: give auto, always or never", "run " GLOB " --color sometimes");
    refused("--by dtype: give family or operator", "merge FOLDER/r -o FOLDER/a --by dtype");
}

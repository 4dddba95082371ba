/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/progress.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests what the commands print before anything runs: help, advice, suggestions for mistyped words; and the
 * progress line. */

#define GLOB "elementwise/sgn/float32"

Test(run, says_what_is_meant)
{
    trial_run_expect(2, "did you mean --jobs?", "run --jbos 3");
    trial_run_expect(2, "did you mean assay run?", "rnu");
    trial_run_expect(2, "did you mean vulkan?", "run --backend vulkna");
    trial_run_expect(2, "did you mean faulty?", "run --backend fualty:3");
    trial_run_expect(2, "did you mean vulkan?", "devices vulkam");
    trial_run_expect(2, "did you mean \"sgn\"?", "run sng");
    trial_run_expect(2, "unknown operator \"sng\", did you mean \"sgn\"?", "run elementwise/sng/float32/*");
    trial_run_expect(2, "did you mean \"float32\"?", "list flaot32");
    trial_run_expect(2, "did you mean smoke?", "list --level smok");
    trial_run_expect(2, "did you mean runner?", "bench runer");
    trial_run_expect(2, "unknown case", "repro elementwise/sgn/float32/nothing-like-it");
    trial_run_expect(2, "no case matches", "run *no-such-case*");
    trial_run_expect(2, "--exclude \"nosuch\" matches no case", "run --exclude nosuch");
    trial_run_expect(2, "did you mean \"sgn\"?", "list --exclude sng");
    trial_run_expect(2, "leave out GLOB", "list --coverage sgn");
    trial_run_expect(2, "leave out GLOB", "list --coverage --count");
    trial_run_expect(3, "not usable: ", "devices exec:/nowhere/at/all");
    trial_run_expect(3, "takes no selector", "devices faulty:1");
    trial_run_expect(2, "none of the", "run --exclude *");
    trial_run_expect(2, "--update-baseline needs --baseline", "run --update-baseline");
    trial_run_expect(2, "cannot read the baseline", "run --baseline FOLDER/none");
    trial_run_expect(2, "cannot write", "run " GLOB " --backend faulty --results /proc/nowhere");
    trial_run_expect(2, "usage: assay", "");
    trial_run_expect(0, "assay", "--version");
    trial_run_expect(0, "exit status: 0 gate PASS", "--help");
}

Test(run, without_a_driver_there_is_advice)
{
    setenv("VK_ICD_FILENAMES", "/nowhere.json", 1);
    setenv("VK_DRIVER_FILES", "/nowhere.json", 1);
    trial_run_expect(3, "no Vulkan driver: none loads of those that", "run " GLOB " --backend vulkan");
}

Test(run, counts_each_group_once)
{
    static char seen[4000][120];
    char line[300], *text;
    int groups = 0;
    trial_run("list --count --level exhaustive");
    for (text = trial->output; *text; text += strcspn(text, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        cr_assert(groups < 4000 && sscanf(line, "%*d %119s", seen[groups]) == 1, "%s", line);
        for (int g = 0; g < groups; g++) {
            cr_expect_str_neq(seen[g], seen[groups]);
        }
        groups++;
    }
    cr_expect_gt(groups, 20);
}

Test(run, every_command_has_help)
{
    static const char *const commands[] = {"run", "list", "devices", "repro", "report", "merge", "bench"};
    for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++) {
        char words[32];
        snprintf(words, sizeof words, "%s --help", commands[c]);
        trial_run_expect(0, "examples:", words);
    }
}

Test(run, help_for_a_command)
{
    trial_run("merge --help");
    cr_assert_eq(trial->status, 0);
    char *help = strdup(trial->output);
    trial_run("help merge");
    cr_expect_eq(trial->status, 0);
    cr_expect_str_eq(trial->output, help);
    free(help);
    trial_run("help marge");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "did you mean assay merge?"), "%s", trial->output);
}

Test(run, help_names_cases_and_backends_that_there_are)
{
    static const char *const commands[] = {"run", "list", "repro"};
    for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++) {
        trial_run("%s --help", commands[c]);
        cr_expect(c == 1 || (strstr(trial->output, "torch:DEVICE") && strstr(trial->output, "exec:COMMAND")),
                  "%s", trial->output);
        for (char *word = strtok(trial->output, " \n'"); word; word = strtok(NULL, " \n'")) {
            int slashes = 0;
            for (const char *p = word; *p; p++) {
                slashes += *p == '/';
            }
            bool is_id = slashes == 3 && !strpbrk(word, "*.|") && strncmp(word, "family/", 7) != 0;
            cr_expect(!is_id || suite_list_find(trial->list, word) >= 0, "%s: %s", commands[c], word);
        }
    }
}

Test(run, progress_line_fits)
{
    struct pool_progress state = {
        .done = 1234,
        .total = 5678,
        .seconds = 10,
        .current = "linalg/logdet/float32/a-very-long-name-of-a-case-that-cannot-fit-n=100,k=200"};
    for (int columns = 20; columns <= 120; columns++) {
        char text[512];
        progress_format(text, sizeof text, &state, &(struct progress_counts){3, 4}, columns);
        cr_expect_leq((int)strlen(text), columns, "%d columns: %s", columns, text);
    }
    char text[512];
    progress_format(text, sizeof text, &state, &(struct progress_counts){3, 0}, 79);
    cr_expect(strstr(text, "1234/5678, 3 failed, 0:10, 0:36 left"), "%s", text);
    cr_expect(strstr(text, "k=200"), "%s", text);
    state.seconds = 75;
    state.done = 5674; /* what is left is run again, and nobody knows for how long */
    progress_format(text, sizeof text, &state, &(struct progress_counts){7, 4}, 79);
    cr_expect(strstr(text, "5674/5678, 7 failed, 4 being rerun, 1:15  .."), "%s", text);
}
